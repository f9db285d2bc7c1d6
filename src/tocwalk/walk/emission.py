"""From landings to results: their text, their order, and why the walk ended (rules 11, 12 and 14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tocwalk.state import CUT_SHORT, Landing, StopReason, TextScope

__all__ = ["Extent", "order_landings", "remove_contained", "text_scope", "walk_stop_reason"]

_CUTS: tuple[StopReason, ...] = ("CANCELLED", "INDEX_CHANGED", "RECURSION_GUARD", "BUDGET_EXHAUSTED")


def order_landings(landed: Sequence[Landing]) -> list[Landing]:
    """Return the landings best first: chosen ones by pick key, then those cut short."""
    return sorted(landed, key=lambda landing: (landing["reason"] in CUT_SHORT, landing["key"]))


def text_scope(*, own: bool, leaf: bool, subtree_tokens: int, max_section_tokens: int) -> TextScope:
    """Return how much text a landing comes with. A section is never cut: what does not fit comes as titles."""
    if own or leaf:
        return "own"
    return "subtree" if subtree_tokens <= max_section_tokens else "own+titles"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """The sections whose text a landing holds: positions `[start, end)` of one tree."""

    tree: int
    start: int
    end: int

    @classmethod
    def of(cls, landing: Landing, scope: TextScope) -> Extent:
        """Return the extent of a landing; the titles of `own+titles` are no text."""
        place = landing["place"]
        start = place["span"][1]
        return cls(tree=place["tree"], start=start, end=place["span"][3] if scope == "subtree" else start + 1)

    def holds(self, other: Extent) -> bool:
        """Whether all of `other` lies in this one."""
        return self.tree == other.tree and self.start <= other.start and other.end <= self.end


def remove_contained(
    ordered: Sequence[tuple[Landing, TextScope]],
) -> tuple[list[tuple[Landing, TextScope]], list[dict[str, Any]]]:
    """Drop landings whose text lies within another's.

    A landing that was cut short goes rather than a chosen one inside it; of equals the later goes.

    Args:
        ordered: Landings best first.

    Returns:
        Those that stay, in order, and the trace entries of those that went.
    """
    extents = [Extent.of(landing, scope) for landing, scope in ordered]
    cut_short = {i for i, (landing, _) in enumerate(ordered) if landing["reason"] in CUT_SHORT}
    dropped: dict[int, dict[str, Any]] = {}
    # Extents are nested or apart, never overlapping: sorted by their beginnings, those around one are a stack.
    for i, around in _nested(extents, sorted(range(len(ordered)), key=lambda i: i not in cut_short)):
        for j in around if i not in cut_short else ():
            if j in cut_short:
                dropped.setdefault(j, _drop(ordered[j][0], "contains", ordered[i][0]))
    for i, around in _nested(extents, [i for i in range(len(ordered)) if i not in dropped]):
        if around:
            dropped[i] = _drop(ordered[i][0], "contained_in", ordered[around[0]][0])
    staying = [entry for i, entry in enumerate(ordered) if i not in dropped]
    return staying, [dropped[i] for i in sorted(dropped)]


def _nested(extents: Sequence[Extent], indices: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield each index with those of the others whose extents hold its own, outermost first.

    Of equal extents the one that comes first in `indices` holds the others.
    """
    around: list[int] = []
    for i in sorted(indices, key=lambda i: (extents[i].tree, extents[i].start, -extents[i].end)):
        while around and not extents[around[-1]].holds(extents[i]):
            around.pop()
        yield i, list(around)
        around.append(i)


def walk_stop_reason(trace: Sequence[dict[str, Any]], first: StopReason | None) -> StopReason:
    """Return why the walk ended.

    Args:
        trace: All of it.
        first: The reason of the first section returned; None where there is none.
    """
    cuts: set[Any] = {entry["reason"] for entry in trace if entry["event"] == "end"}
    for reason in _CUTS:
        if reason in cuts:
            return reason
    if first is not None:
        return first
    for end in map(_last_end, reversed(trace)):
        if end is not None:
            return end
    return "NOTHING_IN_SCOPE"


def _drop(landing: Landing, reason: str, by: Landing) -> dict[str, Any]:
    return {"event": "drop", "id": landing["place"]["id"], "reason": reason, "by": by["place"]["id"]}


def _last_end(entry: dict[str, Any]) -> StopReason | None:
    """Return the reason of the last path that ended in this step, if one did."""
    if entry["event"] in ("start", "open"):
        landings = [pick["landed"] for pick in entry.get("chosen", []) if "landed" in pick]
        return entry.get("ended") or (landings[-1] if landings else None)
    return entry["reason"] if entry["event"] == "end" else None
