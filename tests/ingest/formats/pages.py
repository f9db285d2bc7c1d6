"""Small HTML pages."""

from __future__ import annotations

from outlines import tree

from tocwalk.ingest.html import extract
from tocwalk.tree import Document


def page(markup: str | bytes) -> Document:
    """Return the tree of a page."""
    return tree(extract, markup)
