"""What an index tells people about what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from tocwalk.tree import JsonScalar, SectionHead

__all__ = ["DocumentRow", "OutlineEntry", "PutResult", "PutStatus"]

PutStatus: TypeAlias = Literal["stored", "unchanged", "replaced"]
"""`stored`: it was not there; `replaced`: another version of it was; `unchanged`: nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document as it stands in the newest generation of its corpus."""

    id: str
    title: str
    source: str
    media_type: str
    sha256: str
    pages: int | None
    sections: int
    """How many, the document itself counted."""
    tokens: int
    """Size of the whole text in tokens."""
    metadata: Mapping[str, JsonScalar]
    indexed_at: datetime
    """When this version was stored, in UTC."""
    parser_version: str
    summaries: str
    """How its summaries were made."""
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineEntry:
    """A section in a document's outline."""

    head: SectionHead
    parent: str | None
    """Id of the section it stands below; None for the document."""
    start: int
    """Code-point offset of the section's own text in the document's extracted text."""
    end: int
    """Code-point offset behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutResult:
    """What came of storing a document."""

    document: str
    """Its id."""
    status: PutStatus
    generation: int
    """The newest generation of the corpus afterwards."""
