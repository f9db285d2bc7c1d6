"""Backtracking: a rejected section gives its opener another try (rule 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tocwalk.state import Place
from tocwalk.walk.items import within
from tocwalk.walk.progress import Progress

__all__ = ["give_second_tries", "note_rejects"]


def note_rejects(progress: Progress, rejected: Sequence[str]) -> list[str]:
    """Note what was rejected from whose offer.

    Returns:
        The openers, each once, deepest first; those of which none lies in another by pick key.
    """
    openers: list[str] = []
    for id_ in rejected:
        opener = progress.seen[id_]["opener"]
        if opener is None:
            continue
        progress.rejected.setdefault(opener, []).append(progress.seen[id_]["place"])
        if opener not in openers:
            openers.append(opener)
    places = {opener: progress.seen[opener]["place"] for opener in openers}

    def deepest_first(opener: str) -> tuple[int, list[int]]:
        around = sum(within(places[opener], place) for place in places.values())
        return (-around, progress.seen[opener]["key"])

    return sorted(openers, key=deepest_first)


def give_second_tries(
    progress: Progress, openers: Sequence[str], *, remaining_visits: int, has_candidates: Callable[[Place], bool]
) -> None:
    """Open again those `openers` that may be, each seeing what the one before it did.

    Args:
        progress: Changed in place.
        openers: As `note_rejects` ordered them.
        remaining_visits: Visits left; none, and nothing is opened again.
        has_candidates: Whether the offer of a place still holds anything after what was rejected from it.
    """
    for opener in openers:
        place = progress.seen[opener]["place"]
        if remaining_visits > 0 and not progress.busy_below(place) and has_candidates(place):
            progress.open_again(opener)
