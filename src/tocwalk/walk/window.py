"""Building an offer: as much of the outline below an opened place as fits, titles before summaries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import isqrt

from tocwalk.navigators.outline import summary_overhead
from tocwalk.navigators.protocol import OWN_BODY
from tocwalk.state import Place
from tocwalk.tree import clip_bytes, one_line
from tocwalk.walk.items import Item, group_item, within
from tocwalk.walk.offer import Node, Offer
from tocwalk.walk.view import WalkView, group_range

__all__ = ["build_offer"]

_SUMMARY = 1000
"""Characters of a summary that a navigator sees at most."""
_ALWAYS_SHOWN = 2
"""Candidates that are shown even where they do not fit."""
_SUMMARY_AT_LEAST = 40
"""Bytes below which a clipped summary says nothing."""


def build_offer(
    view: WalkView,
    opened: Item,
    *,
    rejected: Sequence[Place] = (),
    tokens: int,
    levels: int | None,
) -> Offer:
    """Return the offer of `opened`: a pure function of its arguments and of what the view has pinned.

    First the titles of all children, grouped where they do not fit; then the titles of deeper levels, whole levels
    at a time; with what is left, summaries of the shown sections whose contents are not shown: a body of one's own is
    content that the titles below do not show.

    Args:
        view: The trees.
        opened: What is opened.
        rejected: What was rejected from earlier offers of it: left out, with all that is below or passes through to it.
        tokens: Size of the outline. Two candidates are shown even where they do not fit, so that a walk can go on.
        levels: How many levels are shown at most; None for as many as fit.
    """
    window = _Window(view, rejected, budget=4 * tokens)
    own = Node(view.entry(opened, OWN_BODY)) if opened.has_body else None
    if own is not None:
        window.show([own])
    top = window.first_level(opened)
    window.deeper_levels(top, levels)
    window.summaries()
    return Offer(opened, tuple(view.path(opened.place)), own, top, below=view.size(opened))


class _Window:
    """The nodes shown so far, and the UTF-8 bytes that are left."""

    def __init__(self, view: WalkView, rejected: Sequence[Place], *, budget: int) -> None:
        self.view = view
        self.rejected = rejected
        self.left = budget
        self.shown: list[Node] = []

    def first_level(self, opened: Item) -> list[Node]:
        """Show the children of `opened`, or groups of them where their titles do not fit."""
        children = self.view.children(opened)
        items = [child for child in children if not self._excluded(child)]
        if len(items) > _ALWAYS_SHOWN and not self._fit(items):
            first = group_range(opened.id)[0] if opened.kind == "group" else 1
            items = self._grouped(opened.place, list(enumerate(children, first)))
        nodes = self._nodes(items)
        self.show(nodes)
        return nodes

    def deeper_levels(self, top: list[Node], levels: int | None) -> None:
        """Show the titles of whole levels, one after the other, while they fit."""
        above = [] if any(node.entry.item.kind == "group" for node in top) else top
        depth = 1
        while above and (levels is None or depth < levels):
            parents = [node for node in above if self._may_open(node.entry.item)]
            # Every title costs two bytes at the very least, so a level of more cannot fit and need not be read.
            if not parents or 2 * sum(node.entry.item.children for node in parents) > self.left:
                return
            above = self._below(parents)
            self.show(above)
            depth += 1

    def summaries(self) -> None:
        """Give what is left to the summaries of sections whose contents are not shown, evenly."""
        wanted: list[tuple[Node, str, int]] = []
        for node in self.shown:
            item = node.entry.item
            summary = one_line(item.summary, _SUMMARY)
            if summary and (not node.children or item.has_body):
                wanted.append((node, summary, summary_overhead(node.entry.candidate.ref)))
        sizes = [(len(summary.encode()), overhead) for _, summary, overhead in wanted]
        share = _fair_share(sizes, self.left)
        if share >= min(_SUMMARY_AT_LEAST, max((size for size, _ in sizes), default=0)):
            for node, summary, _ in wanted:
                node.summary = clip_bytes(summary, share)

    def _below(self, parents: Sequence[Node]) -> list[Node]:
        """Give parents what is below them, and return it; nothing where its titles do not fit."""
        given: list[list[Node]] = []
        size = 0
        below = self.view.children_of([parent.entry.item for parent in parents])
        for parent, children in zip(parents, below, strict=True):
            items = [child for child in children if not self._excluded(child)]
            given.append(self._nodes(items, below=f"{parent.entry.candidate.ref}."))
            size += sum(node.entry.size for node in given[-1])
            if size > self.left:
                return []
        for parent, nodes in zip(parents, given, strict=True):
            parent.children = nodes
        return [node for nodes in given for node in nodes]

    def _grouped(self, parent: Place, numbered: list[tuple[int, Item]]) -> list[Item]:
        """Return contiguous groups of about equal size, as many as their square root, fewer if they do not fit.

        Groups are cut from all children, so that they are the same whatever was rejected; a group of which nothing is
        left is not offered.
        """
        count = isqrt(len(numbered) - 1) + 1
        groups = _cut(parent, numbered, count)
        while count > _ALWAYS_SHOWN and not self._fit(groups):
            count = max(_ALWAYS_SHOWN, count // 2)
            groups = _cut(parent, numbered, count)
        gone = {number for number, child in numbered if self._excluded(child)}
        return [group for group in groups if not self._all_gone(group, gone)]

    def _all_gone(self, group: Item, gone: set[int]) -> bool:
        if group.kind != "group":
            return self._excluded(group)
        first, last = group_range(group.id)
        return gone.issuperset(range(first, last + 1))

    def show(self, nodes: Sequence[Node]) -> None:
        """Show nodes."""
        self.shown += nodes
        self.left -= sum(node.entry.size for node in nodes)

    def _nodes(self, items: Sequence[Item], *, below: str = "") -> list[Node]:
        """Return items as nodes, named by their positions behind the ref of what they are below."""
        return [Node(self.view.entry(item, f"{below}{position}")) for position, item in enumerate(items, 1)]

    def _fit(self, items: Sequence[Item]) -> bool:
        costs = accumulate(self.view.entry(item, str(position)).size for position, item in enumerate(items, 1))
        return all(cost <= self.left for cost in costs)

    def _excluded(self, item: Item) -> bool:
        return any(within(item.place, place) or self.view.passes_to(item, place) for place in self.rejected)

    def _may_open(self, item: Item) -> bool:
        return item.children > 0 and item.place["depth"] < self.view.max_depth


def _cut(parent: Place, numbered: list[tuple[int, Item]], count: int) -> list[Item]:
    """Cut the numbered children into `count` groups; a group of one is that one."""
    groups: list[Item] = []
    for i in range(count):
        part = numbered[i * len(numbered) // count : (i + 1) * len(numbered) // count]
        members = [child for _, child in part]
        groups += members if len(part) == 1 else [group_item(parent, members, first=part[0][0], last=part[-1][0])]
    return groups


def _fair_share(sizes: Sequence[tuple[int, int]], left: int) -> int:
    """Return the largest limit in bytes such that all summaries, clipped to it, fit into `left`.

    Args:
        sizes: Of each summary its bytes and what showing it costs besides.
        left: Bytes to share.
    """
    left -= sum(overhead for _, overhead in sizes)
    lengths = sorted(length for length, _ in sizes)
    for position, length in enumerate(lengths):
        if length * (len(lengths) - position) > left:
            return max(0, left // (len(lengths) - position))
        left -= length
    return lengths[-1] if lengths else 0
