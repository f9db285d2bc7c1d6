"""Reads pages, labels and bookmarks from a PDF file with pdfium.

All calls of pdfium, those in `glyphs` too, are made from here and behind one lock: pdfium is not thread-safe.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, cast

import pypdfium2 as pdfium
from pypdfium2 import raw

from tocwalk.errors import IngestError
from tocwalk.ingest.pdf.glyphs import Fonts, read_pieces, turned_box
from tocwalk.ingest.pdf.model import Bookmark, Page

__all__ = ["MAX_PAGES", "File", "read_file"]

MAX_PAGES = 20_000
"""More pages than this are refused: nothing printed is longer, and a page tree can claim any number."""

_LOCK = Lock()
_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})(\d{2})")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What a PDF file holds, before anything is concluded from it."""

    pages: list[Page]
    bookmarks: list[Bookmark]
    title: str | None
    """From the file's properties."""
    metadata: Mapping[str, str]
    """Author and date, where the properties have them."""
    unreadable: int
    """Pages that pdfium could not load; they are empty."""
    unmapped: int
    """Characters whose font does not say what they mean; they were read as U+FFFD."""


def read_file(data: bytes, *, name: str) -> File:
    """Read all pages.

    Raises:
        IngestError: `encrypted`, `parse_failed` or `too_large`.
    """
    with _LOCK, _opened(data, name) as document:
        if len(document) > MAX_PAGES:
            raise IngestError(
                f"{name!r} has {len(document)} pages, more than the {MAX_PAGES} that are read; split it into volumes.",
                reason="too_large",
            )
        fonts = Fonts()
        read = [_read_page(document, index, fonts) for index in range(len(document))]
        if not any(read):
            raise _damaged(name, "no page can be loaded")
        pages = [page or Page(number=index + 1) for index, page in enumerate(read)]
        properties = document.get_metadata_dict(skip_empty=True)
        return File(
            pages=pages,
            bookmarks=list(_read_bookmarks(document)),
            title=properties.get("Title"),
            metadata=dict(_metadata(properties)),
            unreadable=read.count(None),
            unmapped=sum(piece.text.count(_REPLACEMENT) for page in pages for piece in page.pieces),
        )


def _read_page(document: pdfium.PdfDocument, index: int, fonts: Fonts) -> Page | None:
    """Return a page; None if it is damaged."""
    try:
        page = document[index]
    except pdfium.PdfiumError:
        return None
    try:
        pieces, angle = read_pieces(page, fonts)
        x0, y0, x1, y1 = turned_box(page.get_bbox(), angle)
    finally:
        page.close()
    label = document.get_page_label(index) or None
    return Page(number=index + 1, label=label, angle=angle, x0=x0, y0=y0, x1=x1, y1=y1, pieces=pieces)


@contextmanager
def _opened(data: bytes, name: str) -> Generator[pdfium.PdfDocument]:
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code in {raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY}:
            raise IngestError(
                f"{name!r} is encrypted; remove its password protection with the program that made it and index it"
                " again.",
                reason="encrypted",
            ) from error
        raise _damaged(name, str(error)) from error
    try:
        yield document
    finally:
        document.close()


def _metadata(properties: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield author and day of creation; dates are written "D:YYYYMMDD..." (ISO 32000-1, 7.9.4)."""
    if author := properties.get("Author", "").strip():
        yield "author", author
    if date := _DATE.match(properties.get("CreationDate", "")):
        yield "date", "-".join(date.groups())


def _damaged(name: str, detail: str) -> IngestError:
    return IngestError(
        f"{name!r} cannot be read as a PDF file ({detail.rstrip('.')}); if a viewer opens it, save or print it to a new"
        " file there.",
        reason="parse_failed",
    )


def _read_bookmarks(document: pdfium.PdfDocument) -> Iterator[Bookmark]:
    """Yield the entries that point into this file; entries with neither title nor target say nothing."""
    # pypdfium2's types are known in part only.
    for entry in cast("Any", document).get_toc():
        title = " ".join(str(entry.get_title()).split())
        destination = entry.get_dest()
        index: int | None = destination.get_index() if destination else None
        if not title or index is None or not 0 <= index < len(document):
            continue
        mode, view = destination.get_view()
        y: float | None = None
        if mode == raw.PDFDEST_VIEW_XYZ and len(view) > 1:
            y = view[1]
        elif mode == raw.PDFDEST_VIEW_FITH and view:
            y = view[0]
        yield Bookmark(title=title, level=entry.level + 1, page=index + 1, y=y)
