"""Lead summaries (placeholder until the next commit)."""

from __future__ import annotations

from tocwalk.tree import Document

__all__ = ["lead_summaries"]


def lead_summaries(document: Document) -> Document:
    """Return the document as it is."""
    return document
