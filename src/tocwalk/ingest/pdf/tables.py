"""Tables: groups whose cells stand side by side row after row, laid out as text of fixed width.

A table's text keeps every row on one line, labels beside their values, in the order in which it is read. It is not
turned into Markdown: from glyphs alone, cells that span rows or columns cannot be told for certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from tocwalk.ingest.pdf.model import Piece
from tocwalk.ingest.pdf.rows import Group, Row

__all__ = ["find_tables", "lay_out", "table_rows"]

_PROSE_ROWS, _PROSE_LENGTH = 5, 35
"""A cell of so many rows that are on average so long is a column of prose."""
_TEXT_ROWS = 3
"""A paragraph of so many such rows between rows of a table ends it."""
_RECENT = 16
"""Groups of a table that its next row is compared with."""
_ROWS_BETWEEN = 4
"""How many single-cell groups (labels, wrapped cells) may stand between two rows of a table."""
_SAME_ROW = 0.35
_BREAK = 3.0
"""Times the usual distance of rows: a gap that large ends a table."""
_ALIGNED, _NEXT_ROW = 2.0, 1.6
"""Points by which cells of one column may be shifted; times the usual distance to what can still be the next row."""
_STANDS_OFF = 1.5
"""Times the usual distance of rows: the space around a heading between two tables."""
_HEADER_RISE = 2.0
"""Times the font size: how far the cells of a table's head may stand higher than those drawn before them."""
_LARGER = 0.6
"""Points: a line between two rows that is larger than both is a heading, not part of a table."""


def find_tables(groups: Sequence[Group]) -> list[tuple[int, int]]:
    """Return the ranges of groups, in drawing order, that make tables."""
    seeds = [index for index, group in enumerate(groups) if _is_seed(group)]
    tables: list[tuple[int, int]] = []
    for seed in seeds:
        if tables and seed < tables[-1][1]:
            continue
        start, end = seed, seed + 1
        while (following := _next_seed(groups, end)) is not None and _goes_on(groups, start, end, following):
            end = following + 1
        if sum(not group.is_paragraph for group in groups[start:end]) > 1:
            tables.append(_with_neighbours(groups, start, end, tables[-1][1] if tables else 0))
    return tables


def _is_seed(group: Group) -> bool:
    return not group.is_paragraph and sum(_is_prose(cell.rows) for cell in group.cells) < 2  # noqa: PLR2004


def _is_prose(rows: Sequence[Row], least: int = _PROSE_ROWS) -> bool:
    return len(rows) >= least and sum(row.length for row in rows) >= _PROSE_LENGTH * len(rows)


def _next_seed(groups: Sequence[Group], start: int) -> int | None:
    for index in range(start, min(start + _ROWS_BETWEEN + 1, len(groups))):
        if _is_seed(groups[index]):
            return index
        if _is_prose(groups[index].rows, least=_TEXT_ROWS):
            return None
    return None


class _Recent:
    """The last groups of a table that is being followed, which its next row is compared with."""

    def __init__(self, groups: Sequence[Group]) -> None:
        rows = [row for group in groups for row in group.rows]
        self.last = groups[-1]
        self.top, self.bottom = max(group.first for group in groups), min(group.bottom for group in groups)
        self.size, self.weight = median(row.size for row in rows), median(row.style.weight for row in rows)
        self.pitch = _pitch(rows, self.size)

    def is_divided_by(self, group: Group, above: Group, below: Group) -> bool:
        """Say whether a line between two rows is bolder than they are and stands off from both: a heading."""
        apart = _STANDS_OFF * self.pitch
        return (
            len(group.rows) == 1
            and group.rows[0].style.weight > self.weight
            and above.bottom - group.first > apart
            and group.bottom - below.first > apart
        )


def _goes_on(groups: Sequence[Group], start: int, end: int, following: int) -> bool:
    """Say whether a table goes on at `following`: it is lower, near enough, and no heading stands between."""
    recent, between, row = _Recent(groups[max(start, end - _RECENT) : end]), groups[end:following], groups[following]
    lowest = recent.bottom
    for group in [*between, row]:
        if group.first > recent.top + _HEADER_RISE * recent.size or lowest - group.first > _BREAK * recent.pitch:
            return False
        lowest = min(lowest, group.bottom)
    largest = max(recent.size, median(line.size for line in row.rows)) + _LARGER
    return not any(
        max(line.size for line in group.rows) >= largest or recent.is_divided_by(group, above, below)
        for above, group, below in zip([recent.last, *between], between, [*between[1:], row], strict=False)
    )


def _pitch(rows: Sequence[Row], size: float) -> float:
    """Return the usual distance between the baselines of a table's rows."""
    baselines = sorted({round(row.y, 1) for row in rows}, reverse=True)
    gaps = [above - below for above, below in pairwise(baselines) if above - below > _SAME_ROW * size]
    return max(median(gaps), size) if gaps else 1.5 * size


def _with_neighbours(groups: Sequence[Group], start: int, end: int, earliest: int) -> tuple[int, int]:
    """Take in the paragraphs drawn next to a table that stand beside its rows, or go on in one of its columns."""
    top, bottom = max(group.top for group in groups[start:end]), min(group.bottom for group in groups[start:end])
    while start > earliest and groups[start - 1].is_paragraph and _between(groups[start - 1], top, bottom):
        start -= 1
    pitch = _Recent(groups[start:end][-_RECENT:]).pitch
    edges = sorted(cell.x0 for group in groups[start:end] for cell in group.cells)
    while end < len(groups) and groups[end].is_paragraph:
        group = groups[end]
        in_column = group.x0 > edges[0] + group.rows[0].size and any(abs(group.x0 - edge) <= _ALIGNED for edge in edges)
        if not _between(group, top, bottom - pitch * _NEXT_ROW if in_column else bottom):
            break
        bottom = min(bottom, group.bottom)
        end += 1
    return start, end


def _between(group: Group, top: float, bottom: float) -> bool:
    return bottom <= group.first <= top and not _is_prose(group.rows)


def table_rows(groups: Sequence[Group]) -> list[list[Piece]]:
    """Return the pieces of a table by baseline, from top to bottom and from left to right."""
    pieces = sorted(
        (piece for group in groups for row in group.rows for piece in row.pieces), key=lambda piece: -piece.y
    )
    rows: list[list[Piece]] = []
    for piece in pieces:
        if rows and rows[-1][0].y - piece.y <= _SAME_ROW * max(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.x0) for row in rows]


def lay_out(rows: Sequence[Sequence[Piece]]) -> list[str]:
    """Return a table's rows as text in which columns stand where they stand on the page."""
    pieces = [piece for row in rows for piece in row]
    left = min(piece.x0 for piece in pieces)
    width = median((piece.x1 - piece.x0) / len(piece.text) for piece in pieces) or 1.0
    lines: list[str] = []
    for row in rows:
        line = ""
        for piece in row:
            column = round((piece.x0 - left) / width)
            line = line.ljust(max(column, len(line) + 2 if line else 0)) + piece.text
        lines.append(line)
    return lines
