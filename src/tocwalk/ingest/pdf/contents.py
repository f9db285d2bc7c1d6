"""Printed tables of contents: their lines are no headings, but say which there are, on which page and how deep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf

from tocwalk.ingest.numbering import readings, roman_value
from tocwalk.ingest.pdf.labels import spaced
from tocwalk.ingest.pdf.model import Line

__all__ = ["Contents", "Entry", "are_rising", "find_contents", "page_at_end", "page_value"]

_LEADER = re.compile(r"(?:\s*[.·•…‥_․]){3,}\s*|(?:\s[.·]){2,}\s*")
_PAGE = re.compile(r"(?:[A-Z]{1,2}[-–.]|\d{1,2}[-–])?(?:\d{1,4}|[ivxlc]+|[IVXLC]+)")
_ENTRY = re.compile(rf"(?P<title>.*?\S)(?P<gap>{_LEADER.pattern}|\s+)(?P<page>{_PAGE.pattern})")
_TOUCHING = re.compile(r"(?P<title>.*[^\W\d_][^\d\s]*)\s?(?P<page>\d{1,4})")
_TITLE = re.compile(
    r"(?:table\s*of\s*)?contents(?:\s*\(continued\))?|inhalt(?:sverzeichnis)?|sommaire|table\s*des\s*matières|índice"
    r"|indice|sumario|sumário|inhoud(?:sopgave)?|目\s*[录錄次]|차례|목차",
    re.IGNORECASE,
)
_LIST_TITLE = re.compile(
    r"(?:list\s*of\s*)?(?:tables|figures|illustrations|exhibits|charts|maps|boxes|plates|listings|algorithms|abbreviations"
    r"|acronyms|symbols)(?:\s*and\s*\w+)?|(?:abbildungs|tabellen)verzeichnis|table\s*des\s*(?:figures|tableaux|illustrations)"
    r"|图目录|表目录",
    re.IGNORECASE,
)
_MIN_ENTRIES = 4
_SHARE = 0.4
"""Share of a page's lines that are entries, where the page has the title of a table of contents but no leaders."""
_RISING = 0.8
_WRAPPED = 0.5
"""Share of the way to the page numbers that a line must go if the next is to be its continuation."""
_SIZE_STEP, _FAR = 0.6, 1.6
"""Points, and times the font size, by which lines of one entry do not differ and are not apart."""
_COLUMN = 40.0
"""Points by which the page numbers of two columns are apart at least."""
_ALIGNED = 2.0
"""Points by which the ends of page numbers of one column differ."""
_LONGEST, _ABOVE = 4, 2
"""Lines of one entry; lines above a table in which its title may stand."""


@dataclass(slots=True, kw_only=True)
class Entry:
    """An entry of a printed table of contents."""

    title: str
    page: str | None
    """The page number as printed; None where an entry has none."""
    x0: float
    """Indentation, measured from the edge at which the page numbers end."""
    look: tuple[float, int, bool] = field(default=(0.0, 400, False))
    """Size, weight and slant."""


@dataclass(slots=True, kw_only=True)
class Contents:
    """A table of contents."""

    entries: list[Entry]
    first: int
    """Index of its first line among the document's lines."""
    titled: bool
    """Whether it has a title; without one it may also be an index."""


@dataclass(slots=True, kw_only=True)
class _Parsed:
    """A line as an entry: `page` is None where it has no page number."""

    line: Line
    title: str
    page: str | None
    leader: bool


def find_contents(lines: Sequence[Line]) -> list[Contents]:
    """Find the tables of contents, mark their lines (`kind` becomes `contents`) and return the entries of each.

    Lists of figures or tables are marked, but are no outline. A short table and the full one behind it are two.
    """
    tables: list[Contents] = []
    after_contents = False
    for start, end in _pages(lines):
        parsed = [_parse(line) for line in lines[start:end]]
        region = _region(parsed, after_contents=after_contents)
        goes_on, after_contents = after_contents, region is not None and region[1] >= len(parsed) - 1
        if region is None:
            continue
        _read_touching(parsed[region[0] : region[1]])
        entries = list(_entries(parsed[region[0] : region[1]]))
        for item in parsed[region[0] : region[1]]:
            item.line.kind = "contents"
        above = [item.title.strip(" :.") for item in parsed[max(region[0] - _ABOVE, 0) : region[0]]]
        if any(map(_LIST_TITLE.fullmatch, above)):
            continue
        if goes_on and tables:
            tables[-1].entries.extend(entries)
        else:
            titled = any(map(_TITLE.fullmatch, above))
            tables.append(Contents(entries=entries, first=start + region[0], titled=titled))
    return [replace(table, entries=entries) for table in tables for entries in _parts(table.entries)]


def _parts(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Part a table where its page numbers begin again: the first part is a short table of contents."""
    part: list[Entry] = []
    for index, entry in enumerate(entries):
        if len(part) >= _MIN_ENTRIES and _begins_again(part, entry) and len(entries) - index >= len(part):
            yield part
            part = []
        part.append(entry)
    yield part


def _begins_again(part: Sequence[Entry], entry: Entry) -> bool:
    if entry.page is None or part[0].page is None or part[-1].page is None:
        return False
    first, last, value = page_value(part[0].page), page_value(part[-1].page), page_value(entry.page)
    return value[0] == first[0] and value[1] <= first[1] and last > value


def _pages(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    start = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or lines[index].page != lines[start].page:
            yield start, index
            start = index


def _parse(line: Line) -> _Parsed:
    text = " ".join(piece.text for piece in line.pieces)
    match = _ENTRY.fullmatch(text)
    far = len(line.pieces) > 1 and line.pieces[-1].text == (match["page"] if match else None)
    if (
        match is None
        or not (far or match["gap"].strip())
        or not any(character.isalpha() for character in match["title"])
    ):
        return _Parsed(line=line, title=_LEADER.sub(" ", text).strip(), page=None, leader=False)
    return _Parsed(
        line=line,
        title=_LEADER.sub(" ", match["title"]).strip(" ."),
        page=match["page"],
        leader=bool(match["gap"].strip()) or _LEADER.search(match["title"]) is not None,
    )


def _region(parsed: Sequence[_Parsed], *, after_contents: bool) -> tuple[int, int] | None:
    """Return the range of a page's lines that is a table of contents, its own title left out."""
    numbered = [index for index, item in enumerate(parsed) if item.page is not None]
    if not numbered:
        return None
    first, last = numbered[0], numbered[-1]
    titled = next((index for index, item in enumerate(parsed) if _TITLE.fullmatch(item.title.strip(" :."))), None)
    if titled is not None and titled < last:
        first = titled + 1
        numbered = [index for index in numbered if index >= first]
    elif after_contents:
        titled, first = None, 0 if first < _LONGEST else first
    else:
        titled = None
    leaders = sum(parsed[index].leader for index in numbered)
    known = titled is not None or after_contents
    enough = _MIN_ENTRIES if not (known and leaders) else 1
    if len(numbered) < enough or not are_rising([parsed[index].page or "" for index in numbered]):
        return None
    dense = len(numbered) >= _SHARE * (last + 1 - first)
    if (leaders >= enough and dense) or (known and dense and len(numbered) >= _SHARE * (len(parsed) - first)):
        return first, last + 1
    return None


def page_at_end(text: str) -> str | None:
    """Return the page number that is all of a text, or that stands behind leaders at its end."""
    match = _ENTRY.fullmatch(text)
    if match is not None and match["gap"].strip():
        return match["page"]
    return text if _PAGE.fullmatch(text) else None


def are_rising(pages: Sequence[str]) -> bool:
    """Say whether page numbers rise, a few aside; those of different kinds are not compared."""
    values = [page_value(page) for page in pages]
    rising = sum(before[0] != after[0] or before[1] <= after[1] for before, after in pairwise(values))
    return rising >= _RISING * (len(values) - 1)


def page_value(page: str) -> tuple[str, int]:
    """Return what kind of number a page has, and its value."""
    prefix, _, number = page.replace("–", "-").rpartition("-")
    if number.isdecimal():
        return prefix, int(number)
    return ("roman", roman_value(number)) if roman_value(number) else (page, 0)


def _read_touching(parsed: Sequence[_Parsed]) -> None:
    """Read page numbers that touch their titles: they end where the others do, and lie between those around them."""
    edges = [item.line.x1 for item in parsed if item.page is not None]
    pages = [page_value(item.page) if item.page else None for item in parsed]
    for index, item in enumerate(parsed):
        match = _TOUCHING.fullmatch(item.title)
        if pages[index] or not match or min(abs(edge - item.line.x1) for edge in edges) > _ALIGNED:
            continue
        before = next((page for page in reversed(pages[:index]) if page), None)
        behind = next((page for page in pages[index + 1 :] if page), None)
        value = page_value(match["page"])
        if (before is None or before <= value) and (behind is None or value <= behind) and (before or behind):
            item.title, item.page, pages[index] = match["title"], match["page"], value


def _entries(parsed: Sequence[_Parsed]) -> Iterator[Entry]:
    """Join wrapped entries: a line without a page number belongs to the next, if that begins no entry itself."""
    edges = _edges([item.line.x1 for item in parsed if item.page is not None])
    waiting: list[_Parsed] = []
    for item in parsed:
        right = next((edge for edge in edges if edge >= item.line.x1 - _COLUMN), edges[-1])
        if waiting and _begins(waiting, item, right):
            yield _entry(waiting, right)
            waiting = []
        waiting.append(item)
        if item.page is not None:
            yield _entry(waiting, right)
            waiting = []
    if waiting:
        yield _entry(waiting, edges[-1])


def _edges(ends: Sequence[float]) -> list[float]:
    """Return where the page numbers of each column end."""
    ordered = sorted(ends)
    return [end for end, following in pairwise([*ordered, inf]) if following - end > _COLUMN]


def _begins(waiting: Sequence[_Parsed], item: _Parsed, right: float) -> bool:
    """Say whether a line begins an entry, though the line before has no page number."""
    before = waiting[-1].line
    if len(waiting) >= _LONGEST or readings(spaced(item.title)):
        return True
    if before.x1 - before.x0 < _WRAPPED * (right - before.x0):
        return True
    if abs(before.style.size - item.line.style.size) > _SIZE_STEP or before.style.weight != item.line.style.weight:
        return True
    return before.block != item.line.block and before.y - item.line.y > _FAR * item.line.size


def _entry(items: Sequence[_Parsed], right: float) -> Entry:
    line = items[0].line
    style = next(iter(line.pieces[0].styles))  # of the first character: leaders may outnumber the title's
    return Entry(
        title=" ".join(item.title for item in items if item.title),
        page=items[-1].page,
        x0=line.x0 - right,
        look=(style.size, style.weight, style.italic),
    )
