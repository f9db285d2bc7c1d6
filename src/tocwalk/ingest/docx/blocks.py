"""Paragraphs and tables of a Word document, in reading order, with what stands in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tocwalk.ingest.docx.numbering import Mark, Numbering
from tocwalk.ingest.docx.runs import REMOVED, Content, Note, Piece, RunReader
from tocwalk.ingest.docx.styles import BODY_LEVEL, Styles
from tocwalk.ingest.docx.xml import Element, alternative, attribute, find, inside, integer, name_of, value

__all__ = ["Block", "BlockReader", "Paragraph", "Table", "TableCell", "paragraphs_of"]

_TRANSPARENT = {"w:customXml", "w:ins", "w:moveTo", "w:sdt", "w:sdtContent", "w:smartTag"}
_MOST_SPANNED = 1000


@dataclass(slots=True, kw_only=True)
class Paragraph:
    """A paragraph with text."""

    pieces: Sequence[Piece]
    mark: Mark | None
    """What is printed before it."""
    level: int | None
    """1 for a heading of the first level, None for what is no heading by its style."""
    style: str
    """Name of its style, in lower case."""
    centred: bool
    notes: Sequence[Note]

    @property
    def text(self) -> str:
        """The text without mark, and without blanks at its ends."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def printed_mark(self) -> str:
        """What stands before the text, with a blank behind it; "" where nothing does."""
        return f"{self.mark.text} " if self.mark is not None and self.mark.text else ""


@dataclass(slots=True, kw_only=True)
class TableCell:
    """A cell; `rows` grows while the rows below say that it goes on."""

    blocks: list[Block]
    columns: int
    rows: int = 1


@dataclass(slots=True, kw_only=True)
class Table:
    """A table."""

    rows: list[list[TableCell]] = field(default_factory=list[list["TableCell"]])


Block: TypeAlias = Paragraph | Table


def paragraphs_of(blocks: Sequence[Block]) -> Iterator[Paragraph]:
    """Yield all paragraphs, those in tables too."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield block
        else:
            for row in block.rows:
                for cell in row:
                    yield from paragraphs_of(cell.blocks)


class BlockReader:
    """Reads blocks in reading order."""

    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        """Begin a document."""
        self._styles = styles
        self._numbering = numbering
        self._runs = RunReader(styles)
        self._carried: list[Content] = []
        """Paragraphs whose end was deleted: the next one goes on with their text."""

    def read(self, parent: Element) -> list[Block]:
        """Return the blocks in an element; paragraphs without text are left out."""
        blocks = list(self._blocks(parent))
        if self._carried:
            blocks.extend(self._joined(None))
        return blocks

    def _blocks(self, parent: Element) -> Iterator[Block]:
        for child in parent:
            name = name_of(child)
            if name == "w:p":
                yield from self._paragraph(child)
            elif name == "w:tbl":
                yield self._table(child)
            elif name in _TRANSPARENT:
                yield from self._blocks(child)
            elif name == "mc:AlternateContent":
                yield from self._blocks(alternative(child))

    def _paragraph(self, element: Element) -> Iterator[Block]:
        content = self._runs.read(element)
        end = find(element, "w:pPr", "w:rPr")
        if any(name_of(change) in REMOVED for change in inside(end)):
            self._carried.append(content)
            return
        self._carried.append(content)
        yield from self._joined(element)

    def _joined(self, element: Element | None) -> Iterator[Block]:
        """Yield the paragraph that ends here, with those before whose end was deleted, and the text boxes in it."""
        parts, self._carried = self._carried, []
        pieces = _trimmed([piece for part in parts for piece in part.pieces])
        breaks_section = find(element, "w:pPr", "w:sectPr") is not None
        mark = self._numbering.mark(element) if element is not None and (pieces or not breaks_section) else None
        level = self._styles.outline_level(element) if element is not None else BODY_LEVEL
        if pieces:
            yield Paragraph(
                pieces=pieces,
                mark=mark,
                level=level + 1 if level < BODY_LEVEL else None,
                style=self._styles.name(self._styles.of_paragraph(element)) if element is not None else "",
                centred=value(element, "w:pPr", "w:jc") == "center",
                notes=[note for part in parts for note in part.notes],
            )
        for part in parts:
            for box in part.boxes:
                yield from self._blocks(box)

    def _table(self, element: Element) -> Table:
        table = Table()
        open_cells: dict[int, TableCell] = {}
        for row in _within(element, "w:tr"):
            if any(name_of(change) in REMOVED for change in inside(find(row, "w:trPr"))):
                continue
            table.rows.append(self._row(row, open_cells))
        return table

    def _row(self, element: Element, above: dict[int, TableCell]) -> list[TableCell]:
        """Return the cells of a row; those that go on from above are lengthened instead.

        Args:
            element: The row.
            above: Column -> the cell that began there last; brought up to date.
        """
        skipped = integer(value(element, "w:trPr", "w:gridBefore")) or 0
        cells = [TableCell(blocks=[], columns=skipped)] if 0 < skipped < _MOST_SPANNED else []
        column = skipped
        for cell in _within(element, "w:tc"):
            properties = find(cell, "w:tcPr")
            columns = min(max(integer(value(properties, "w:gridSpan")) or 1, 1), _MOST_SPANNED)
            merged = find(properties, "w:vMerge")
            blocks = self.read(cell)
            if merged is not None and attribute(merged, "val") != "restart" and column in above:
                above[column].rows += 1
                above[column].blocks.extend(blocks)
            else:
                above[column] = TableCell(blocks=blocks, columns=columns)
                cells.append(above[column])
            column += columns
        return cells


def _trimmed(pieces: Sequence[Piece]) -> list[Piece]:
    """Take the blanks off both ends."""
    trimmed = [piece for piece in pieces if piece.text]
    while trimmed and not trimmed[0].text.strip():
        trimmed.pop(0)
    while trimmed and not trimmed[-1].text.strip():
        trimmed.pop()
    if trimmed:
        trimmed[0] = replace(trimmed[0], text=trimmed[0].text.lstrip())
        trimmed[-1] = replace(trimmed[-1], text=trimmed[-1].text.rstrip())
    return trimmed


def _within(element: Element, name: str) -> Iterator[Element]:
    """Yield the rows or cells, those in content controls and insertions too."""
    for child in element:
        if name_of(child) == name:
            yield child
        elif name_of(child) in _TRANSPARENT:
            yield from _within(child, name)
