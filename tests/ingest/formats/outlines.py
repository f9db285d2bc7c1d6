"""What tests of the readers ask of a document."""

from __future__ import annotations

from collections.abc import Callable

from tocwalk.ingest.extracted import Extracted
from tocwalk.ingest.structure import build_document
from tocwalk.tree import Document

Extract = Callable[..., Extracted]


def tree(extract: Extract, data: bytes | str, *, name: str = "test") -> Document:
    """Return the checked tree that a reader and the structure module make of a file."""
    extracted = extract(data.encode() if isinstance(data, str) else data, name=name)
    document = build_document(extracted, document_id="doc", source="test", sha256="0")
    document.check()
    assert document.text == extracted.text
    return document


def outline(document: Document) -> list[tuple[int, str | None, str]]:
    """Return (depth, number, title) of every section but the root."""
    return [(section.depth, section.number, section.title) for section in document.sections[1:]]


def titles(document: Document) -> list[str]:
    """Return the titles of every section but the root."""
    return [section.title for section in document.sections[1:]]


def body(document: Document, title: str) -> str:
    """Return the body of the first section of this title (not the root), blanks around it taken off."""
    return next(section.body for section in document.sections[1:] if section.title == title).strip()
