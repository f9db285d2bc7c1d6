"""What a format's reader hands on: the extracted text and the headings found in it.

A reader finds text and headings; `structure.build_document` makes the tree, the ids and the pages of it, in
the same way for every format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tocwalk.tree import JsonScalar

__all__ = ["Extracted", "Heading", "PageStart"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A printed heading and where it stands in the extracted text."""

    start: int
    """Code-point offset of the first character of the heading's line (or lines)."""
    end: int
    """Offset behind the heading, its line break included: where the body begins."""
    level: int
    """1 for the top level of the document. Only the order matters: gaps are closed when the tree is built."""
    title: str
    """On one line, markup and number taken off."""
    number: str | None = None
    """As printed, without a trailing full stop: "2.1", "Article 5", "CHAPTER I"."""
    found_by: str = "markup"
    """`markup`, `bookmark`, `contents` or `layout`."""
    anchor: str | None = None
    """Id that the source gives this heading, where there is one; becomes section metadata `anchor`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStart:
    """Where a physical page begins in the extracted text."""

    offset: int
    number: int
    """Physical, 1-based."""
    label: str | None = None
    """As printed or as the file labels it: "iv", "12"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """A document as read from its format, before it becomes a tree."""

    text: str
    """All of it: every character belongs to exactly one section later."""
    headings: tuple[Heading, ...]
    """In reading order, not overlapping."""
    media_type: str
    title: str | None = None
    """The document's own title, where the format or the text gives one; else the file name is used."""
    pages: tuple[PageStart, ...] = ()
    """Empty for formats without pages; else the first has offset 0."""
    warnings: tuple[str, ...] = ()
    running_text: tuple[str, ...] = ()
    """Running headers and footers that were taken out of the text, reported by `parse`."""
    metadata: Mapping[str, JsonScalar] = field(default_factory=dict[str, JsonScalar])
    """Document metadata that the format carries: author, date, front matter scalars."""
