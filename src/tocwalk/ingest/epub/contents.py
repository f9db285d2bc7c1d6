"""The headings of a book and the lines of its table of contents: two views of one outline, made one."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tocwalk.ingest.extracted import Heading
from tocwalk.ingest.numbering import split_number

__all__ = ["Target", "with_contents"]

_LINES = 4
"""Lines of a page among which the title of a table of contents' line is looked for."""
_LONGEST = 1000
"""Characters of those lines."""
_LINE = re.compile(r"[^\n]*\S[^\n]*\n?")
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A line of the table of contents, with the place in the text that it leads to."""

    offset: int
    depth: int
    """1 for the top."""
    label: str


def with_contents(text: str, headings: Sequence[Heading], targets: Sequence[Target]) -> tuple[Heading, ...]:
    """Return the headings with the levels that the table of contents gives them, and those that only it shows.

    A line of the table stands for the heading at its place, or for the next one of its title. Where there is none, the
    line of text with its title is a heading; where that is not printed either (the title is a picture), the place is. A
    heading that the table leaves out is as much deeper than the one before it as its markup says. Two headings that the
    table has on one line ("Chapter 1" and "The Beginning") are one.

    Args:
        text: The whole book.
        headings: Those that the pages mark, in reading order; numbers still in their titles.
        targets: The table of contents, in the order of their offsets.
    """
    if not targets:
        return tuple(headings)
    headings = _joined(text, headings, {_fold(target.label) for target in targets})
    match = _Match(text, headings)
    offsets = [target.offset for target in targets]
    for target in targets:
        following = bisect_right(offsets, target.offset)
        match.add(target, offsets[following] if following < len(offsets) else len(text))
    return tuple(_levelled(headings, match))


def _joined(text: str, headings: Sequence[Heading], labels: set[str]) -> list[Heading]:
    """Make one of two headings that follow each other without text between, if a label has the words of both."""
    joined: list[Heading] = []
    for heading in headings:
        before = joined[-1] if joined else None
        if (
            before is not None
            and not text[before.end : heading.start].strip()
            and _fold(before.title + heading.title) in labels - {_fold(before.title), _fold(heading.title)}
        ):
            joined[-1] = replace(before, end=heading.end, title=f"{before.title} {heading.title}")
        else:
            joined.append(heading)
    return joined


class _Match:
    """Finds for each line of a table of contents the heading it stands for."""

    def __init__(self, text: str, headings: Sequence[Heading]) -> None:
        self._text = text
        self._headings = headings
        self._starts = [heading.start for heading in headings]
        self._behind = -1
        """The place of the line before."""
        self._free = 0
        """Where the last heading that was added ends."""
        self.depths: dict[int, int] = {}
        """Index of a heading -> the depth of its line."""
        self.added: list[Heading] = []
        """Headings that no markup shows; their levels are depths."""

    def add(self, target: Target, until: int) -> None:
        """Find the heading of one line; the next line leads to `until`."""
        repeated = target.offset == self._behind
        self._behind = target.offset
        found = None if repeated else self._heading_at(target.offset)
        if found is None:
            found = self._heading_named(target, until)
        if found is not None:
            self.depths[found] = target.depth
            return
        start = max(target.offset, self._free, self._end_of_heading(target.offset))
        heading = self._printed(target, start, until)
        if heading is None and not repeated and start == target.offset:
            heading = _added(target, start, start)
        if heading is not None:
            self.added.append(heading)
            self._free = heading.end

    def _heading_at(self, offset: int) -> int | None:
        """Return the heading around the place, or the next one if nothing but blanks lies between."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0 or offset >= self._headings[index].end:
            index += 1
            if index == len(self._starts) or self._text[offset : self._starts[index]].strip():
                return None
        return None if index in self.depths else index

    def _heading_named(self, target: Target, until: int) -> int | None:
        """Return the first heading of this title between here and the next line's place."""
        wanted = _names(target.label)
        for index in range(bisect_left(self._starts, target.offset), bisect_left(self._starts, until)):
            if index not in self.depths and _names(self._headings[index].title) & wanted:
                return index
        return None

    def _end_of_heading(self, offset: int) -> int:
        index = bisect_right(self._starts, offset) - 1
        return self._headings[index].end if index >= 0 else 0

    def _printed(self, target: Target, start: int, until: int) -> Heading | None:
        """Return the heading that is the line, or the lines, with the title."""
        index = bisect_left(self._starts, start)
        until = min(until, self._starts[index]) if index < len(self._starts) else until
        lines = list(islice(_LINE.finditer(self._text, start, max(start, until)), _LINES))
        spans = [
            (first.start(), last.end(), _names(self._text[first.start() : last.end()]))
            for width in range(_LINES)
            for first, last in zip(lines, lines[width:], strict=False)
            if last.end() - first.start() <= _LONGEST
        ]
        for wanted in ({_fold(target.label)}, _names(target.label)):
            for first, last, names in spans:
                if names & wanted:
                    return _added(target, first, last)
        return None


def _levelled(headings: Sequence[Heading], match: _Match) -> list[Heading]:
    """Give every heading its line's depth, or the depth of the last one that has a line plus the distance to it."""
    known = [index for index in range(len(headings)) if index in match.depths]
    levelled = list(match.added)
    for index, heading in enumerate(headings):
        place = bisect_right(known, index)
        nearest = known[max(place - 1, 0)] if known else None
        if nearest is None:
            levelled.append(heading)
            continue
        level = match.depths[nearest] + heading.level - headings[nearest].level
        levelled.append(replace(heading, level=max(level, 1)))
    return sorted(levelled, key=lambda heading: (heading.start, heading.end))


def _added(target: Target, start: int, end: int) -> Heading:
    return Heading(start=start, end=end, level=target.depth, title=target.label, found_by="contents")


def _names(title: str) -> set[str]:
    """Return the letters and digits of a title, with and without its number."""
    _, unnumbered = split_number(title)
    return {_fold(title), _fold(unnumbered)} - {""}


def _fold(text: str) -> str:
    return _NO_LETTER.sub("", unicodedata.normalize("NFKD", text).casefold())
