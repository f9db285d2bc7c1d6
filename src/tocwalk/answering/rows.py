"""Which lines of a text are rows of tables, for whatever format the text was read from.

Tables of Markdown, HTML, EPUB and Word have bars between their cells, those of PDFs, plain text and reStructuredText
stand in columns of blanks. Neither makes a row by itself: prose has bars and wide blanks too. A row has a neighbour of
its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["table_rows"]

_BARS = re.compile(r"(?<!\\)\|")
_TABS = re.compile(r"\t+")
# Two blanks behind the end of a sentence are typewriting, not a column.
_COLUMNS = re.compile(r"(?<=\S) {3,}(?=\S)|(?<=[^\s.!?:;]) {2}(?=\S)")
_MAY_DIVIDE = re.compile(r"[|\t]|\+[-=]|\S  ")
_BORDER = re.compile(r"\+[-=+ ]*")
_LABEL = re.compile(r"[-+*o\u2022\u2013]|\(?\w{1,4}[.)]")
"""What begins an item of a list: no cell."""
_WORD = re.compile(r"\w")
_SHIFTS = (0, -1, 1)
"""Characters by which cells of one column may be shifted: letters of a printed page differ in width."""
_LONGEST = 2000
"""Characters of a row at most: what is longer is no row that anybody reads as one."""


class _Line(NamedTuple):
    """A line with something that may stand between cells."""

    start: int
    text: str
    dividers: tuple[re.Pattern[str], ...]
    edges: frozenset[int]
    """Where columns of blanks begin behind the first, and where they end, with a minus."""

    def is_row_beside(self, other: _Line | None) -> bool:
        """Whether this is a row of a table, with the other as the next or the last."""
        if other is None:
            return False
        shared = [one for one in self.dividers if one in other.dividers]
        if any(edge + shift in other.edges for edge in self.edges for shift in _SHIFTS):
            shared.append(_COLUMNS)
        return any(self._cells(divider) > 1 for divider in shared)

    def _cells(self, divider: re.Pattern[str]) -> int:
        """Return how many of the cells hold words, the label of an item not counted."""
        cells = [cell.strip() for cell in divider.split(self.text.strip())]
        if _LABEL.fullmatch(cells[0]):
            del cells[0]
        return sum(_WORD.search(cell) is not None for cell in cells)


def table_rows(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the lines that are rows of tables: two cells or more that hold words, and a row beside it."""
    lines = [None, *_lines(text), None]
    for before, line, behind in zip(lines, lines[1:], lines[2:], strict=False):
        if line is not None and (line.is_row_beside(behind) or line.is_row_beside(before)):
            yield line.start, line.start + len(line.text)


def _lines(text: str) -> Iterator[_Line | None]:
    """Yield the lines of a text; None for one that has no more than one cell."""
    start = 0
    for line in text.splitlines(keepends=True):
        short = len(line) <= _LONGEST
        yield _divided(start, line.rstrip()) if short and _MAY_DIVIDE.search(line) else None
        start += len(line)


def _divided(start: int, line: str) -> _Line | None:
    bars = _BARS.search(line) or _BORDER.fullmatch(line.lstrip())
    dividers = ((_BARS,) if bars else ()) + ((_TABS,) if _TABS.search(line.lstrip()) else ())
    gaps = list(_COLUMNS.finditer(line))
    if not gaps:
        return _Line(start, line, dividers, frozenset()) if dividers else None
    ends = [gap.start() for gap in gaps[1:]] + [len(line)]
    return _Line(start, line, dividers, frozenset({*(gap.end() for gap in gaps), *(-end for end in ends)}))
