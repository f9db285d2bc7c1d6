"""Tables as text: Markdown where the rows have the same columns, else one row on a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

__all__ = ["Cell", "column_labels", "table_text"]

_MOST_COLUMNS = 1000
"""A cell spans no more: the HTML Standard's limit for `colspan`."""
_MOST_PLACES = 10
"""Places of a grid for each of its cells, on average: a few cells that span thousands of places are no table."""
_BREAKS = re.compile(r"\s*\n\s*")

_Reach = dict[int, tuple["Cell", int]]
"""Column -> the cell that reaches down into it, and into how many rows it still does."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cell:
    """A cell of a table as its source gives it; two cells are never the same one."""

    text: str
    columns: int = 1
    """Columns it spans."""
    rows: int = 1
    """Rows it spans."""
    heads: bool = False
    """Whether it labels others."""


def table_text(rows: Sequence[Sequence[Cell]]) -> str:
    """Return a table as lines of text, "" if it has no text.

    A table of at least two rows and two columns whose rows fill the same columns is a Markdown table: its first row is
    the head, and a cell that spans several places stands in the first of them. Any other table has its cells row by
    row, " | " between them. Line breaks inside a cell are "<br>" in Markdown, blanks otherwise.
    """
    filled = _without_blank_rows(rows)
    grid = _grid(filled)
    if len(grid) < 2 or {len(row) for row in grid} <= {0, 1} or any(len(row) != len(grid[0]) for row in grid):  # noqa: PLR2004
        return "\n".join(" | ".join(_BREAKS.sub(" ", cell.text.strip()) for cell in row) for row in filled)
    written: set[Cell] = set()
    lines = [f"| {' | '.join(_once(cell, written) for cell in row)} |" for row in grid]
    lines.insert(1, "|" + " --- |" * len(grid[0]))
    return "\n".join(lines)


def column_labels(rows: Sequence[Sequence[Cell]]) -> dict[Cell, str]:
    """Return for every cell below the head of a table the label of its column, if the table has a head.

    The head are the first rows of which most cells label others; of several labels above each other the lowest counts.
    """
    grid = _grid(rows)
    head = list(takewhile(lambda row: sum(cell.heads for cell in row) > len(row) / 2, grid))
    labels: dict[Cell, str] = {}
    for row in grid[len(head) :]:
        for cell, label in zip(row, head[-1] if head else (), strict=False):
            labels.setdefault(cell, " ".join(label.text.split()))
    return labels


def _without_blank_rows(rows: Sequence[Sequence[Cell]]) -> Sequence[Sequence[Cell]]:
    """Leave out blank rows, unless cells span rows: then each row counts."""
    if any(cell.rows > 1 for row in rows for cell in row):
        return rows
    return [row for row in rows if any(cell.text.strip() for cell in row)]


def _once(cell: Cell, written: set[Cell]) -> str:
    if cell in written:
        return ""
    written.add(cell)
    return _BREAKS.sub("<br>", cell.text.strip()).replace("|", r"\|")


def _grid(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Return which cell covers each place, row by row; empty if far more places are covered than there are cells."""
    grid: list[list[Cell]] = []
    reaching: _Reach = {}
    places, cells = 0, 0
    for row in rows:
        line, reaching = _placed(row, reaching)
        grid.append(line)
        places, cells = places + len(line), cells + len(row)
        if places > _MOST_PLACES * (cells + _MOST_PLACES):
            return []
    return grid


def _placed(row: Sequence[Cell], reaching: _Reach) -> tuple[list[Cell], _Reach]:
    """Return the cells of one row column by column, those from above in their places, and what reaches on down."""
    line: list[Cell] = []
    below = {column: (cell, rows - 1) for column, (cell, rows) in reaching.items() if rows > 1}
    for cell in row:
        while len(line) in reaching:
            line.append(reaching[len(line)][0])
        columns = range(len(line), len(line) + min(max(cell.columns, 1), _MOST_COLUMNS))
        line.extend(cell for _ in columns)
        if cell.rows > 1:
            below.update((column, (cell, cell.rows - 1)) for column in columns)
    while len(line) in reaching:
        line.append(reaching[len(line)][0])
    return line, below
