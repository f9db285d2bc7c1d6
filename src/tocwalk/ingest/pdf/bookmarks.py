"""Headings from the file's bookmarks: they give title, level and page; the printed line is found by its text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tocwalk.ingest.pdf.match import Finder, Place
from tocwalk.ingest.pdf.model import Bookmark, Line, Mark

__all__ = ["bookmark_marks"]

_PAGE_NAME = re.compile(r"(?:page|seite|folie|slide|p\.|blank page)?\s*[\divxlc]+", re.IGNORECASE)
_MOSTLY = 0.8


def bookmark_marks(bookmarks: Sequence[Bookmark], lines: Sequence[Line], finder: Finder) -> list[Mark]:
    """Return a mark for each bookmark, in reading order.

    A title that is not printed on its page (a cover, a title that was left out) stands where its bookmark points.
    Bookmarks that only name pages say nothing about structure and are left out.
    """
    if sum(_PAGE_NAME.fullmatch(bookmark.title) is not None for bookmark in bookmarks) >= _MOSTLY * len(bookmarks):
        return []
    marks: list[Mark] = []
    taken: set[int] = set()
    behind = 0
    for bookmark in bookmarks:
        start, end = finder.page(bookmark.page) or _gap(lines, bookmark.page)
        place = None
        for first in dict.fromkeys((max(start, behind), start)):
            place = finder.find(bookmark.title, first, end, y=bookmark.y)
            if place is not None and not taken.intersection(range(place.first, place.last)):
                break
            place = None
        if place is None:
            index = max(_first_below(lines, start, end, bookmark.y), min(behind, end))
            place = Place(first=index, last=index)
        taken.update(range(place.first, place.last))
        behind = place.last
        marks.append(_mark(bookmark, place))
    return _in_order(marks)


def _gap(lines: Sequence[Line], page: int) -> tuple[int, int]:
    """Return the empty range where the lines of a page without text would be."""
    index = next((index for index, line in enumerate(lines) if line.page > page), len(lines))
    return index, index


def _first_below(lines: Sequence[Line], start: int, end: int, y: float | None) -> int:
    if y is None:
        return start
    return next((index for index in range(start, end) if lines[index].y <= y), start)


def _mark(bookmark: Bookmark, place: Place) -> Mark:
    return Mark(
        first=place.first,
        last=place.last,
        text=bookmark.title,
        level=bookmark.level,
        found_by="bookmark",
        prefix=place.prefix,
    )


def _in_order(marks: Sequence[Mark]) -> list[Mark]:
    """Return marks in reading order; one that is not printed goes before or behind the heading it would cut."""
    ordered: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.first, mark.last)):
        if ordered and mark.first < ordered[-1].last:
            mark.first = mark.last = ordered[-1].last
        ordered.append(mark)
    return ordered
