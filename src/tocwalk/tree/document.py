"""A document: what a parser returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tocwalk.errors import HierarchyError
from tocwalk.tree.section import JsonScalar, Section

__all__ = ["Document"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A parsed document: its sections in reading order, the first being the document itself."""

    id: str
    """The path below the indexed root, with "/" between its parts."""
    title: str
    source: str
    """Where it came from: an absolute path, or what was handed over."""
    media_type: str
    sha256: str
    """Of the file's bytes: what decides whether it has changed."""
    sections: tuple[Section, ...]
    pages: int | None = None
    warnings: tuple[str, ...] = ()
    """What a reader should know: encoding guessed, characters replaced, no structure found."""
    running_text: tuple[str, ...] = ()
    """Running headers and footers that are not part of the text."""
    metadata: Mapping[str, JsonScalar] = field(default_factory=dict[str, JsonScalar])
    """Document metadata, tested by filters before the walk."""

    @property
    def text(self) -> str:
        """The extracted text: the sections' texts in reading order."""
        return "".join(section.text for section in self.sections)

    def check(self) -> None:
        """Raise unless the sections form one tree in reading order that covers the text.

        Raises:
            HierarchyError: Naming the section and its parent where they do not.
        """
        if not self.sections or self.sections[0].parent is not None or self.sections[0].depth != 0:
            raise HierarchyError(f"Document {self.id!r} has no root: its first section needs depth 0 and no parent.")
        path: list[Section] = []
        seen: set[str] = set()
        offset = 0
        for section in self.sections:
            if section.id in seen:
                raise HierarchyError(f"Document {self.id!r} has two sections {section.id!r}: ids must differ.")
            if section.start != offset:
                raise HierarchyError(
                    f"Section {section.id!r} begins at {section.start}, but the text before it ends at {offset}."
                )
            del path[section.depth :]
            parent = path[-1].id if path else None
            if section.parent != parent or len(path) != section.depth:
                raise HierarchyError(
                    f"Section {section.id!r} names {section.parent!r} as its parent, but it follows {parent!r} at depth"
                    f" {section.depth}: sections must come in reading order, each below its parent."
                )
            seen.add(section.id)
            path.append(section)
            offset = section.end
