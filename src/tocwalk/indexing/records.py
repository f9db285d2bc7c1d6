"""Documents and sections as JSON, for `--json` and for servers. Others rely on these names: add some, rename none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tocwalk.tree import Document, JsonScalar, Section, SectionHead, tokens_of_bytes

if TYPE_CHECKING:
    from tocwalk.index import DocumentRow, OutlineEntry

__all__ = ["document_record", "outline_of_document", "outline_of_index", "section_record"]


def outline_of_document(document: Document, *, with_text: bool) -> dict[str, Any]:
    """Return a parsed document and its sections in reading order."""
    about = {
        "id": document.id,
        "title": document.title,
        "source": document.source,
        "media_type": document.media_type,
        "sha256": document.sha256,
        "pages": document.pages,
        "warnings": list(document.warnings),
        "metadata": _metadata(document.metadata),
        "running_text": list(document.running_text),
        "sections": len(document.sections),
        "tokens": tokens_of_bytes(sum(len(section.text.encode()) for section in document.sections)),
    }
    return {"document": about, "sections": [_parsed_section(one, with_text=with_text) for one in document.sections]}


def outline_of_index(row: DocumentRow, entries: Sequence[OutlineEntry]) -> dict[str, Any]:
    """Return an indexed document and its sections in reading order, without text."""
    sections = [
        {
            **_outline_keys(entry.head),
            "parent": entry.parent,
            "start": entry.start,
            "end": entry.end,
            "tokens": tokens_of_bytes(entry.head.text_bytes),
        }
        for entry in entries
    ]
    return {"document": document_record(row), "sections": sections}


def document_record(row: DocumentRow) -> dict[str, Any]:
    """Return what the index knows of a document."""
    return {
        "id": row.id,
        "title": row.title,
        "source": row.source,
        "media_type": row.media_type,
        "sha256": row.sha256,
        "pages": row.pages,
        "warnings": list(row.warnings),
        "metadata": _metadata(row.metadata),
        "sections": row.sections,
        "tokens": row.tokens,
        "summaries": row.summaries,
        "parser_version": row.parser_version,
        "indexed_at": row.indexed_at.isoformat(),
    }


def section_record(head: SectionHead, *, text: str, text_scope: str) -> dict[str, Any]:
    """Return a section of the index with text, under the names that a landed section has."""
    return {
        **_outline_keys(head),
        "document": head.document,
        "text": text,
        "text_scope": text_scope,
        "metadata": _metadata(head.metadata),
        "source": head.source,
    }


def _parsed_section(section: Section, *, with_text: bool) -> dict[str, Any]:
    text: Mapping[str, Any] = {"text": section.text} if with_text else {}
    return {
        **_outline_keys(section),
        "parent": section.parent,
        "start": section.start,
        "end": section.end,
        **text,
        "tokens": section.tokens,
        "found_by": section.found_by,
    }


def _metadata(metadata: Mapping[str, JsonScalar]) -> dict[str, JsonScalar]:
    """Return metadata with text for the numbers that JSON does not have."""
    finite = {key: not isinstance(value, float) or math.isfinite(value) for key, value in metadata.items()}
    return {key: value if finite[key] else str(value) for key, value in metadata.items()}


def _outline_keys(section: Section | SectionHead) -> dict[str, Any]:
    return {
        "id": section.id,
        "depth": section.depth,
        "number": section.number,
        "title": section.title,
        "page_start": section.page_start,
        "page_end": section.page_end,
        "label_start": section.label_start,
        "label_end": section.label_end,
        "summary": section.summary,
    }
