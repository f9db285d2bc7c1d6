"""A section: a node of a document's tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tocwalk.tree.page_breaks import PageBreak

__all__ = ["JsonScalar", "Section", "SectionHead", "tokens_of_bytes"]

JsonScalar: TypeAlias = str | int | float | bool | None
"""What a metadata value may be."""


def tokens_of_bytes(size: int) -> int:
    """Return the number of tokens we count for `size` UTF-8 bytes: a quarter of it, rounded up."""
    return -(-size // 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section as parsed: where it stands in its document, and its text.

    A document's sections are a tuple in reading order whose first is the document itself (the
    root, depth 0, parent None). Their texts, concatenated, are the document's extracted text.
    """

    id: str
    """Readable and stable: the document's id for the root, else the parent's id, "/" and a slug."""
    parent: str | None
    """The parent's id; None for the root."""
    depth: int
    """0 for the document, 1 for its top sections."""
    title: str
    """As printed, without the number, on one line."""
    number: str | None = None
    """As printed: "2.1", "Article 5", "CHAPTER I"; None where none is printed."""
    text: str
    """From the heading to the next heading, heading line included."""
    start: int
    """Code-point offset of `text` in the extracted text."""
    heading: int = 0
    """How many code points of `text` are the heading; the rest is the body."""
    summary: str = ""
    """At most a few sentences for the navigator; may be empty."""
    page_start: int | None = None
    """Physical page, 1-based, on which the section begins; None for formats without pages."""
    page_end: int | None = None
    """Physical page on which the section, subsections included, ends."""
    label_start: str | None = None
    """The printed label of `page_start` ("iv", "12"), where one is known."""
    label_end: str | None = None
    """The printed label of `page_end`."""
    found_by: str = "markup"
    """How the heading was found: `markup`, `bookmark`, `contents`, `layout`, or `given`; `document` for the
    root of a parsed document, which has no heading."""
    metadata: Mapping[str, JsonScalar] = field(default_factory=dict[str, JsonScalar])
    """Section metadata, tested by filters of the form `section.KEY`."""
    page_breaks: tuple[PageBreak, ...] = ()
    """The pages that begin inside the section's own text, in order."""

    @property
    def end(self) -> int:
        """Code-point offset behind `text` in the extracted text."""
        return self.start + len(self.text)

    @property
    def body(self) -> str:
        """The text without the heading."""
        return self.text[self.heading :]

    @property
    def tokens(self) -> int:
        """Size of the section's own text in tokens."""
        return tokens_of_bytes(len(self.text.encode()))


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionHead:
    """What the index knows of a section without reading its text: what a walk works with.

    `(tree, position)` identifies it: a tree is one stored version of a document, and positions
    count its sections in reading order from 0 (the root). `[position, end)` is the section with all
    that is below it.
    """

    tree: int
    position: int
    end: int
    """Position behind the last section below this one."""
    document: str
    """Id of the document."""
    id: str
    depth: int
    number: str | None
    title: str
    summary: str
    page_start: int | None
    page_end: int | None
    label_start: str | None
    label_end: str | None
    children: int
    """How many sections are directly below."""
    levels: int
    """Levels below: 0 for a leaf."""
    has_body: bool
    """False where the body is blank."""
    text_bytes: int
    """UTF-8 bytes of the section's own text."""
    subtree_bytes: int
    """UTF-8 bytes of the subtree text."""
    metadata: Mapping[str, JsonScalar]
    """The section's metadata; for a root the document's."""
    source: str
    """Where the document came from: a path, or what was handed over."""
    page_breaks: tuple[PageBreak, ...] = ()
    """The pages that begin inside the section's own text, in order; empty where none is known."""

    @property
    def name(self) -> str:
        """Number and title as printed; where the document prints neither, the id."""
        return " ".join(part for part in (self.number, self.title) if part) or self.id

    @property
    def key(self) -> tuple[int, int]:
        """`(tree, position)`."""
        return (self.tree, self.position)
