"""The trees as one walk sees them: one corpus, one scope, one generation, one depth limit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from tocwalk.index.cache import ListCache
from tocwalk.index.reader import TreeReader
from tocwalk.state import Place, Request, StopReason
from tocwalk.tree import SectionHead
from tocwalk.walk.catalog import Catalog
from tocwalk.walk.items import Item, group_item, within
from tocwalk.walk.offer import Entry, entry_of

__all__ = ["Settled", "WalkView"]

_KEPT_WAYS = 2000
"""Section heads kept of the ways down to what was opened."""
_KEPT_ITEMS = 4000
"""Sections kept as items, and at most as many entries of offers: some 5 MB."""
_GROUP_ID = re.compile(r"\[(\d+)-(\d+)\]$")


class Settled(NamedTuple):
    """What opening something comes to: `reason` says why it lands at once, None that it is to be opened."""

    item: Item
    reason: StopReason | None


class WalkView:
    """Reads through a `TreeReader`, all at one pinned generation. Its methods block."""

    def __init__(self, reader: TreeReader, request: Request, *, generation: int, max_depth: int) -> None:
        """Read which documents are in scope.

        Raises:
            NotFoundError: There is no such corpus.
            GenerationCollectedError: The generation is no longer there.
        """
        self._reader = reader
        self._corpus = request["corpus"]
        self._generation = generation
        self.max_depth = max_depth
        self._ways = ListCache[SectionHead](_KEPT_WAYS)
        self._children = ListCache[Item](_KEPT_ITEMS)
        self.entry: Callable[[Item, str], Entry] = lru_cache(_KEPT_ITEMS)(entry_of)
        """Returns an item as an offer shows it under a ref; asked for several times by one offer, and by later ones."""
        filters = {key: value for key, value in request["filters"].items() if not key.startswith("section.")}
        roots = reader.roots(self._corpus, generation, only_documents=request["only_documents"], filters=filters)
        self.catalog = Catalog(roots, corpus=self._corpus, max_depth=max_depth)

    def item(self, place: Place) -> Item:
        """Return the item of a place that is known by its place alone."""
        if place["kind"] == "section":
            return self.catalog.item(self._way(place)[-1])
        if place["kind"] == "group":
            first, last = group_range(place["id"])
            members = self.children(self._parent(place))[first - 1 : last]
            return group_item(place, members, first=first, last=last)
        return self.catalog.above(place["id"])

    def children(self, item: Item) -> Sequence[Item]:
        """Return what is directly below, in reading order."""
        return self.children_of([item])[0]

    def children_of(self, items: Sequence[Item]) -> list[Sequence[Item]]:
        """Return what is directly below each of `items`; one read for all sections among them."""
        sections = [item for item in items if item.place["kind"] == "section"]
        keys = [(item.place["tree"], item.place["span"][1]) for item in sections]
        # Read even where the items are kept: the index says so if they have been collected.
        heads = iter(self._reader.children(self._corpus, self._generation, keys) if keys else ())
        below = {
            item.id: self._items(key, list(islice(heads, item.children)))
            for item, key in zip(sections, keys, strict=True)
        }
        return [below[item.id] if item.id in below else self._above_children(item) for item in items]

    def settle(self, item: Item) -> Settled:
        """Say what opening `item` comes to, free of charge (rule 2)."""
        while True:
            if item.kind in ("document", "section"):
                if item.children == 0:
                    return Settled(item, "LEAF")
                if item.place["depth"] >= self.max_depth:
                    return Settled(item, "MAX_DEPTH")
            if not item.passes_through:
                return Settled(item, None)
            item = self.children(item)[0]

    def passes_to(self, item: Item, place: Place) -> bool:
        """Whether opening `item` is, by passing through, opening `place`."""
        while within(place, item.place):
            if item.id == place["id"]:
                return True
            if not item.passes_through:
                return False
            item = self.children(item)[0]
        return False

    def path(self, place: Place) -> list[str]:
        """Return the titles from the folders and the document down to `place`; a group is no part of it."""
        if place["kind"] == "group":
            return self.path(self._parent(place).place)
        if place["kind"] != "section":
            return [part for part in place["id"].split("/") if part]
        heads = self._way(place)
        folders = heads[0].document.split("/")[:-1]
        return [*(part for part in folders if part), *(head.name for head in heads)]

    def size(self, item: Item) -> int:
        """Return how many documents and sections lie below `item`."""
        lo_document, lo, hi_document, hi = item.place["span"]
        if lo_document == hi_document:
            return hi - lo - (item.kind != "group")
        return self.catalog.size_between(lo_document, hi_document)

    def _parent(self, group: Place) -> Item:
        """Return the section, folder or corpus whose children a group holds."""
        if group["tree"] == 0:
            return self.catalog.above(group["of"])
        return self.catalog.item(self._way(group)[group["depth"]])

    def _way(self, place: Place) -> tuple[SectionHead, ...]:
        """Return the sections from the document down to a section, or to the first member of a group.

        They are asked for twice in each offer, for the section and for its path; the index is asked once.
        """
        key = (place["tree"], place["span"][1])
        heads = self._ways.get(key)
        if heads is None:
            heads = tuple(self._reader.ancestors(self._corpus, self._generation, key))
            self._ways.put(key, heads)
        return heads

    def _items(self, parent: tuple[int, int], heads: Sequence[SectionHead]) -> tuple[Item, ...]:
        """Return the heads below a section as items, the same ones each time."""
        items = self._children.get(parent)
        if items is None:
            items = tuple(map(self.catalog.item, heads))
            self._children.put(parent, items)
        return items

    def _above_children(self, item: Item) -> Sequence[Item]:
        if item.kind == "group":
            first, last = group_range(item.id)
            return self.children(self._parent(item.place))[first - 1 : last]
        return self.catalog.children(item.id)


def group_range(group_id: str) -> tuple[int, int]:
    """Return the 1-based positions of the first and last child in a group, from its id."""
    match = _GROUP_ID.search(group_id)
    if match is None:
        raise ValueError(f"{group_id!r} is not the id of a group, which ends in [FIRST-LAST].")
    return int(match[1]), int(match[2])
