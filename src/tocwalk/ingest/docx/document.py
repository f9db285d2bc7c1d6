"""Word documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tocwalk.ingest.docx.blocks import Block, BlockReader, paragraphs_of
from tocwalk.ingest.docx.headings import mark_by_look
from tocwalk.ingest.docx.numbering import Numbering
from tocwalk.ingest.docx.package import WordFile, open_word_file
from tocwalk.ingest.docx.runs import Note
from tocwalk.ingest.docx.styles import Styles
from tocwalk.ingest.docx.writer import Writer
from tocwalk.ingest.extracted import Extracted, Heading
from tocwalk.ingest.formats import DOCX
from tocwalk.ingest.numbering import split_labels
from tocwalk.ingest.unmarked import with_unmarked_headings

__all__ = ["extract"]


def extract(data: bytes, *, name: str) -> Extracted:
    """Return the text of a Word document as it is printed with all changes accepted, and its headings.

    Headings are the paragraphs whose style or outline level says so; in a document without any, those that look like
    headings, or else those that a reader of plain text takes for some. Numbers are counted as Word counts them. Of a
    clause that is set in a heading's style only its title is the heading. Tables are Markdown, footnotes stand at the
    end of the section that refers to them, running headers and footers are reported.

    Raises:
        IngestError: `parse_failed` for a damaged file, `too_large` for one that would unpack to too much, `unsupported`
            for one with entities or a password.
    """
    file = open_word_file(data, name=name)
    styles = Styles(file.styles)
    numbering = Numbering(file.numbering, styles)
    reader = BlockReader(styles, numbering)
    blocks = reader.read(file.body)
    by_look = mark_by_look(blocks)
    writer = Writer(lambda note: _note(note, file, styles, numbering), found_by="layout" if by_look else "markup")
    writer.write(blocks)
    text = writer.finish()
    headings = with_unmarked_headings(text, _numbered(writer.headings), name=name)
    return Extracted(
        text=text,
        headings=headings,
        media_type=DOCX,
        title=_title(blocks, headings) or file.title,
        running_text=_running_text(file, styles, numbering),
        metadata=file.metadata,
    )


def _numbered(headings: Sequence[Heading]) -> list[Heading]:
    """Take typed numbers off the titles of headings that Word does not number."""
    labels = split_labels(
        f"{heading.number} {heading.title}" if heading.number else heading.title for heading in headings
    )
    return [
        heading if heading.number else replace(heading, title=label.title, number=label.number)
        for heading, label in zip(headings, labels, strict=True)
    ]


def _title(blocks: Sequence[Block], headings: Sequence[Heading]) -> str | None:
    """Return the first paragraph in the style for titles, or else the only heading of the top level."""
    titles = [paragraph.text for paragraph in paragraphs_of(blocks) if paragraph.style == "title"]
    if not titles:
        top = [heading.title for heading in headings if heading.level == 1]
        titles = top if len(top) == 1 else []
    return " ".join(titles[0].split()) if titles else None


def _note(note: Note, file: WordFile, styles: Styles, numbering: Numbering) -> list[Block]:
    element = file.notes.get((note.kind, note.id))
    return BlockReader(styles, numbering).read(element) if element is not None else []


def _running_text(file: WordFile, styles: Styles, numbering: Numbering) -> tuple[str, ...]:
    """Return the lines of running headers and footers, each once."""
    paragraphs = (
        paragraph for root in file.margins for paragraph in paragraphs_of(BlockReader(styles, numbering).read(root))
    )
    return tuple(dict.fromkeys(" ".join(paragraph.text.split()) for paragraph in paragraphs))
