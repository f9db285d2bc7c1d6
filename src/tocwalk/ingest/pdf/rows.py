"""From pieces in drawing order to groups: paragraphs, and rows of cells that stand side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from tocwalk.ingest.pdf.model import Piece, Style

__all__ = ["Cell", "Group", "Row", "group_pieces", "is_label"]

_SAME_BASELINE = 0.35
"""Times the font size: how far the baselines of one row may differ."""
_LINE_GAP = 1.9
"""Times the font size: from one baseline to the next of one paragraph."""
_LONG, _SEVERAL, _SPREAD, _WIDEST_GAP = 40, 5, 1.15, 3.2
"""Characters and number of lines that show a page's spacing; how much it may vary; what is no spacing any more."""
_REGULAR = 1.3
"""A paragraph ends where its distance between lines grows by more than this factor."""
_SIZE_STEP = 0.6
"""Points by which font sizes must differ to end a paragraph."""
_RISE = 1.5
"""Times the font size: how far a cell of a row may begin above the cells before it, as a table's heads do."""
_LABEL = re.compile(
    r"""[•‣◦▪●○■□–—\-*·▶►➢✓\uf0b7\uf0a7o]
      | \(?(?:\d{1,3}|[a-z]{1,2}|[ivxlc]+|[IVXLC]+|[A-Z])[.)\]]*
      | (?:\d{1,3}|[A-Z])(?:[.-]\d{1,3})+\.?
      | \[[\w.+-]{1,12}\]""",
    re.VERBOSE,
)


class Row:
    """Pieces on one baseline, drawn one after the other from left to right."""

    __slots__ = ("pieces", "size", "style", "x0", "x1", "y")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = list(pieces)
        longest = max(self.pieces, key=lambda piece: len(piece.text))
        self.x0, self.x1 = min(piece.x0 for piece in self.pieces), max(piece.x1 for piece in self.pieces)
        self.y, self.size, self.style = longest.y, longest.size, longest.style

    @property
    def cells(self) -> int:
        """How many cells of a table this could be; a bullet or number belongs to what follows it."""
        return len(self.pieces) - (len(self.pieces) > 1 and is_label(self.pieces[0].text))

    @property
    def length(self) -> int:
        """Number of characters."""
        return sum(len(piece.text) for piece in self.pieces)


class Cell:
    """Rows below each other in one column."""

    __slots__ = ("rows", "x0", "x1")

    def __init__(self, row: Row) -> None:
        self.rows = [row]
        self.x0, self.x1 = row.x0, row.x1

    def add(self, row: Row) -> None:
        """Take a row in, growing as wide as it is."""
        self.rows.append(row)
        self.x0, self.x1 = min(self.x0, row.x0), max(self.x1, row.x1)

    @property
    def last(self) -> Row:
        """The lowest row."""
        return self.rows[-1]


class Group:
    """A paragraph, if it has one cell; else cells that begin on about the same height."""

    __slots__ = ("cells",)

    def __init__(self, row: Row) -> None:
        self.cells = [Cell(row)] if row.cells == 1 else [Cell(Row([piece])) for piece in row.pieces]

    @property
    def rows(self) -> list[Row]:
        """All rows, cell by cell."""
        return [row for cell in self.cells for row in cell.rows]

    @property
    def top(self) -> float:
        """Upper edge of the highest row."""
        return max(row.y + row.size for row in self.rows)

    @property
    def first(self) -> float:
        """Highest baseline."""
        return max(cell.rows[0].y for cell in self.cells)

    @property
    def bottom(self) -> float:
        """Lowest baseline."""
        return min(cell.last.y for cell in self.cells)

    @property
    def x0(self) -> float:
        """Left edge."""
        return min(cell.x0 for cell in self.cells)

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(cell.x1 for cell in self.cells)

    @property
    def is_paragraph(self) -> bool:
        """Whether there is a single cell."""
        return len(self.cells) == 1


def is_label(text: str) -> bool:
    """Say whether a text is only a bullet or a number."""
    return _LABEL.fullmatch(text) is not None


def group_pieces(pieces: Iterable[Piece]) -> list[Group]:
    """Group the upright pieces of a page, in drawing order."""
    rows = list(_rows(pieces))
    reach = _line_gap(rows)
    groups: list[Group] = []
    for row in rows:
        if not groups or not _joins(groups[-1], row, reach):
            groups.append(Group(row))
    return groups


def _line_gap(rows: Sequence[Row]) -> float:
    """Return how far apart lines of a paragraph may be: more than usual on a page that is set in double space."""
    gaps = [
        (above.y - below.y) / above.size
        for above, below in pairwise(rows)
        if min(above.length, below.length) >= _LONG and _alike(above.style, below.style)
    ]
    spread = [gap for gap in gaps if 0 < gap < _WIDEST_GAP]
    return max(_LINE_GAP, _SPREAD * median(spread)) if len(spread) >= _SEVERAL else _LINE_GAP


def _rows(pieces: Iterable[Piece]) -> Iterable[Row]:
    waiting: list[Piece] = []
    for piece in pieces:
        if waiting and not _beside(waiting[-1], piece):
            yield Row(waiting)
            waiting = []
        waiting.append(piece)
    if waiting:
        yield Row(waiting)


def _beside(left: Piece, right: Piece) -> bool:
    size = max(left.size, right.size)
    return abs(left.y - right.y) <= _SAME_BASELINE * size and right.x0 > left.x1 - _SAME_BASELINE * size


def _joins(group: Group, row: Row, reach: float) -> bool:
    """Add a row to the group it goes on with, as the next line of its last cell or as the next cell."""
    cell = group.cells[-1]
    if row.cells == 1 and _continues(group, cell, row, reach):
        cell.add(row)
        return True
    if _starts_cell(group, row):
        group.cells.extend(Cell(Row([piece])) for piece in row.pieces)
        return True
    return False


def _continues(group: Group, cell: Cell, row: Row, reach: float) -> bool:
    above = cell.last
    gap = above.y - row.y
    overlaps = row.x0 < cell.x1 and row.x1 > cell.x0
    if not overlaps or not _SAME_BASELINE * row.size < gap <= reach * max(row.size, above.size):
        return False
    if not group.is_paragraph:
        return all(other is cell or row.x0 >= other.x1 or row.x1 <= other.x0 for other in group.cells)
    if not _alike(above.style, row.style):
        return False
    return len(cell.rows) < 2 or gap <= _REGULAR * (cell.rows[-2].y - above.y)  # noqa: PLR2004


def _alike(first: Style, second: Style) -> bool:
    return abs(first.size - second.size) <= _SIZE_STEP and (first.weight > 500) == (second.weight > 500)  # noqa: PLR2004


def _starts_cell(group: Group, row: Row) -> bool:
    """Say whether a row stands to the right of a group, not above its first baseline and not below its last."""
    cell = group.cells[-1]
    return row.x0 >= cell.x1 and group.bottom - row.size < row.y <= group.first + _RISE * row.size
