"""The offer: what one call shows the navigator of what lies below an opened place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tocwalk.navigators.outline import outline_hash, outline_tokens, render_outline
from tocwalk.navigators.protocol import OWN_BODY, Candidate
from tocwalk.state import Place
from tocwalk.tree import one_line
from tocwalk.walk.items import Item

__all__ = ["Entry", "Node", "Offer", "candidate_of"]

_TITLE = 200
"""Characters of a title that a navigator sees at most."""
_TITLES_IN_STATE = 20


@dataclass(slots=True)
class Node:
    """An item on its way into an offer, with those of its children that are shown."""

    item: Item
    children: list[Node] = field(default_factory=list["Node"])
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A candidate and what it stands for; the second half never reaches a navigator."""

    candidate: Candidate
    item: Item


class Offer:
    """The candidates of one opened place, in reading order.

    Equal arguments of `window.build_offer` give equal offers, so an offer is never stored: it is built again
    where it is needed.
    """

    def __init__(self, opened: Item, path: tuple[str, ...], own: Node | None, nodes: list[Node], *, below: int) -> None:
        """Name the candidates by refs that follow the outline.

        Args:
            opened: What is opened.
            path: Titles down to it.
            own: The same as a node, where its own body is offered as "0".
            nodes: What is shown of what is below.
            below: How many documents and sections are below altogether.
        """
        self.current = candidate_of(opened, "")
        self.path = path
        bodies = [] if own is None else [Entry(_own_body(own), opened)]
        self.entries = (*bodies, *_named(nodes))
        self.by_ref = {entry.candidate.ref: entry for entry in self.entries}
        self.outline = render_outline(self.candidates)
        self.tokens = outline_tokens(self.outline)
        self.hash = outline_hash(self.outline)
        shown = sum(entry.candidate.takeable and entry.candidate.openable for entry in self.entries)
        groups = [entry.item for entry in self.entries if entry.item.kind == "group" and entry.candidate.openable]
        self.counts = {
            "shown": len(self.entries) - len(bodies),
            "grouped": sum(group.children for group in groups),
            "left_out": max(0, below - shown),
            "summaries": sum(bool(entry.candidate.summary) for entry in self.entries),
        }

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """What the navigator sees."""
        return tuple(entry.candidate for entry in self.entries)

    def summary(self) -> dict[str, Any]:
        """Return what the trace records of an offer: hash, tokens and counts."""
        return {"hash": self.hash, "tokens": self.tokens, **self.counts}

    def glimpse(self) -> dict[str, Any]:
        """Return what a person stepping through wants to see: the summary and the first titles of the first level."""
        top = [entry.candidate for entry in self.entries if "." not in entry.candidate.ref]
        titles = [[c.ref, one_line(_numbered(c), 80)] for c in top[:_TITLES_IN_STATE]]
        return {**self.summary(), "titles": titles}


def candidate_of(item: Item, ref: str, summary: str = "") -> Candidate:
    """Return `item` as a navigator may see it: titles made safe and clipped."""
    place: Place = item.place
    return Candidate(
        ref=ref,
        kind=item.kind,
        title=one_line(item.title, _TITLE) or ("" if item.number else place["id"]),
        number=one_line(item.number, 40) if item.number else None,
        summary=summary,
        depth=place["depth"] if place["kind"] == "section" else None,
        page_start=item.page_start,
        page_end=item.page_end,
        has_children=item.children > 0,
        tokens=item.tokens,
    )


def _own_body(own: Node) -> Candidate:
    """Return the candidate "0": what is below the opened section is none of it."""
    return replace(candidate_of(own.item, OWN_BODY, own.summary), has_children=False, tokens=0)


def _named(nodes: list[Node]) -> Iterator[Entry]:
    """Walk the shown nodes in reading order, naming them "1", "1.1", "1.2", "2", …, without recursion."""
    stack = [(node, str(position)) for position, node in enumerate(nodes, 1)][::-1]
    while stack:
        node, ref = stack.pop()
        yield Entry(candidate_of(node.item, ref, node.summary), node.item)
        stack += [(child, f"{ref}.{position}") for position, child in enumerate(node.children, 1)][::-1]


def _numbered(candidate: Candidate) -> str:
    return " ".join(part for part in (candidate.number, candidate.title) if part)
