"""What a printed heading is numbered with: "2.1 Title", "Article 5 - Title", "CHAPTER I", "第三章 总则".

Shared by all formats, so that the same document in several formats gives the same numbers and titles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

__all__ = [
    "ANNEX_KEYWORDS",
    "KEYWORDS",
    "Label",
    "readings",
    "roman_value",
    "split_label",
    "split_labels",
    "split_number",
]

KEYWORDS: tuple[tuple[str, ...], ...] = (
    ("book", "buch", "livre", "libro", "volume", "编", "編", "편", "分编"),
    ("part", "teil", "partie", "parte", "deel", "część", "část", "часть", "部分", "篇"),
    ("title", "titel", "titre", "titolo", "título", "titulo"),
    ("subtitle", "untertitel", "sous-titre"),
    ("division",),
    ("chapter", "kapitel", "chapitre", "capítulo", "capitulo", "capo", "hoofdstuk", "rozdział", "hlava", "глава",
     "章", "장"),
    ("subchapter", "subpart", "subdivision", "unterkapitel"),
    ("amendment",),
    ("section", "sec", "abschnitt", "sección", "seccion", "sezione", "secção", "seção", "afdeling", "раздел",
     "节", "節", "절"),
    ("subsection", "sous-section", "unterabschnitt", "款", "관"),
    ("article", "art", "artikel", "articolo", "artículo", "articulo", "artigo", "artykuł", "článek",
     "статья", "§", "条", "條", "조"),
    ("item",),
    ("rule", "regulation"),
    ("clause",),
    ("note",),
    ("table", "figure", "box"),
)  # fmt: skip
"""Words that number a heading, those of one row meaning the same, usually wider ones first. Documents nest them in
many orders: the rows are what to assume where a document itself does not show its own."""

ANNEX_KEYWORDS: tuple[str, ...] = (
    "annex", "appendix", "addendum", "schedule", "exhibit", "attachment", "anhang", "anlage", "annexe", "anexo",
    "allegato", "bijlage", "załącznik", "příloha", "приложение", "附件", "附录",
)  # fmt: skip
"""Words that number what stands behind a document's body, at its top level."""

_CANONICAL = {word: row[0] for row in KEYWORDS for word in row} | dict.fromkeys(ANNEX_KEYWORDS, "annex")
_MOST_DIGITS = 9
"""Of a number that counts something; Python itself reads no more than some thousands."""
_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})", re.IGNORECASE)
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_LARGEST_ROMAN = 200
_CARDINALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_SPELLED: dict[str, int] = {
    word: value for words in (_CARDINALS, _ORDINALS) for value, word in enumerate(words.split(), start=1)
} | {"premier": 1, "première": 1}
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_CJK_DIGITS = "0-9０-９〇零一二三四五六七八九十百千两"

_WORD = "|".join(
    re.escape(word) for word in sorted(_CANONICAL, key=len, reverse=True) if not re.match("[\u2e80-\uffff]", word)
)
_KEYWORD_LABEL = re.compile(
    rf"""(?P<number>(?P<keyword>{_WORD})(?:\.?[ \u00a0]+|(?<=§))
        (?P<value>(?:[LRDA]\.[ ]?)?\d{{1,4}}[a-z]{{0,2}}(?:er|re)?(?:\.?[ºª°])?(?:[.:\-‑–]\d+[a-z]?)*
                (?:[ ](?:bis|ter|quater)\b)?
            |[a-z][.\-]?\d{{1,4}}[a-z]?(?:[.\-]\d{{1,4}}[a-z]?)*|[mdclxvi]+(?:er)?|[mdclxvi]+-[a-z]|[a-z]|{"|".join(_SPELLED)}))
        (?![\w(])[.)]?(?P<separator>\s*[:.\-‐‑–—―]+\s*|\s+|$)""",
    re.IGNORECASE | re.VERBOSE,
)
_CJK_LABEL = re.compile(
    rf"""(?:(?P<number>[第제]\s*(?P<value>[{_CJK_DIGITS}]+)\s*(?P<keyword>分编|部分|[编編章节節条條款篇편장절관조])
            (?:[之의の][{_CJK_DIGITS}]+)?)
        |(?P<annex>(?:附件|附录)\s*(?P<annex_value>[{_CJK_DIGITS}]*|[A-Z])))
        (?:[\s:：、]+|(?=[（(])|$)""",
    re.VERBOSE,
)
_DECIMAL = re.compile(
    rf"""(?P<number>\d{{1,3}}(?:[.．]\d{{1,3}})*)(?P<stop>[.．、:)]?)(?P<space>\s+|(?=[{_CJK}]))
        (?:(?=[^\W\d_]|[\"“‘'«(\[<`*_/.$#&])|(?<=\d\.\ )(?=\d{{1,4}}\ [A-Z(]))""",
    re.VERBOSE,
)
_LETTER_DECIMAL = re.compile(r"(?P<number>[A-Z](?:\.\d{1,2})+)(?P<stop>\.?)\s+(?=\S)")
_ENUMERATED = re.compile(r"(?P<number>[A-Z]|[IVXLC]+)(?P<stop>\.)\s+(?=[^\W\d_]|[\"“‘'«(])")
_PARENTHESISED = re.compile(r"(?P<number>\((?:\d{1,3}|[a-z]{1,2}|[ivxlc]+|[A-Z])\))\s+(?=\S)")
_CJK_ENUMERATED = re.compile(r"(?P<number>[一二三四五六七八九十百]+)、\s*(?=\S)")
_QUANTITY = re.compile(
    r"(?:million|billion|trillion|percent|per cent|years?|months?|days?|hours?|km|kg|pages?)\b|[%°€$£]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A heading taken apart."""

    number: str | None
    """As printed, without a trailing full stop; None where none is printed."""
    title: str
    """The rest; may be empty where the number stands alone."""
    kind: str | None = None
    """`keyword`, `decimal` ("2.1"), `lettered` ("A.1"), `letter` ("A."), `roman` ("IV."), `parenthesised` ("(a)") or
    `counted` ("一、"); None without a number."""
    keyword: str | None = None
    """The English word of the number's kind ("chapter", "annex"), for those that are numbered with a word."""
    value: tuple[int, ...] = ()
    """The number as numbers: (2, 1) for "2.1", (4,) for "ARTICLE IV", (1,) for "A"; empty where it cannot be told."""
    separated: bool = False
    """Whether a full stop, colon or dash stands between number and title."""


def split_number(heading: str) -> tuple[str | None, str]:
    """Return the number, as printed but without a trailing full stop, and the title of one heading.

    What a lone heading cannot tell is left in the title: "5 Ways to Save", "A. Smith"; `split_labels`, which sees all
    headings of a document, can tell more. "2024 Outlook" and "3M Company" have no number.
    """
    label = split_label(heading)
    return label.number, label.title


def split_label(heading: str) -> Label:
    """Like `split_number`, with what is known about the number."""
    text = " ".join(heading.split())
    return _keyword_label(text) or _certain_label(text) or Label(number=None, title=text)


def split_labels(headings: Iterable[str]) -> list[Label]:
    """Take apart the headings of one document, in reading order.

    "5 Title", "B. Title" and "II. Title" count as numbered where the number before it heads another heading, or where
    they are the first of their kind.
    """
    labels: list[Label] = []
    seen: set[tuple[str | None, int]] = set()
    for heading in headings:
        label = split_label(heading)
        if label.number is None:
            uncertain = _uncertain(label.title)
            label = next((x for x in uncertain if x.value[0] in {0, 1} or (x.kind, x.value[0] - 1) in seen), label)
        if label.kind != "keyword" and label.value:
            seen.add((label.kind, label.value[0]))
        labels.append(label)
    return labels


def readings(heading: str) -> list[Label]:
    """Return every number that a line may begin with, if it is a heading: also "5 Title", "B. Title", "I. Title"."""
    label = split_label(heading)
    return [label] if label.number is not None else list(_uncertain(label.title))


def _keyword_label(text: str) -> Label | None:
    match = _KEYWORD_LABEL.match(text)
    if match is None:
        return _cjk_label(text)
    title, value = text[match.end() :], match["value"]
    if value.isalpha() and value.islower() and (len(value) == 1 or not _value(value)):
        return None
    if title and title[0].islower() and value in {"A", "I"} and not match["separator"].strip():
        return None
    return Label(
        number=match["number"].rstrip("."),
        title=title,
        kind="keyword",
        keyword=_CANONICAL[match["keyword"].casefold()],
        value=_value(value),
        separated=bool(match["separator"].strip()) or text[match.end("number") : match.end("number") + 1] in {".", ")"},
    )


def _cjk_label(text: str) -> Label | None:
    match = _CJK_LABEL.match(text)
    if match is None:
        return None
    keyword = "annex" if match["annex"] else _CANONICAL[match["keyword"]]
    return Label(
        number=match["number"] or match["annex"],
        title=text[match.end() :],
        kind="keyword",
        keyword=keyword,
        value=_cjk_value(match["value"] or match["annex_value"]),
        separated=True,
    )


def _certain_label(text: str) -> Label | None:
    """Take off numbers that no title begins with: "2.1", "3.", "A.1", "IV.", "(a)", "一、"."""
    match = _DECIMAL.match(text)
    if match is not None and (match["stop"] or not match["number"].isdecimal()):
        return None if _QUANTITY.match(text, match.end()) else _label(text, match, "decimal", _parts(match["number"]))
    match = _LETTER_DECIMAL.match(text)
    if match is not None:
        letter, _, rest = match["number"].partition(".")
        return _label(text, match, "lettered", (_letter_value(letter), *_parts(rest)))
    match = _ENUMERATED.match(text)
    if match is not None and len(match["number"]) > 1 and (value := roman_value(match["number"])):
        return _label(text, match, "roman", (value,))
    match = _PARENTHESISED.match(text)
    if match is not None:
        return _label(text, match, "parenthesised", ())
    match = _CJK_ENUMERATED.match(text)
    return _label(text, match, "counted", _cjk_value(match["number"])) if match else None


def _uncertain(text: str) -> Iterator[Label]:
    """Read numbers that only their neighbours make certain: "5 Title", "I. Title", "B. Title"."""
    match = _DECIMAL.match(text)
    if match is not None and not _QUANTITY.match(text, match.end()):
        yield _label(text, match, "decimal", _parts(match["number"]))
    match = _ENUMERATED.match(text)
    if match is not None:
        if value := roman_value(match["number"]):
            yield _label(text, match, "roman", (value,))
        if len(match["number"]) == 1:
            yield _label(text, match, "letter", (_letter_value(match["number"]),))


def _label(text: str, match: re.Match[str], kind: str, value: tuple[int, ...]) -> Label:
    stop = match.groupdict().get("stop") or ""
    number = match["number"] + (stop if stop == ")" else "")
    return Label(number=number, title=text[match.end() :], kind=kind, value=value, separated=bool(stop))


def _value(designator: str) -> tuple[int, ...]:
    if any(character.isdecimal() for character in designator):
        return _parts(designator)
    if value := roman_value(designator.removesuffix("er")):
        return (value,)
    if len(designator) == 1:
        return (_letter_value(designator),)
    spelled = _SPELLED.get(designator.casefold())
    return (spelled,) if spelled else ()


def _letter_value(letter: str) -> int:
    return ord(letter.upper()) - ord("A") + 1


def _parts(number: str) -> tuple[int, ...]:
    parts = re.findall(r"\d+", number)
    return () if any(len(part) > _MOST_DIGITS for part in parts) else tuple(map(int, parts))


def roman_value(numeral: str) -> int:
    """Return the value of a Roman numeral up to 200, 0 for anything else."""
    if not _ROMAN.fullmatch(numeral):
        return 0
    digits = [_ROMAN_DIGITS[character] for character in numeral.upper()]
    value = sum(
        -digit if digit < following else digit for digit, following in zip(digits, [*digits[1:], 0], strict=True)
    )
    return value if value <= _LARGEST_ROMAN else 0


def _cjk_value(number: str) -> tuple[int, ...]:
    """Read "二十一", "21" or "A"; units count what stands before them."""
    if not number:
        return ()
    if number.isdecimal():
        return _parts(number)
    if number.isascii():
        return (_letter_value(number),)
    digits = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
    units = {"十": 10, "百": 100, "千": 1000}
    total, pending = 0, 0
    for character in number:
        if character in units:
            total += max(pending, 1) * units[character]
            pending = 0
        else:
            pending = digits.get(character, 0)
    return (total + pending,)
