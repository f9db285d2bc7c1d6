"""Rules 2, 6 and 7 as far as they are functions of places and paths alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reference.places import Place, below, inside, levels
from tocwalk.state import StopReason, WalkContext

__all__ = ["Path", "deepest_first", "excluded", "next_wave", "settle"]


@dataclass(slots=True, eq=False, kw_only=True)
class Path:
    """A place that is or was open."""

    place: Place
    key: tuple[int, ...]
    """Pick positions from the start (rule 7)."""
    opener: Path | None
    picks: int = 0
    """Picks returned in it so far, over all times it was opened (rule 7)."""
    times: int = 0
    """How often it was opened."""


def settle(place: Place, max_depth: int) -> tuple[Place, StopReason | None]:
    """Rule 2: return where what is to be opened settles, and why it ends there; None: it becomes open."""
    while place.kind != "group":
        if not place.children:
            return place, "LEAF" if place.kind == "section" else "NOTHING_IN_SCOPE"
        if place.depth == max_depth:
            return place, "MAX_DEPTH"
        if not _passes_through(place):
            break
        place = place.children[0]
    return place, None


def next_wave(
    frontier: Sequence[Path], settings: WalkContext, remaining_visits: int, affords: Callable[[int], bool]
) -> list[Path]:
    """Rule 7: return what is opened next, in key order: the first, and more while what lies below fits.

    Args:
        frontier: All that is open; at least one.
        settings: For `parallel` and `max_depth`.
        remaining_visits: Before this wave.
        affords: Whether that many calls fit the token and money budgets.
    """
    wave: list[Path] = []
    depth = 0
    for path in sorted(frontier, key=lambda path: path.key):
        depth += levels(path.place, settings.max_depth)
        fits = len(wave) < settings.parallel and depth <= remaining_visits and affords(len(wave) + 1)
        if wave and not fits:
            break
        wave.append(path)
    return wave


def excluded(opener: Place, rejected: Sequence[Place], parents: Mapping[str, Place]) -> frozenset[str]:
    """Rule 6: return the ids of what was rejected from an opener, of all below it, and of what passes through to it."""
    ids: set[str] = set()
    for place in rejected:
        ids.update(one.id for one in (place, *below(place)))
        # A group has no parent here: what it belongs to is its opener, or is what its opener, a group too, belongs to.
        above = parents.get(place.id)
        while above and above.id != opener.id and inside(above, opener) and _passes_through(above):
            ids.add(above.id)
            above = parents.get(above.id)
    return frozenset(ids)


def deepest_first(openers: Sequence[Path]) -> list[Path]:
    """Rule 6: return the openers, each after all that lie inside it, otherwise by pick key."""
    left, ordered = list(openers), list[Path]()
    while left:
        free = [one for one in left if not any(inside(other.place, one.place) for other in left if other is not one)]
        ordered.append(min(free, key=lambda path: path.key))
        left.remove(ordered[-1])
    return ordered


def _passes_through(place: Place) -> bool:
    """Rule 2: whether a place has exactly one thing below it in scope and a blank body."""
    return not place.body and len(place.children) == 1
