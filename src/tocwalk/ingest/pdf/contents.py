"""Printed tables of contents: their lines are no headings, but say which there are, on which page and how deep."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tocwalk.ingest.numbering import readings, roman_value, split_label
from tocwalk.ingest.pdf.match import Finder, Place, spaced, title_forms
from tocwalk.ingest.pdf.model import Line, Mark

__all__ = ["Entry", "contents_marks", "find_contents"]

_LEADER = re.compile(r"(?:\s*[.·•…‥_․]){3,}\s*|(?:\s[.·]){2,}\s*")
_PAGE = re.compile(r"(?:[A-Z]{1,2}[-–.]|\d{1,2}[-–])?(?:\d{1,4}|[ivxlc]+|[IVXLC]+)")
_ENTRY = re.compile(rf"(?P<title>.*?\S)(?P<gap>{_LEADER.pattern}|\s+)(?P<page>{_PAGE.pattern})")
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
_CAPTION = re.compile(
    r"(?:figure|fig\.|table|chart|exhibit|listing|abbildung|tabelle|图|表)\s*[A-Z]?[-–.]?\d", re.IGNORECASE
)
_MIN_ENTRIES = 4
_SHARE = 0.4
"""Share of a page's lines that are entries, where the page has the title of a table of contents but no leaders."""
_RISING = 0.8
_INDENT = 4.0
"""Points by which entries of different levels are indented differently."""
_WRAPPED = 0.5
"""Share of the way to the page numbers that a line must go if the next is to be its continuation."""
_SIZE_STEP, _FAR = 0.6, 1.6
"""Points, and times the font size, by which lines of one entry do not differ and are not apart."""
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
class _Parsed:
    """A line as an entry: `page` is None where it has no page number."""

    line: Line
    title: str
    page: str | None
    leader: bool


def find_contents(lines: Sequence[Line]) -> list[list[Entry]]:
    """Find the tables of contents, mark their lines (`kind` becomes `contents`) and return the entries of each.

    Lists of figures or tables are marked, but are no outline.
    """
    tables: list[list[Entry]] = []
    after_contents = False
    for start, end in _pages(lines):
        parsed = [_parse(line) for line in lines[start:end]]
        region = _region(parsed, after_contents=after_contents)
        goes_on, after_contents = after_contents, region is not None and region[1] >= len(parsed) - 1
        if region is None:
            continue
        entries = list(_entries(parsed[region[0] : region[1]]))
        for item in parsed[region[0] : region[1]]:
            item.line.kind = "contents"
        if any(
            _LIST_TITLE.fullmatch(item.title.strip(" :.")) for item in parsed[max(region[0] - _ABOVE, 0) : region[0]]
        ):
            continue
        if goes_on and tables:
            tables[-1].extend(entries)
        else:
            tables.append(entries)
    return tables


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
    elif not after_contents:
        titled = None
    leaders = sum(parsed[index].leader for index in numbered)
    known = titled is not None or after_contents
    enough = _MIN_ENTRIES if not (known and leaders) else 1
    if len(numbered) < enough or not _rising([parsed[index].page or "" for index in numbered]):
        return None
    dense = len(numbered) >= _SHARE * (last + 1 - first)
    if (leaders >= enough and dense) or (known and dense and len(numbered) >= _SHARE * (len(parsed) - first)):
        return first, last + 1
    return None


def _rising(pages: Sequence[str]) -> bool:
    values = [_value(page) for page in pages]
    rising = sum(
        before[0] != after[0] or before[1] <= after[1] for before, after in zip(values, values[1:], strict=False)
    )
    return rising >= _RISING * (len(values) - 1)


def _value(page: str) -> tuple[str, int]:
    """Return what kind of number a page has, and its value."""
    prefix, _, number = page.replace("–", "-").rpartition("-")
    if number.isdecimal():
        return prefix, int(number)
    return ("roman", roman_value(number)) if roman_value(number) else (page, 0)


def _entries(parsed: Sequence[_Parsed]) -> Iterator[Entry]:
    """Join wrapped entries: a line without a page number belongs to the next, if that does not begin an entry itself."""
    right = max(item.line.x1 for item in parsed if item.page is not None)
    waiting: list[_Parsed] = []
    for item in parsed:
        if waiting and _begins(waiting, item, right):
            yield _entry(waiting, right)
            waiting = []
        waiting.append(item)
        if item.page is not None:
            yield _entry(waiting, right)
            waiting = []
    if waiting:
        yield _entry(waiting, right)


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


def contents_marks(
    tables: Sequence[Sequence[Entry]], lines: Sequence[Line], finder: Finder, labels: Mapping[int, str]
) -> list[Mark]:
    """Return a mark for each entry, of the table that leads to most titles, whose title is printed where it says.

    Printed page numbers become physical ones through the labels of the pages, or, where those do not lead to the titles,
    by the distance between printed and physical numbers that most titles agree on; they may be one off. Entries without a page number are
    looked for between their neighbours. What is not found, an entry past the end of the file too, is left out, unless it
    holds others that are found: then it stands where they begin.
    """
    found = [_table_marks(entries, lines, finder, labels) for entries in tables]
    return max(found, key=len, default=[])


def _table_marks(
    table: Sequence[Entry], lines: Sequence[Line], finder: Finder, labels: Mapping[int, str]
) -> list[Mark]:
    entries = [entry for entry in table if not _CAPTION.match(entry.title)]
    physical = _physical_pages(entries, lines, labels)
    levels = _levels(entries)
    marks: list[Mark] = []
    missing: list[tuple[Entry, int]] = []
    behind = 0
    for index, (entry, level) in enumerate(zip(entries, levels, strict=True)):
        place = _locate(entry, physical[index], _next_page(physical, index), finder, behind, len(lines))
        if place is None or _CAPTION.match(lines[place.first].text):
            missing = [(other, wide) for other, wide in missing if wide < level] + [(entry, level)]
            continue
        for other, wide in missing:
            if wide < level:
                marks.append(_mark(other, Place(first=place.first, last=place.first), wide))
        missing = []
        marks.append(_mark(entry, place, level))
        behind = place.last
    return marks


def _mark(entry: Entry, place: Place, level: int) -> Mark:
    return Mark(first=place.first, last=place.last, text=entry.title, level=level, found_by="contents")


def _locate(
    entry: Entry, page: int | None, next_page: int | None, finder: Finder, behind: int, count: int
) -> Place | None:
    if page is None:
        last = finder.page(next_page) if next_page is not None else None
        place = finder.find(entry.title, behind, last[1] if last else count) if next_page is not None else None
        return place if place is not None and place.prefix is None else None
    for near in (page, page + 1, page - 1):
        extent = finder.page(near)
        place = finder.find(entry.title, max(extent[0], behind), extent[1]) if extent else None
        if place is not None and place.prefix is None:
            return place
    return None


def _next_page(physical: Sequence[int | None], index: int) -> int | None:
    return next((page for page in physical[index + 1 :] if page is not None), None)


def _physical_pages(entries: Sequence[Entry], lines: Sequence[Line], labels: Mapping[int, str]) -> list[int | None]:
    """Return the physical page of each entry, None where it has no page number or where nothing tells."""
    where = _whole_lines(lines)
    by_label = {label: page for page, label in sorted(labels.items(), reverse=True)}
    titles = [next((where[form] for form in title_forms(entry.title) if form in where), []) for entry in entries]
    offsets = _offsets(entries, titles)
    labelled = [by_label.get(entry.page) if entry.page else None for entry in entries]
    counted = [_counted(entry.page, offsets) for entry in entries]
    return labelled if _hits(labelled, titles) >= _hits(counted, titles) else counted


def _whole_lines(lines: Sequence[Line]) -> dict[str, list[int]]:
    """Return the pages on which a text is the whole of a line."""
    where: dict[str, list[int]] = defaultdict(list)
    for line in lines:
        if line.kind in {"text", "table"}:
            for form in title_forms(line.text):
                where[form].append(line.page)
    return where


def _offsets(entries: Sequence[Entry], titles: Sequence[list[int]]) -> dict[str, int]:
    """Find by voting, for each kind of page number, how far the physical page is from the printed one."""
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for entry, pages in zip(entries, titles, strict=True):
        if entry.page is not None:
            kind, value = _value(entry.page)
            votes[kind].update({page - value for page in pages})
    return {
        kind: min(counter, key=lambda offset: (-counter[offset], abs(offset)))
        for kind, counter in votes.items()
        if counter
    }


def _counted(page: str | None, offsets: Mapping[str, int]) -> int | None:
    if page is None:
        return None
    kind, value = _value(page)
    return value + offsets[kind] if kind in offsets else None


def _hits(pages: Sequence[int | None], titles: Sequence[list[int]]) -> int:
    return sum(page in title_pages for page, title_pages in zip(pages, titles, strict=True))


def _levels(entries: Sequence[Entry]) -> list[int]:
    """Return the level of each entry: by indentation; among those that stand alike, by size or the depth of the number.

    Where all stand alike and are of one size and depth, bold ones are wider than others.
    """
    edges = _clusters(entry.x0 for entry in entries)
    indents = [bisect_left(edges, entry.x0 + _INDENT / 2) for entry in entries]
    depths = _depths(entries, indents)
    keys = [
        (indent, -round(entry.look[0]), depth) for indent, entry, depth in zip(indents, entries, depths, strict=True)
    ]
    if len(set(keys)) == 1:
        keys = [(0, -entry.look[1], int(entry.look[2])) for entry in entries]
    order = sorted(set(keys))
    return [order.index(key) + 1 for key in keys]


def _depths(entries: Sequence[Entry], indents: Sequence[int]) -> list[int]:
    """Return how deep each decimal number is; what has none counts as the widest that stands as it does."""
    labels = [split_label(spaced(entry.title)) for entry in entries]
    depths = [len(label.value) if label.keyword is None and label.value else 0 for label in labels]
    widest: dict[int, int] = {}
    for indent, depth in zip(indents, depths, strict=True):
        if depth:
            widest[indent] = min(depth, widest.get(indent, depth))
    return [depth or widest.get(indent, 0) for indent, depth in zip(indents, depths, strict=True)]


def _clusters(values: Iterator[float]) -> list[float]:
    """Return the values at which groups of near values begin."""
    edges: list[float] = []
    before = None
    for value in sorted(values):
        if before is None or value - before > _INDENT:
            edges.append(value)
        before = value
    return edges
