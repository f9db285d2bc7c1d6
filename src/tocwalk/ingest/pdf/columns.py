"""Columns that were drawn line by line across them, and so look like a table."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import inf

from tocwalk.ingest.pdf.contents import are_rising, page_at_end
from tocwalk.ingest.pdf.model import Piece
from tocwalk.ingest.pdf.rows import Cell, Group, Row
from tocwalk.ingest.pdf.tables import table_rows

__all__ = ["columns_of"]

_ROWS = 6
"""Rows from which cells side by side can be columns of prose."""
_LENGTH = 25
_FULL = 0.7
"""Share of a column's width (of rows, of cells) that prose fills."""
_ENTRIES, _MOSTLY = 3, 0.8
"""Entries of a table of contents in each column, and their share of its rows."""
_APART = 40.0
"""Points by which the page numbers of two columns are apart at least."""


def columns_of(groups: Sequence[Group]) -> list[Cell]:
    """Return the columns that side by side make the rows of what was taken for a table; none where it is one."""
    rows = table_rows(groups)
    return _prose_columns(rows) or _contents_columns(rows)


def _prose_columns(rows: Sequence[Sequence[Piece]]) -> list[Cell]:
    edges = sorted({round(piece.x0) for row in rows for piece in row})
    starts = [edge for before, edge in pairwise([-inf, *edges]) if edge - before > 2 * rows[0][0].size]
    if len(starts) not in {2, 3} or len(rows) < _ROWS:
        return []
    columns: list[list[Piece]] = [[] for _ in starts]
    for row in rows:
        for piece in row:
            columns[max(bisect_right(starts, piece.x0 + 1) - 1, 0)].append(piece)
    for column in columns:
        width = max(piece.x1 for piece in column) - min(piece.x0 for piece in column)
        full = [piece for piece in column if len(piece.text) >= _LENGTH and piece.x1 - piece.x0 >= _FULL * width]
        if len(full) < _FULL * len(rows):
            return []
    return [_cell([[piece] for piece in column]) for column in columns]


def _contents_columns(rows: Sequence[Sequence[Piece]]) -> list[Cell]:
    """Take apart a table of contents in several columns: page numbers rise down the first, and on down the next."""
    ends = sorted(piece.x1 for row in rows for piece in row if page_at_end(piece.text))
    rights = [end for end, following in pairwise([*ends, inf]) if following - end > _APART]
    if len(rights) not in {2, 3}:
        return []
    columns: list[list[list[Piece]]] = [[] for _ in rights]
    for row in rows:
        for place, right in enumerate(rights):
            cells = [piece for piece in row if min(bisect_left(rights, piece.x1), len(rights) - 1) == place]
            if cells:
                columns[place].append(cells)
            if any(piece.x0 < right < piece.x1 for piece in row):
                return []
    pages: list[str] = []
    for column in columns:
        found = [page for *_, last in column if (page := page_at_end(last.text))]
        titled = sum(any(letter.isalpha() for letter in cells[0].text) for cells in column)
        if len(found) < max(_ENTRIES, _MOSTLY * len(column)) or titled < _MOSTLY * len(column):
            return []
        pages.extend(found)
    return [_cell(column) for column in columns] if are_rising(pages) else []


def _cell(rows: Sequence[list[Piece]]) -> Cell:
    cell = Cell(Row(rows[0]))
    for row in rows[1:]:
        cell.add(Row(row))
    return cell
