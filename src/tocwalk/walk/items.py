"""What a walk meets on its way down: documents, sections, folders and groups, without their text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tocwalk.navigators.protocol import CandidateKind
from tocwalk.state import Place
from tocwalk.tree import SectionHead, one_line, tokens_of_bytes

__all__ = ["Item", "group_item", "section_item", "within"]

_TITLE_IN_STATE = 120
_TITLE_IN_GROUP = 60


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Item:
    """Something that can be offered, with what a navigator may know of it.

    Compared by identity, so that what is made of one can be kept by it; places are equal where they are the same.
    """

    place: Place
    kind: CandidateKind
    title: str
    number: str | None = None
    summary: str = ""
    page_start: int | None = None
    page_end: int | None = None
    children: int
    """How many things are directly below, in scope."""
    has_body: bool = False
    tokens: int = 0
    """Of the subtree text."""

    @property
    def id(self) -> str:
        """The place's id."""
        return self.place["id"]

    @property
    def passes_through(self) -> bool:
        """Whether opening it is opening the one thing below it."""
        return self.children == 1 and not self.has_body and self.kind != "group"


def within(inner: Place, outer: Place) -> bool:
    """Whether `inner` is `outer` or lies somewhere below it."""
    return outer["span"][:2] <= inner["span"][:2] and inner["span"][2:] <= outer["span"][2:]


def section_item(head: SectionHead, *, ordinal: int, max_depth: int) -> Item:
    """Return the item for a section.

    Args:
        head: The section.
        ordinal: Where its document stands among those in scope.
        max_depth: Deepest level the walk looks at.
    """
    # Not `Place(...)`, which takes three times as long: an offer may be of thousands.
    place: Place = {
        "kind": "section",
        "id": head.id,
        "title": one_line(head.title or head.name, _TITLE_IN_STATE),
        "span": [ordinal, head.position, ordinal, head.end],
        "tree": head.tree,
        "depth": head.depth,
        "levels": max(0, min(head.levels, max_depth - head.depth)),
        "of": "",
    }
    return Item(
        place=place,
        kind="document" if head.depth == 0 else "section",
        title=head.title,
        number=head.number,
        summary=head.summary,
        page_start=head.page_start,
        page_end=head.page_end,
        children=head.children,
        has_body=head.has_body,
        tokens=tokens_of_bytes(head.subtree_bytes),
    )


def group_item(parent: Place, members: Sequence[Item], *, first: int, last: int) -> Item:
    """Return the group of `members`, the children `first` to `last` (1-based) of `parent`."""
    of = parent["of"] if parent["kind"] == "group" else parent["id"]
    ends = [one_line(f"{end.number or ''} {end.title}", _TITLE_IN_GROUP) for end in (members[0], members[-1])]
    place = Place(
        kind="group",
        id=f"{of}[{first}-{last}]",
        title=" … ".join(ends),
        span=members[0].place["span"][:2] + members[-1].place["span"][2:],
        tree=parent["tree"],
        depth=parent["depth"],
        levels=1 + max(member.place["levels"] for member in members),
        of=of,
    )
    return Item(place=place, kind="group", title=place["title"], number=f"{first}-{last}", children=len(members))
