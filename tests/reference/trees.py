"""Small documents for tests, and the same as values that an index can store."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tocwalk.tree import Document, JsonScalar, Section

__all__ = ["Forest", "LaidOut", "Node", "ids_by_number", "ids_by_titles", "lay_out", "to_documents"]


@dataclass(frozen=True, slots=True)
class Node:
    """A section as far as a walk cares: a title, a body or none, what is below."""

    title: str
    body: bool = True
    sections: tuple[Node, ...] = ()
    metadata: Mapping[str, JsonScalar] = field(default_factory=dict[str, JsonScalar])
    """Of a document's root: the document's."""


Forest: TypeAlias = Mapping[str, Node]
"""Documents by id. "a/b/doc" lies in the folder "a/b/"; the order is that of the ids' parts."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A node with its place in the document: what follows from the tree alone."""

    node: Node
    id: str
    parent: str | None
    depth: int

    @property
    def heading(self) -> str:
        """The heading line."""
        return f"{self.node.title}\n"

    @property
    def text(self) -> str:
        """Heading line and, with a body, one line that no other section has."""
        return f"{self.heading}text of {self.id}\n" if self.node.body else self.heading


def lay_out(document: str, root: Node) -> Iterator[LaidOut]:
    """Yield the root and all that is below it in reading order, with ids that differ."""
    stack = [LaidOut(root, document, None, 0)]
    while stack:
        laid = stack.pop()
        yield laid
        slugs = _slugs([section.title for section in laid.node.sections])
        stack.extend(
            LaidOut(section, f"{laid.id}/{slug}", laid.id, laid.depth + 1)
            for section, slug in reversed(list(zip(laid.node.sections, slugs, strict=True)))
        )


def to_documents(forest: Forest) -> list[Document]:
    """Return the documents as a parser would: ids, texts and offsets as the index demands them.

    Every section's number is its own ("2.17": the 17th after the root of the second document), so that whoever is
    shown numbers and titles alone can still tell which section is meant; see `ids_by_number`.
    """
    documents: list[Document] = []
    for (name, root), numbered in zip(forest.items(), _numbered(forest), strict=True):
        sections: list[Section] = []
        for number, laid in numbered.items():
            sections.append(
                Section(
                    id=laid.id,
                    parent=laid.parent,
                    depth=laid.depth,
                    title=laid.node.title,
                    number=number,
                    text=laid.text,
                    start=sections[-1].end if sections else 0,
                    heading=len(laid.heading),
                    metadata=laid.node.metadata,
                )
            )
        text = "".join(section.text for section in sections)
        documents.append(
            Document(
                id=name,
                title=root.title,
                source=f"{name}.md",
                media_type="text/markdown",
                sha256=hashlib.sha256(text.encode()).hexdigest(),
                sections=tuple(sections),
                metadata=root.metadata,
            )
        )
    return documents


def ids_by_number(forest: Forest) -> dict[str, str]:
    """Return the section ids by the numbers that `to_documents` gives them."""
    return {number: laid.id for numbered in _numbered(forest) for number, laid in numbered.items()}


def ids_by_titles(forest: Forest) -> dict[str, str]:
    """Return the section ids by the path of their titles, "D/A/A2"; of equal paths the first counts."""
    ids: dict[str, str] = {}
    for name, root in forest.items():
        paths: dict[str | None, str] = {}
        for laid in lay_out(name, root):
            above = paths.get(laid.parent)
            paths[laid.id] = laid.node.title if above is None else f"{above}/{laid.node.title}"
            ids.setdefault(paths[laid.id], laid.id)
    return ids


def _numbered(forest: Forest) -> list[dict[str, LaidOut]]:
    return [
        {f"{place}.{position}": laid for position, laid in enumerate(lay_out(name, root))}
        for place, (name, root) in enumerate(forest.items(), start=1)
    ]


def _slugs(titles: list[str]) -> list[str]:
    """Return a readable name for each title, with -2, -3 behind those that come again."""
    slugs: list[str] = []
    for title in titles:
        plain = re.sub(r"\W+", "-", title.lower()).strip("-") or "section"
        slug, copy = plain, 1
        while slug in slugs:
            copy += 1
            slug = f"{plain}-{copy}"
        slugs.append(slug)
    return slugs
