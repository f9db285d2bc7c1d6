"""A plain text as lines and paragraphs: all the layout there is to see."""

from __future__ import annotations

import statistics
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

__all__ = ["Layout", "Line"]

_LONG_LINE = 160
_LONG_SHARE = 0.05
_MANY_LINES = 30
_BLANK_SHARE = 0.03
_INDENTED = 2
_OUTDENTED_SHARE = 0.4
_BODY_SHARE = 0.1
_WIDEST = 120


class Line(NamedTuple):
    """One line of the text."""

    start: int
    """Offset of its first character, blanks included."""
    end: int
    """Offset behind its line break."""
    indent: int
    """Columns before the first character; a tab goes to the next multiple of eight."""
    text: str
    """Without blanks at its ends; empty for a blank line."""


@dataclass(frozen=True)
class Layout:
    """The text, its lines, and how it is set."""

    text: str
    lines: tuple[Line, ...]

    @classmethod
    def of(cls, text: str) -> Layout:
        """Split a text whose line breaks are line feeds."""
        lines: list[Line] = []
        start = 0
        for raw in text.split("\n"):
            end = start + len(raw) + 1
            stripped = raw.strip()
            body = raw.expandtabs(8) if "\t" in raw else raw
            indent = len(body) - len(body.lstrip()) if stripped else 0
            lines.append(Line(start, min(end, len(text)), indent, stripped))
            start = end
        return cls(text, tuple(lines))

    @cached_property
    def body_indent(self) -> int:
        """The leftmost column at which much of the text begins, if little begins further left; 0 if it is not indented.

        A paragraph begins where its second line does: its first may be indented, or be a heading right above it.
        """
        indents: Counter[int] = Counter()
        for first, behind in self.paragraphs():
            indents[min(line.indent for line in self.lines[min(first + 1, behind - 1) : behind])] += behind - first
        total = sum(indents.values())
        further_left = 0
        for column in sorted(indents):
            if further_left > _OUTDENTED_SHARE * total:
                return 0
            if indents[column] >= _BODY_SHARE * total and column >= _INDENTED:
                return column
            further_left += indents[column]
        return 0

    @cached_property
    def left_edge(self) -> int:
        """The leftmost column at which a line begins."""
        return min((line.indent for line in self.lines if line.text), default=0)

    @cached_property
    def width(self) -> int:
        """Columns that the text fills: the length that one line in ten reaches."""
        lengths = sorted(line.indent + len(line.text) for line in self.lines if line.text)
        if not lengths:
            return 0
        return min(int(statistics.quantiles(lengths, n=10)[-1]) if len(lengths) > 1 else lengths[0], _WIDEST)

    def is_full(self, number: int) -> bool:
        """Tell whether the next line's first word had no room left on a line: then the text goes on there."""
        line, following = self.lines[number], self.lines[number + 1]
        return line.indent + len(line.text) + 1 + len(following.text.split(" ", 1)[0]) > self.width

    @cached_property
    def _has_long_lines(self) -> bool:
        """Whether line breaks end paragraphs, with or without a blank line behind them."""
        lengths = [len(line.text) for line in self.lines if line.text]
        return sum(length > _LONG_LINE for length in lengths) >= _LONG_SHARE * max(len(lengths), 1)

    @cached_property
    def _has_no_blank_lines(self) -> bool:
        """Whether only short lines show where paragraphs end."""
        filled = sum(bool(line.text) for line in self.lines)
        return filled > _MANY_LINES and len(self.lines) - filled < _BLANK_SHARE * filled

    def _ends(self, number: int) -> bool:
        """Tell whether a paragraph ends with a line."""
        if number + 1 == len(self.lines) or not self.lines[number + 1].text or self._has_long_lines:
            return True
        return self._has_no_blank_lines and not self.is_full(number)

    def paragraphs(self) -> Iterator[tuple[int, int]]:
        """Yield the first line of each paragraph and the one behind its last."""
        first: int | None = None
        for number, line in enumerate(self.lines):
            if not line.text:
                continue
            first = number if first is None else first
            if self._ends(number):
                yield first, number + 1
                first = None

    def joined(self, first: int, behind: int) -> str:
        """Return lines as one, with single blanks."""
        return " ".join(" ".join(line.text for line in self.lines[first:behind]).split())

    def paragraph_end(self, number: int) -> int:
        """Return the line behind the paragraph that line `number` belongs to."""
        while not self._ends(number):
            number += 1
        return number + 1

    def next_text(self, number: int) -> int | None:
        """Return the number of the first line that is not blank from `number` on."""
        for following in range(number, len(self.lines)):
            if self.lines[following].text:
                return following
        return None

    def line_before(self, offset: int) -> str:
        """Return the last line before an offset that is not blank, or ""."""
        number = bisect_left(self.lines, offset, key=lambda line: line.start) - 1
        while number >= 0 and not self.lines[number].text:
            number -= 1
        return self.lines[number].text if number >= 0 else ""

    def is_blank(self, start: int, end: int) -> bool:
        """Tell whether nothing but blanks stands between two offsets."""
        return self.text[start:end].isspace() or start >= end
