"""The offer: what one call shows the navigator of what lies below an opened place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tocwalk.navigators.outline import outline_hash, outline_tokens, render_candidate
from tocwalk.navigators.protocol import Candidate
from tocwalk.state import Place
from tocwalk.tree import one_line
from tocwalk.walk.items import Item

__all__ = ["Entry", "Node", "Offer", "entry_of"]

_TITLE = 200
"""Characters of a title that a navigator sees at most."""
_TITLES_IN_STATE = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A candidate, its line in the outline, and what it stands for, which never reaches a navigator."""

    candidate: Candidate
    line: str
    item: Item

    @property
    def size(self) -> int:
        """UTF-8 bytes that it takes in an outline, its line break included."""
        return len(self.line.encode()) + 1


@dataclass(slots=True)
class Node:
    """An entry on its way into an offer, with those of what is below it that are shown."""

    entry: Entry
    children: Sequence[Node] = ()
    summary: str = ""


class Offer:
    """The candidates of one opened place, in reading order.

    Equal arguments of `window.build_offer` give equal offers, so an offer is never stored: it is built again
    where it is needed.
    """

    def __init__(
        self, opened: Item, path: tuple[str, ...], own: Node | None, nodes: Sequence[Node], *, below: int
    ) -> None:
        """Put what is shown in reading order.

        Args:
            opened: What is opened.
            path: Titles down to it.
            own: The same as a node "0", where its own body is offered.
            nodes: What is shown of what is directly below, each with what is shown below it.
            below: How many documents and sections are below altogether.
        """
        self.current = _candidate(opened, "")
        self.path = path
        bodies = [] if own is None else [_own_body(own)]
        self.entries = (*bodies, *_in_reading_order(nodes))
        self.by_ref = {entry.candidate.ref: entry for entry in self.entries}
        self.outline = "\n".join(entry.line for entry in self.entries)
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


def entry_of(item: Item, ref: str, summary: str = "") -> Entry:
    """Return `item` as an offer shows it under `ref`."""
    return _entry(_candidate(item, ref, summary), item)


def _entry(candidate: Candidate, item: Item) -> Entry:
    return Entry(candidate, render_candidate(candidate), item)


def _candidate(item: Item, ref: str, summary: str = "") -> Candidate:
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


def _own_body(own: Node) -> Entry:
    """Return the entry "0": what is below the opened section is none of it."""
    whole = _shown(own)
    return _entry(replace(whole.candidate, has_children=False, tokens=0), whole.item)


def _in_reading_order(nodes: Sequence[Node]) -> Iterator[Entry]:
    """Walk the shown nodes, parents before what is below them, without recursion."""
    stack = [*reversed(nodes)]
    while stack:
        node = stack.pop()
        yield _shown(node)
        stack += reversed(node.children)


def _shown(node: Node) -> Entry:
    """Return the entry with the summary that the offer has room for."""
    entry = node.entry
    return entry_of(entry.item, entry.candidate.ref, node.summary) if node.summary else entry


def _numbered(candidate: Candidate) -> str:
    return " ".join(part for part in (candidate.number, candidate.title) if part)
