"""From the blocks of a Word document to its text and headings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tocwalk.ingest.docx.blocks import Block, Paragraph, Table, paragraphs_of
from tocwalk.ingest.docx.headings import title_end
from tocwalk.ingest.docx.runs import Note
from tocwalk.ingest.extracted import Heading
from tocwalk.ingest.flow import TextFlow
from tocwalk.ingest.tables import Cell, table_text

__all__ = ["Writer"]

_INDENT = "  "
_FULL_STOPS = ".: "
_STOPS = ".:;–—- "


class Writer:
    """Writes blocks one after the other."""

    def __init__(self, note_blocks: Callable[[Note], Sequence[Block]], *, found_by: str) -> None:
        """Begin with an empty text.

        Args:
            note_blocks: Returns what a note says.
            found_by: How the headings were found: `markup` or `layout`.
        """
        self._note_blocks = note_blocks
        self._found_by = found_by
        self._flow = TextFlow()
        self._notes: list[Note] = []
        """Those referred to since the last heading: they are printed at the end of its section."""
        self.headings: list[Heading] = []
        """In reading order; numbers that Word does not count are still in their titles."""

    def write(self, blocks: Sequence[Block]) -> None:
        """Add blocks."""
        for block in blocks:
            if isinstance(block, Paragraph):
                self._paragraph(block)
            else:
                self._table(block)

    def finish(self) -> str:
        """Return the whole text."""
        self._write_notes()
        return self._flow.text()

    def _paragraph(self, paragraph: Paragraph) -> None:
        if paragraph.level is not None:
            self._heading(paragraph)
        else:
            in_list = paragraph.mark is not None
            self._flow.end_line(blank_lines=int(not in_list))
            self._flow.indent = _INDENT * paragraph.mark.level if paragraph.mark is not None else ""
            self._flow.write_verbatim(_line(paragraph))
            self._flow.indent = ""
            self._flow.end_line(blank_lines=int(not in_list))
        self._notes.extend(paragraph.notes)

    def _heading(self, paragraph: Paragraph) -> None:
        self._write_notes()
        self._flow.end_line(blank_lines=1)
        start = self._flow.next_offset()
        self._flow.write_verbatim(_line(paragraph))
        self._flow.end_line(blank_lines=1)
        end = title_end(paragraph)
        title, runs_in = _title(paragraph, end), end < len(paragraph.text)
        self.headings.append(
            Heading(
                start=start,
                end=start + len(paragraph.printed_mark) + end if runs_in else self._flow.length + 1,
                level=paragraph.level or 1,
                title=title.rstrip(_STOPS) if runs_in else title,
                number=_number(paragraph),
                found_by=self._found_by,
            )
        )

    def _table(self, table: Table) -> None:
        inside = list(paragraphs_of([table]))
        nested = any(isinstance(block, Table) for row in table.rows for cell in row for block in cell.blocks)
        listed = len(table.rows) < 2 or all(len(row) < 2 for row in table.rows)  # noqa: PLR2004 - no rows and columns
        if nested or listed or any(paragraph.level is not None for paragraph in inside):
            for row in table.rows:
                for cell in row:
                    self.write(cell.blocks)
            return
        rows = [
            [
                Cell(text="\n".join(map(_line, paragraphs_of(cell.blocks))), columns=cell.columns, rows=cell.rows)
                for cell in row
            ]
            for row in table.rows
        ]
        self._flow.end_line(blank_lines=1)
        self._flow.write_verbatim(table_text(rows))
        self._flow.end_line(blank_lines=1)
        self._notes.extend(note for paragraph in inside for note in paragraph.notes)

    def _write_notes(self) -> None:
        """Write the notes of the section that ends here, each behind its mark."""
        notes, self._notes = self._notes, []
        for note in notes:
            lines = [" ".join(_line(paragraph).split()) for paragraph in paragraphs_of(self._note_blocks(note))]
            self._flow.end_line(blank_lines=1)
            self._flow.write_verbatim(f"[{note.mark}] {' '.join(lines)}")


def _line(paragraph: Paragraph) -> str:
    return paragraph.printed_mark + paragraph.text


def _number(paragraph: Paragraph) -> str | None:
    if paragraph.mark is None or paragraph.mark.bullet:
        return None
    return paragraph.mark.text.rstrip(_FULL_STOPS) or None


def _title(paragraph: Paragraph, end: int) -> str:
    """Return the text up to `end`, on one line and without the marks of notes."""
    parts: list[str] = []
    for piece in paragraph.pieces:
        if not piece.is_mark:
            parts.append(piece.text[: max(end, 0)])
        end -= len(piece.text)
    return " ".join("".join(parts).split())
