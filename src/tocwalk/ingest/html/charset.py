"""The encoding of an HTML page: by its mark, by what it declares, or by a guess."""

from __future__ import annotations

import codecs
import re

from tocwalk.ingest.encoding import decode

__all__ = ["decode_html"]

_LOOKED_AT = 4096
_XML_DECLARATION = re.compile(rb"\s*<\?xml[^<>]*?\bencoding\s*=\s*[\"']\s*([\w.:-]+)")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta\b[^<>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_READ_AS = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc_kr": "cp949",
    "utf-16": "utf-8", "utf-16-le": "utf-8", "utf-16-be": "utf-8",
}  # fmt: skip
"""What browsers read instead of what is declared (WHATWG Encoding Standard, labels; HTML Standard, prescan)."""
_ENCODINGS = re.compile(r"utf-8|cp\d+|iso8859-\d+|koi8-[rtu]|mac-\w+|gb18030|big5hkscs|euc_jp|iso2022_jp\w*|johab")
"""Names of Python's codecs that are encodings of text; the others are transformations."""
_ONE_BYTE = re.compile(r"cp125\d|cp874|iso8859-|koi8-|mac-")


def decode_html(data: bytes) -> tuple[str, list[str]]:
    """Return the text of a page, its line breaks as line feeds, and warnings about what was guessed or replaced.

    A byte order mark counts before the declaration (`<?xml encoding>`, `<meta charset>`). A declaration that does not
    fit the bytes is passed over, with a warning: any bytes are text in most encodings of one byte a character, but next
    to no text in one of these happens to be UTF-8.
    """
    encoding = None if data.startswith(_MARKS) else _declared(data[:_LOOKED_AT])
    if encoding is None:
        return decode(data)
    if _ONE_BYTE.match(encoding) and _is_utf8(data):
        return decode(data)[0], [f"The page says that it is {encoding}, but it is UTF-8."]
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text, warnings = decode(data)
        return text, [f"The page says that it is {encoding}, but it is not.", *warnings]
    return text.replace("\r\n", "\n").replace("\r", "\n"), []


def _is_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8 that is not ASCII alone."""
    if data.isascii():
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _declared(head: bytes) -> str | None:
    match = _XML_DECLARATION.match(head) or _META.search(_COMMENT.sub(b"", head))
    if match is None:
        return None
    try:
        codec = codecs.lookup(match[1].decode("ascii"))
    except (LookupError, UnicodeDecodeError):
        return None
    encoding = _READ_AS.get(codec.name, codec.name)
    return encoding if _ENCODINGS.fullmatch(encoding) else None
