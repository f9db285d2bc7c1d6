"""Trees of small plain texts, written as lines."""

from __future__ import annotations

from textwrap import dedent

from tocwalk.ingest.extracted import Extracted
from tocwalk.ingest.structure import build_document
from tocwalk.ingest.text import extract

__all__ = ["lines", "outline", "read"]


def read(text: str) -> Extracted:
    """Return what the reader finds."""
    return extract(dedent(text).lstrip("\n").encode(), name="x.txt")


def outline(text: str) -> list[str]:
    """Return the tree as lines: two blanks for each level, number, title."""
    document = build_document(read(text), document_id="x", source="x", sha256="")
    document.check()
    return [f"{'  ' * (s.depth - 1)}{s.number or '-'} | {s.title}".rstrip(" |") for s in document.sections[1:]]


def lines(tree: str) -> list[str]:
    """Return the lines of an expected tree."""
    return dedent(tree).strip("\n").splitlines()
