"""The lines of a page in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tocwalk.ingest.pdf.columns import columns_of
from tocwalk.ingest.pdf.margins import Margins
from tocwalk.ingest.pdf.model import Line, Page
from tocwalk.ingest.pdf.rows import Cell, Group, Row, group_pieces
from tocwalk.ingest.pdf.tables import find_tables, lay_out, table_rows

__all__ = ["arrange"]

_OVERLAP = 1.0
"""Points: boxes that touch by less do not overlap."""
_SHEET = 1000
"""Paragraphs on one page from which it is a drawing."""
_NEAR = 2.5
"""Times the font size: the gap above what belongs to the paragraph before it."""


class _Unit:
    """A paragraph or a table, as it takes part in the order of a page."""

    __slots__ = ("bottom", "is_table", "rows", "top", "x0", "x1")

    def __init__(self, groups: Sequence[Group], *, is_table: bool) -> None:
        self.is_table = is_table
        self.top, self.bottom = max(group.top for group in groups), min(group.bottom for group in groups)
        self.x0, self.x1 = min(group.x0 for group in groups), max(group.x1 for group in groups)
        self.rows = [Row(row) for row in table_rows(groups)] if is_table else groups[0].rows

    @property
    def continues_sentence(self) -> bool:
        text = self.rows[0].pieces[0].text
        return not self.is_table and text[:1].islower()

    def shares_column(self, other: _Unit) -> bool:
        return min(self.x1, other.x1) - max(self.x0, other.x0) > _OVERLAP

    def stands_above(self, other: _Unit) -> bool:
        """Say whether this is wholly above another unit of the same column."""
        return other.top <= self.bottom + _OVERLAP and self.shares_column(other)

    def goes_on(self, other: _Unit) -> bool:
        """Say whether this stands close below another unit."""
        return self.shares_column(other) and 0 <= other.bottom - self.top < _NEAR * self.rows[0].size


def arrange(page: Page, margins: Margins, first_block: int) -> list[Line]:
    """Return a page's lines, running text left out, in reading order.

    The order of drawing is the order of reading, as all common programs write it, with three exceptions: what was drawn
    later but stands above something (a box, a heading) goes before it; columns drawn line by line are read one by one;
    tables are read row by row.

    Args:
        page: The page.
        margins: What to leave out, and what cannot be a heading.
        first_block: The number of the first paragraph or table; they are counted on.
    """
    pieces = [piece for piece in page.pieces if id(piece) not in margins.running]
    upright = [piece for piece in pieces if piece.upright and id(piece) not in margins.beside]
    lines: list[Line] = []
    block = first_block
    for unit in _ordered(_units(group_pieces(upright))):
        lines.extend(_unit_lines(unit, page.number, block))
        block += 1
    middle = (page.y0 + page.y1) / 2
    others = [piece for piece in pieces if not piece.upright or id(piece) in margins.beside]
    for offset, piece in enumerate(others):
        kind = "margin" if piece.upright else "side"
        line = Line(pieces=[piece], page=page.number, text=piece.text, block=block + offset, kind=kind)
        lines.insert(0 if piece.upright and piece.y > middle else len(lines), line)
    return lines


def _units(groups: Sequence[Group]) -> Iterator[_Unit]:
    tables = dict(find_tables(groups))
    index = 0
    while index < len(groups):
        end = tables.get(index)
        if end is None:
            yield from (_Unit([group], is_table=False) for group in _paragraphs(groups[index]))
            index += 1
            continue
        if columns := columns_of(groups[index:end]):
            yield from (_Unit([_paragraph(column)], is_table=False) for column in columns)
        else:
            yield _Unit(groups[index:end], is_table=True)
        index = end


def _paragraphs(group: Group) -> list[Group]:
    """Take apart cells that are no table's: one line, if each is on the same line, else one after the other."""
    if group.is_paragraph:
        return [group]
    rows = group.rows
    if len(rows) == len(group.cells) and len(table_rows([group])) == 1:
        return [_paragraph(Cell(Row([piece for row in rows for piece in row.pieces])))]
    return [_paragraph(cell) for cell in group.cells]


def _paragraph(cell: Cell) -> Group:
    group = Group(cell.rows[0])
    group.cells = [cell]
    return group


def _ordered(units: Iterable[_Unit]) -> list[_Unit]:
    ordered: list[_Unit] = []
    place = 0
    for unit in units:
        if len(ordered) > _SHEET:
            ordered.append(unit)  # a drawing with thousands of words has no order to put right
            continue
        if place < len(ordered) and unit.goes_on(ordered[place - 1]):
            ordered.insert(place, unit)  # what was moved up takes with it what belongs to it
            place += 1
            continue
        below = (index for index, other in enumerate(ordered) if unit.stands_above(other))
        index = next((index for index in below if not ordered[index].continues_sentence), len(ordered))
        ordered.insert(index, unit)
        place = index + 1
    return ordered


def _unit_lines(unit: _Unit, page: int, block: int) -> Iterator[Line]:
    if unit.is_table:
        texts = lay_out([row.pieces for row in unit.rows])
        for row, text in zip(unit.rows, texts, strict=True):
            yield Line(pieces=row.pieces, page=page, text=text, block=block, kind="table")
        return
    for row in unit.rows:
        yield Line(pieces=row.pieces, page=page, text=" ".join(piece.text for piece in row.pieces), block=block)
