"""From bytes to text: byte order marks, UTF-8, and a guess for the rest."""

from __future__ import annotations

import codecs

__all__ = ["decode"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 1 << 16
_FIRST_BEYOND_ASCII = 0x80
_LATIN_SHARE = 0.2
"""Texts in Latin letters have fewer bytes above 127 than this; those in other scripts have many more."""
_DAMAGED_SHARE = 0.5
"""A file is UTF-8 with damage, not another encoding, if no more of its non-ASCII characters than this are invalid:
other encodings are almost never valid UTF-8 by chance."""
_LATIN = ("cp1252", "cp1250")
_CENTRAL_EUROPEAN = {"Polish", "Czech", "Slovak", "Hungarian", "Slovene", "Croatian", "Romanian"}
_OTHER_SCRIPTS = (
    "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp932", "euc_jp", "gb18030", "big5", "euc_kr",
)  # fmt: skip
_NUL_SHARE = 0.3
_FEWEST_NULS = 4
"""Fewer are damage in a short text as likely as UTF-16."""


def decode(data: bytes) -> tuple[str, list[str]]:
    """Return the text of a file, its line breaks as line feeds, and warnings about what was guessed or replaced."""
    text, warnings = _decode(data)
    return text.replace("\r\n", "\n").replace("\r", "\n"), warnings


def _decode(data: bytes) -> tuple[str, list[str]]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _replacing(data[len(mark) :], encoding)
    if utf16 := _utf16_without_mark(data[:_SAMPLE]):
        return _replacing(data, utf16)
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        pass
    if _is_damaged_utf8(data):
        return _replacing(data, "utf-8")
    encoding = _guess(data)
    text, warnings = _replacing(data, encoding)
    return text, [f"The file is not UTF-8; it was read as {encoding}, which is a guess.", *warnings]


def _replacing(data: bytes, encoding: str) -> tuple[str, list[str]]:
    text = data.decode(encoding, errors="replace")
    replaced = text.count("\N{REPLACEMENT CHARACTER}")
    return text, [f"{replaced} places are not valid {encoding}; they read U+FFFD."] if replaced else []


def _is_damaged_utf8(data: bytes) -> bool:
    text = data.decode("utf-8", errors="replace")
    invalid = text.count("\N{REPLACEMENT CHARACTER}")
    beyond_ascii = sum(not character.isascii() for character in text)
    return invalid <= _DAMAGED_SHARE * beyond_ascii


def _utf16_without_mark(sample: bytes) -> str | None:
    """Tell UTF-16 by the zero bytes that ASCII characters have in every other place."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    many = max(_NUL_SHARE * len(sample) / 2, _FEWEST_NULS)
    if odd >= many and even < odd / 10:
        return "utf-16-le"
    if even >= many and odd < even / 10:
        return "utf-16-be"
    return None


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes

    first = next(place for place, byte in enumerate(data) if byte >= _FIRST_BEYOND_ASCII)
    sample = data[max(first - _SAMPLE // 2, 0) :][:_SAMPLE]
    high = sum(byte >= _FIRST_BEYOND_ASCII for byte in sample)
    letters = high + sum(character.isascii() and character.isalpha() for character in sample.decode("latin-1"))
    encodings = _LATIN if high < _LATIN_SHARE * letters else (*_OTHER_SCRIPTS, *_LATIN)
    best = from_bytes(sample, cp_isolation=list(encodings)).best()
    if best is None or (best.encoding in _LATIN and best.language not in _CENTRAL_EUROPEAN):
        return "cp1252"
    return best.encoding
