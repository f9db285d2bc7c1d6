"""From a printed table of contents to headings: where its entries lead, and on which levels they are."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tocwalk.ingest.numbering import KEYWORDS
from tocwalk.ingest.pdf.contents import Contents, Entry, page_value
from tocwalk.ingest.pdf.labels import is_caption, label_of, labels_of
from tocwalk.ingest.pdf.match import Finder, Place, title_forms
from tocwalk.ingest.pdf.model import Line, Mark

__all__ = ["contents_marks"]

_WORDS = [row[0] for row in KEYWORDS]
_INDENT = 4.0
"""Points by which entries of different levels are indented differently."""


def contents_marks(
    tables: Sequence[Contents], lines: Sequence[Line], finder: Finder, labels: Mapping[int, str]
) -> list[Mark]:
    """Return a mark for each entry, of the table that leads to most titles, whose title is printed where it says.

    Printed page numbers become physical ones through the labels of the pages, or, where those do not lead to the
    titles, by the distance between printed and physical numbers that most titles agree on; they may be one off.
    Entries without a page number are looked for between their neighbours. What is not found, an entry past the end of
    the file too, is left out, unless it holds others that are found: then it is looked for before them, and stands
    where they begin if it is not printed there.

    A table without a title that stands behind most of what it lists is an index, and leads to nothing.
    """
    best: list[Mark] = []
    for table in tables:
        marks = _table_marks(table.entries, lines, finder, labels)
        ahead = sum(mark.first > table.first for mark in marks)
        if len(marks) > len(best) and (table.titled or ahead > len(marks) / 2):
            best = marks
    return best


def _table_marks(
    table: Sequence[Entry], lines: Sequence[Line], finder: Finder, labels: Mapping[int, str]
) -> list[Mark]:
    entries = [entry for entry in table if not is_caption(entry.title)]
    physical = _physical_pages(entries, lines, labels)
    levels = _levels(entries)
    marks: list[Mark] = []
    missing: list[tuple[Entry, int]] = []
    behind = 0
    for index, (entry, level) in enumerate(zip(entries, levels, strict=True)):
        place = _locate(entry, physical[index:], finder, behind=behind, count=len(lines))
        if place is None or is_caption(lines[place.first].text):
            missing = [(other, wide) for other, wide in missing if wide < level] + [(entry, level)]
            continue
        for other, wide in missing:
            if wide < level:
                above = _before(other, finder, behind, place.first)
                marks.append(_mark(other, above, wide))
                behind = above.last
        missing = []
        marks.append(_mark(entry, place, level))
        behind = place.last
    return marks


def _before(entry: Entry, finder: Finder, behind: int, first: int) -> Place:
    """Return where a heading stands that is not on its page: somewhere before what it holds, else right there."""
    place = finder.find(entry.title, behind, first)
    return place if place is not None and place.prefix is None else Place(first=first, last=first)


def _mark(entry: Entry, place: Place, level: int) -> Mark:
    return Mark(first=place.first, last=place.last, text=entry.title, level=level, found_by="contents")


def _locate(entry: Entry, physical: Sequence[int | None], finder: Finder, *, behind: int, count: int) -> Place | None:
    """Find an entry's heading on its page, `physical[0]`; without one before the page of the next that has one."""
    page = physical[0]
    if page is None:
        next_page = _next_page(physical, 0)
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
    nowhere: list[int] = []
    titles = [next((where[form] for form in title_forms(entry.title) if form in where), nowhere) for entry in entries]
    offsets = _offsets(entries, titles)
    labelled = [by_label.get(entry.page) if entry.page else None for entry in entries]
    counted = [_counted(entry.page, offsets) for entry in entries]
    return labelled if _hits(labelled, titles) >= _hits(counted, titles) else counted


def _whole_lines(lines: Sequence[Line]) -> dict[str, list[int]]:
    """Return the pages on which a text is the whole of a line."""
    where: dict[str, list[int]] = defaultdict(list)
    for line in lines:
        if line.kind in {"text", "table"}:
            for form in title_forms(line.title):
                where[form].append(line.page)
    return where


def _offsets(entries: Sequence[Entry], titles: Sequence[list[int]]) -> dict[str, int]:
    """Find by voting, for each kind of page number, how far the physical page is from the printed one."""
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for entry, pages in zip(entries, titles, strict=True):
        if entry.page is not None:
            kind, value = page_value(entry.page)
            votes[kind].update({page - value for page in pages})
    return {
        kind: min(counter, key=lambda offset: (-counter[offset], abs(offset)))
        for kind, counter in votes.items()
        if counter
    }


def _counted(page: str | None, offsets: Mapping[str, int]) -> int | None:
    if page is None:
        return None
    kind, value = page_value(page)
    return value + offsets[kind] if kind in offsets else None


def _hits(pages: Sequence[int | None], titles: Sequence[list[int]]) -> int:
    return sum(page in title_pages for page, title_pages in zip(pages, titles, strict=True))


def _levels(entries: Sequence[Entry]) -> list[int]:
    """Return the level of each entry.

    Where different words number them ("PART", "Item"), it goes by those. Else by indentation; among those that stand
    alike, by size or the depth of the number; where all are alike in these, bold ones are wider than others.
    """
    words = [label_of(entry.title).keyword for entry in entries]
    order = sorted({word for word in words if word in _WORDS}, key=lambda word: _WORDS.index(word or ""))
    if len(order) > 1:
        return _word_levels(entries, words, order)
    edges = _clusters(entry.x0 for entry in entries)
    indents = [bisect_left(edges, entry.x0 + _INDENT / 2) for entry in entries]
    depths = _depths(entries, indents)
    keys = [
        (indent, -round(entry.look[0]), depth) for indent, entry, depth in zip(indents, entries, depths, strict=True)
    ]
    if len(set(keys)) == 1:
        keys = [(0, -entry.look[1], int(entry.look[2])) for entry in entries]
    distinct = sorted(set(keys))
    return [distinct.index(key) + 1 for key in keys]


def _word_levels(entries: Sequence[Entry], words: Sequence[str | None], order: Sequence[str | None]) -> list[int]:
    """Return levels by the words that number entries; what has none is on the level of those that stand as it does."""
    standing: dict[int, int] = {}
    for entry, word in zip(entries, words, strict=True):
        if word in order:
            standing[round(entry.x0 / _INDENT)] = order.index(word) + 1
    deepest = max(standing)
    levels: list[int] = []
    for entry, word in zip(entries, words, strict=True):
        x = round(entry.x0 / _INDENT)
        beside = next((standing[near] for near in (x, x - 1, x + 1) if near in standing), len(order) + (x > deepest))
        levels.append(order.index(word) + 1 if word in order else 1 if word == "annex" else beside)
    return levels


def _depths(entries: Sequence[Entry], indents: Sequence[int]) -> list[int]:
    """Return how deep each decimal number is; what has none counts as the widest that stands as it does."""
    labels = labels_of(entry.title for entry in entries)
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
