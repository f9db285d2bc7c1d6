"""Which reader reads which format.

A reader is a function `extract(data: bytes, *, name: str) -> Extracted` that raises `IngestError`; `name` is the file's
name, for messages and for a title of last resort. Readers are imported when the first document of their format comes,
so that nothing pays for a library it does not need.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Protocol, cast

from tocwalk.errors import IngestError
from tocwalk.ingest.extracted import Extracted

__all__ = [
    "ASCIIDOC",
    "DOCX",
    "EPUB",
    "HTML",
    "MARKDOWN",
    "PDF",
    "PLAIN",
    "READERS",
    "RST",
    "Reader",
    "reader_for",
]

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
HTML = "text/html"
EPUB = "application/epub+zip"
MARKDOWN = "text/markdown"
RST = "text/x-rst"
ASCIIDOC = "text/asciidoc"
PLAIN = "text/plain"

READERS: Mapping[str, str] = MappingProxyType(
    {
        PDF: "tocwalk.ingest.pdf:extract",
        DOCX: "tocwalk.ingest.docx:extract",
        HTML: "tocwalk.ingest.html:extract",
        EPUB: "tocwalk.ingest.epub:extract",
        MARKDOWN: "tocwalk.ingest.markdown:extract",
        RST: "tocwalk.ingest.rst:extract",
        ASCIIDOC: "tocwalk.ingest.asciidoc:extract",
        PLAIN: "tocwalk.ingest.text:extract",
    }
)
"""Media type -> `module:function` of its reader."""


class Reader(Protocol):
    """Reads one format."""

    def __call__(self, data: bytes, *, name: str) -> Extracted:
        """Return the text and headings of a file's bytes; raise `IngestError` if it has none to give."""
        ...


def reader_for(media_type: str) -> Reader:
    """Return the reader of a media type, importing it.

    Raises:
        IngestError: `unsupported` if the table has no reader for it.
    """
    target = READERS.get(media_type)
    if target is None:
        raise IngestError(
            f"Files of type {media_type!r} are not supported; supported are {', '.join(sorted(READERS))}.",
            reason="unsupported",
        )
    module, _, function = target.partition(":")
    return cast(Reader, getattr(import_module(module), function))
