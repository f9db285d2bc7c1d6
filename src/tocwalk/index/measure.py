"""What a section is within its tree, found once when it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tocwalk.tree import Section

__all__ = ["Extent", "extents"]


@dataclass(slots=True)
class Extent:
    """A section's place and size in its tree, by positions in reading order."""

    parent: int | None
    end: int
    """Behind the last section below."""
    text_bytes: int
    subtree_bytes: int
    children: int = 0
    levels: int = 0


def extents(sections: Sequence[Section]) -> list[Extent]:
    """Return the extent of each section of a checked document, in time linear in their number."""
    found: list[Extent] = []
    path: list[int] = []
    for position, section in enumerate(sections):
        del path[section.depth :]
        size = len(section.text.encode())
        found.append(Extent(path[-1] if path else None, position + 1, size, size))
        path.append(position)
    for extent in reversed(found):  # what is below comes before what it is added to
        if extent.parent is not None:
            above = found[extent.parent]
            above.end = max(above.end, extent.end)
            above.subtree_bytes += extent.subtree_bytes
            above.children += 1
            above.levels = max(above.levels, extent.levels + 1)
    return found
