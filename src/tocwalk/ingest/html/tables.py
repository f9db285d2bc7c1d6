"""Tables of HTML pages: those that hold data, and those that only lay a page out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tocwalk.ingest.html.elements import HEADINGS, attribute, children, is_left_out
from tocwalk.ingest.tables import Cell, column_labels, table_text

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["Layout", "holds_data", "layout_of", "text_of_table"]

_TextOf: TypeAlias = "Callable[[LexborNode], str]"
_PARTS = {"thead", "tbody", "tfoot"}
_CELLS = {"td", "th"}
_NOT_IN_CELLS = f"{HEADINGS}, table, pre"


def holds_data(table: LexborNode) -> bool:
    """Tell whether a table has rows and columns to be written: no headings, tables or preformatted text inside."""
    if attribute(table, "role") in {"presentation", "none"} or _within(table, _NOT_IN_CELLS):
        return False
    rows = _rows(table)
    return len(rows) > 1 and any(len(cells) > 1 for _, cells in rows)


def text_of_table(table: LexborNode, text_of: _TextOf) -> str:
    """Return a table that holds data as text.

    Args:
        table: The element.
        text_of: Returns the text of a cell.
    """
    return table_text([[_cell(node, text_of(node)) for node in row] for _, row in _rows(table)])


class Layout:
    """What a table with headings inside says about its cells."""

    def __init__(self) -> None:
        """Begin with nothing to say."""
        self.labels: dict[int, str] = {}
        """Cell (`mem_id`) -> what the head of the table calls its column."""
        self.first: dict[int, int] = {}
        """Row -> the cell that is read before the others: the one with the row's heading."""


def layout_of(table: LexborNode, text_of: _TextOf) -> Layout:
    """Return how to read the cells of a table with headings.

    Where the rows have their one heading in the same column, each row is the section of its heading: that cell comes
    first, and the others carry the label of their column, which stands too far above to be seen with them.
    """
    layout = Layout()
    rows = _rows(table)
    headed = [(row, cells, place) for row, cells in rows if (place := _heading_place(cells)) is not None]
    places = Counter(place for _, _, place in headed)
    if not places or places.most_common(1)[0][1] < 2:  # noqa: PLR2004 - one row tells no pattern
        return layout
    layout.first = {row.mem_id: cells[place].mem_id for row, cells, place in headed if places[place] > 1}
    nodes = {_cell(node, text_of(node) if node.tag == "th" else ""): node.mem_id for _, cells in rows for node in cells}
    by_row = iter(nodes)
    labels = column_labels([[next(by_row) for _ in cells] for _, cells in rows])
    layout.labels = {nodes[cell]: label for cell, label in labels.items() if label}
    return layout


def _heading_place(cells: list[LexborNode]) -> int | None:
    """Return which cell of a row has its only heading."""
    counts = [len(cell.css(HEADINGS)) for cell in cells]
    return counts.index(1) if sum(counts) == 1 else None


def _rows(table: LexborNode) -> list[tuple[LexborNode, list[LexborNode]]]:
    parts = [children(part) if part.tag in _PARTS else [part] for part in children(table)]
    rows = [row for part in parts for row in part if row.tag == "tr" and not is_left_out(row)]
    return [(row, [cell for cell in children(row) if cell.tag in _CELLS and not is_left_out(cell)]) for row in rows]


def _cell(node: LexborNode, text: str) -> Cell:
    return Cell(text=text, columns=_span(node, "colspan"), rows=_span(node, "rowspan"), heads=node.tag == "th")


def _span(node: LexborNode, name: str) -> int:
    value = attribute(node, name).strip()
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 6 else 1  # noqa: PLR2004 - 65534 at most


def _within(node: LexborNode, selector: str) -> bool:
    return any(found.mem_id != node.mem_id for found in node.css(selector))
