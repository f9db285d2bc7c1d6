"""Levels of headings: by their rank, and where ranks are the same by the sections around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tocwalk.ingest.html.elements import attribute

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["Levels"]

_SECTION_TAGS = {"section", "article"}
_SECTION_CLASSES = re.compile(
    r"section|simplesect|(?:ref)?sect\d|level\d|chapter|appendix|part|book|preface|article|reference|refentry|set"
    r"|dedication|glossary|bibliography|colophon|index"
)
"""Classes that docutils, DocBook and pandoc give to a `<div>` around a section and its subsections."""


@dataclass(slots=True)
class _Container:
    """An element around a section."""

    open: bool = True
    headed: bool = False


@dataclass(frozen=True, slots=True)
class _Open:
    """A heading that others can be below."""

    rank: int
    heads: _Container | None
    """The container whose first heading it is."""


class Levels:
    """Tells the level of each heading as a page is read.

    A heading is below those before it that have a smaller rank (`<h1>` is 1). Where every section has the same rank, as
    in pages that nest `<section>` or were made from DocBook, it is also below the heading of a section around its own.
    """

    def __init__(self) -> None:
        """Begin with no heading."""
        self._containers: list[_Container] = []
        self._above: list[_Open] = []

    @staticmethod
    def is_container(node: LexborNode) -> bool:
        """Tell whether an element stands around a section and its subsections."""
        if node.tag != "div":
            return node.tag in _SECTION_TAGS
        return any(map(_SECTION_CLASSES.fullmatch, attribute(node, "class").split()))

    def enter(self) -> None:
        """Note that an element that stands around a section begins."""
        self._containers.append(_Container())

    def leave(self) -> None:
        """Note that the last such element ends."""
        self._containers.pop().open = False

    def level(self, rank: int) -> int:
        """Return the level of the heading that comes next; 1 is the top."""
        own = self._containers[-1] if self._containers else None
        while self._above and not _is_above(self._above[-1], rank, own):
            self._above.pop()
        heads = own if own is not None and not own.headed else None
        if own is not None:
            own.headed = True
        self._above.append(_Open(rank, heads))
        return len(self._above)


def _is_above(other: _Open, rank: int, own: _Container | None) -> bool:
    around = other.heads is not None and other.heads.open and other.heads is not own
    return other.rank < rank or (other.rank == rank and around)
