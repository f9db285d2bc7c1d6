"""Finds where a title known from elsewhere (a bookmark, a printed table of contents) stands in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from tocwalk.ingest.pdf.labels import label_of, spaced
from tocwalk.ingest.pdf.model import Line

__all__ = ["Finder", "Place", "squeezed", "title_forms"]

_MAX_LINES = 5
"""Lines over which a title may be printed."""
_NOT_LETTERS = re.compile(r"[\W_]+")
_SHORTEST_RUN_IN = 4
"""Letters a title must have to be looked for at the beginning of a line of text."""
_NUMBER = re.compile(r"(?:\d{1,3}|[A-Z]|[IVXLC]+)[.)]?\s+")
_OPENERS = "([{“\"'‘«"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The lines on which a title is printed."""

    first: int
    last: int
    """Behind the last line."""
    prefix: int | None = None
    """Characters of the only line that are the title, where the text goes on behind it."""


def squeezed(text: str) -> str:
    """Return a text's letters and digits alone: kerning, spacing, quotes and dashes differ from place to place."""
    return _NOT_LETTERS.sub("", normalize("NFKC", text).casefold())


def title_forms(title: str) -> list[str]:
    """Return the squeezed forms a title may be printed in: with its number, and without."""
    text = spaced(title)
    forms = (text, label_of(text).title, _NUMBER.sub("", text, count=1))
    return [form for form in dict.fromkeys(map(squeezed, forms)) if form]


class Finder:
    """Finds titles among the lines of a document."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._whole = [squeezed(line.title) for line in lines]
        self._bare: dict[int, list[str]] = {}
        self._pages: dict[int, tuple[int, int]] = {}
        for index, line in enumerate(lines):
            start, _ = self._pages.get(line.page, (index, index))
            self._pages[line.page] = (start, index + 1)

    def page(self, number: int) -> tuple[int, int] | None:
        """Return the range of a page's lines; None for a page without text."""
        return self._pages.get(number)

    def find(self, title: str, start: int, end: int, *, y: float | None = None) -> Place | None:
        """Find a title among the lines `[start, end)`.

        It may be printed over several lines, without the number it has elsewhere, with a number that it lacks elsewhere
        (alone on the line above it, too), or at the beginning of a line. Whole lines are preferred, then what is set
        larger, then what is nearest to `y`.
        """
        best: tuple[tuple[bool, float, float], Place] | None = None
        for place in self._places(title, start, end):
            line = self._lines[place.first]
            distance = abs(line.y + line.size - y) if y is not None else 0.0
            rank = (place.prefix is not None, -line.style.size, distance)
            if best is None or rank < best[0]:
                best = rank, place
        return self._with_number_above(best[1], start) if best else None

    def _places(self, title: str, start: int, end: int) -> Iterator[Place]:
        forms = title_forms(title)
        for first in range(start, end):
            if self._lines[first].kind in {"contents", "margin", "side"} or not self._whole[first]:
                continue
            for wanted in forms:
                if place := self._place(wanted, first, end):
                    yield place
                    break

    def _place(self, wanted: str, first: int, end: int) -> Place | None:
        printed = self._whole[first]
        if not wanted.startswith(printed):
            bare = next((form for form in self._without_number(first) if wanted.startswith(form)), None)
            if bare is not None:
                printed = bare
            elif len(wanted) >= _SHORTEST_RUN_IN and printed.startswith(wanted):
                return Place(first=first, last=first + 1, prefix=_prefix(self._lines[first].text, wanted))
            else:
                return None
        last = first + 1
        while printed != wanted:
            if last == min(first + _MAX_LINES, end) or self._lines[last].kind != "text":
                return None
            printed += self._whole[last]
            if not wanted.startswith(printed):
                return None
            last += 1
        return Place(first=first, last=last)

    def _without_number(self, index: int) -> list[str]:
        """Return the forms of a line without the number that it begins with."""
        if index not in self._bare:
            self._bare[index] = title_forms(self._lines[index].title)[1:]
        return self._bare[index]

    def _with_number_above(self, place: Place, start: int) -> Place:
        """Take in a line above that holds nothing but the title's number: "Article 5", "CHAPTER ONE".

        Above a title that is printed with a number, such a line is the end of a reference: "(see / Section 6.3)."
        """
        above = place.first - 1
        if place.prefix is not None or above < start:
            return place
        line, title = self._lines[above], self._lines[place.first]
        label = label_of(line.text)
        alone = label.number and not label.title and not label_of(title.text).number
        if line.kind == "text" and line.page == title.page and alone:
            return Place(first=above, last=place.last)
        return place


def _prefix(text: str, wanted: str) -> int:
    """Return how many characters of a line spell the wanted letters, with the punctuation right behind them."""
    end = next(length for length in range(1, len(text) + 1) if squeezed(text[:length]) == wanted)
    while end < len(text) and not text[end].isalnum() and text[end] not in _OPENERS:
        end += 1
    return end
