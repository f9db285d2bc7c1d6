"""From a PDF file to its text and headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tocwalk.errors import IngestError
from tocwalk.ingest.extracted import Extracted
from tocwalk.ingest.formats import PDF
from tocwalk.ingest.pdf.arrange import arrange
from tocwalk.ingest.pdf.assemble import Words, assemble
from tocwalk.ingest.pdf.bookmarks import bookmark_marks
from tocwalk.ingest.pdf.captions import with_captions
from tocwalk.ingest.pdf.contents import find_contents
from tocwalk.ingest.pdf.contents_marks import contents_marks
from tocwalk.ingest.pdf.layout import find_headings
from tocwalk.ingest.pdf.looks import body_of
from tocwalk.ingest.pdf.margins import Margins, find_margins
from tocwalk.ingest.pdf.match import Finder
from tocwalk.ingest.pdf.merge import merge
from tocwalk.ingest.pdf.model import Line, Mark, Page
from tocwalk.ingest.pdf.reading import File, read_file
from tocwalk.ingest.pdf.titles import document_title
from tocwalk.ingest.unmarked import with_unmarked_headings
from tocwalk.tree import counted

__all__ = ["extract", "extract_file"]


def extract(data: bytes, *, name: str) -> Extracted:
    """Read a PDF document.

    Args:
        data: The file's bytes.
        name: The file's name, for messages.

    Raises:
        IngestError: `empty_file`, `encrypted`, `no_text`, `parse_failed` or `too_large`; the message says what to do.
    """
    if not data.strip():
        raise IngestError(f"{name!r} is empty; nothing can be read from it.", reason="empty_file")
    return extract_file(read_file(data, name=name), name=name)


def extract_file(file: File, *, name: str) -> Extracted:
    """Find text and headings in a file that has been read.

    Raises:
        IngestError: `no_text` where no page has text.
    """
    if not any(page.pieces for page in file.pages):
        raise IngestError(
            f"{name!r} has {counted(len(file.pages), 'page')} but no text: it is a scan. Run it through OCR (for"
            " example ocrmypdf) and index the result.",
            reason="no_text",
        )
    margins = find_margins(file.pages)
    lines = _lines(file.pages, margins)
    labels = _labels(file.pages, margins)
    words = Words(lines)
    finder = Finder(lines)
    tables = find_contents(lines)
    anchors = bookmark_marks(file.bookmarks, lines, finder) or contents_marks(tables, lines, finder, labels)
    body = body_of(lines)
    marks = with_captions(merge(anchors, find_headings(lines, body, words), lines, words), lines, body, words)
    text, headings, pages = assemble(lines, marks, pages=len(file.pages), labels=labels, words=words)
    return Extracted(
        text=text,
        headings=with_unmarked_headings(text, headings, name=name),
        media_type=PDF,
        title=document_title(file.title, _opening(lines, marks), body.size, words),
        pages=pages,
        warnings=tuple(_warnings(file)),
        running_text=margins.texts,
        metadata=file.metadata,
    )


def _warnings(file: File) -> Iterator[str]:
    blank = sum(not page.pieces for page in file.pages)
    if blank > len(file.pages) / 2:
        yield (
            f"{blank} of {len(file.pages)} pages have no text: if they are scans, run the file through OCR (for example"
            " ocrmypdf) and index the result."
        )
    if file.unreadable:
        yield f"Left out as damaged: {counted(file.unreadable, 'page')}."
    if file.unmapped:
        yield (
            f"Read as U+FFFD, as their fonts do not say what they mean: {counted(file.unmapped, 'character')}. If much"
            " is missing, run the file through OCR."
        )


def _lines(pages: Sequence[Page], margins: Margins) -> list[Line]:
    lines: list[Line] = []
    for page in pages:
        lines.extend(arrange(page, margins, lines[-1].block + 1 if lines else 0))
    return lines


def _labels(pages: Sequence[Page], margins: Margins) -> Mapping[int, str]:
    """Return the names of the pages: as the file has them, unless it only counts, else as they are printed."""
    named = {page.number: page.label for page in pages if page.label}
    counts = all(label == str(number) for number, label in named.items())
    return margins.labels if counts and margins.labels else named


def _opening(lines: Sequence[Line], marks: Sequence[Mark]) -> list[Line]:
    """Return the lines that are no headings: a title is none."""
    headings = {index for mark in marks for index in range(mark.first, mark.last)}
    return [line for index, line in enumerate(lines) if index not in headings]
