"""Turning decisions into landings and newly open sections (rules 4, 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tocwalk.navigators.protocol import OWN_BODY
from tocwalk.state import DecisionRecord, Opened, PickRecord, StopReason
from tocwalk.tree import clip
from tocwalk.walk.offer import Entry, Offer
from tocwalk.walk.progress import Progress
from tocwalk.walk.view import WalkView

__all__ = ["apply_decision", "opened_entry"]

_REASONING = 500
"""Characters of a navigator's own words that the trace keeps."""


def apply_decision(
    progress: Progress, view: WalkView, offer: Offer, *, id_: str, decision: DecisionRecord, max_picks: int
) -> dict[str, Any]:
    """Apply the decision on one offer; the opened place is no longer open afterwards.

    Args:
        progress: Changed in place.
        view: The trees.
        offer: What the navigator saw.
        id_: The opened place.
        decision: A `pick`, `stop` or `reject`.
        max_picks: How many `open` picks are followed.

    Returns:
        What it came to, for the trace: `chosen` and `dropped`, and `ended` with `landed` where the path ended here.
        `ended` is "NAVIGATOR_REJECT" with `second_try` True where the opener may be given another try.
    """
    progress.close(id_)
    opened = progress.seen[id_]
    place = progress.standing(id_)
    if decision["action"] == "stop" and place is not None:
        progress.land(place, opened["key"], "NAVIGATOR_STOP")
        return {"chosen": [], "dropped": [], "ended": "NAVIGATOR_STOP", "landed": place["id"]}
    picks = decision.get("picks", []) if decision["action"] == "pick" else []
    if not picks:
        return {"chosen": [], "dropped": [], "ended": "NAVIGATOR_REJECT", "second_try": True}
    outcome = _Picks(progress, view, offer, opened, max_picks).follow(picks)
    opened["picks"] += len(picks)
    if outcome["chosen"]:
        return outcome
    if any(drop["reason"] != "unknown" for drop in outcome["dropped"]):
        return {**outcome, "ended": "NAVIGATOR_REJECT"}
    if place is not None:
        progress.land(place, opened["key"], "UNKNOWN_NODE")
    return {**outcome, "ended": "UNKNOWN_NODE", "landed": place["id"] if place else None}


def opened_entry(opened: Opened, offer: Offer, decision: DecisionRecord, *, visits_left: int) -> dict[str, Any]:
    """Return the beginning of the trace entry of one visit; `apply_decision` gives the rest."""
    return {
        "event": "open",
        "id": opened["place"]["id"],
        "title": opened["place"]["title"],
        "opener": opened["opener"],
        "visits_left": visits_left,
        "offer": offer.summary(),
        "decision": decision["action"],
        "reasoning": clip(decision.get("reasoning", ""), _REASONING),
    }


class _Picks:
    """The picks of one decision, checked one by one in their order."""

    def __init__(self, progress: Progress, view: WalkView, offer: Offer, opened: Opened, max_picks: int) -> None:
        self.progress = progress
        self.view = view
        self.offer = offer
        self.opened = opened
        self.opens_left = max_picks
        self.chosen: list[dict[str, Any]] = []
        self.dropped: list[dict[str, Any]] = []

    def follow(self, picks: Iterable[PickRecord]) -> dict[str, Any]:
        for position, given in enumerate(picks, self.opened["picks"]):
            entry = self.offer.by_ref.get(given["ref"])
            action = given.get("action", "open")
            pick = PickRecord(ref=given["ref"], action=action)
            if entry is None or not _possible(entry, action):
                self._drop(pick, "unknown")
            elif action == "take":
                self._take(pick, entry, [*self.opened["key"], position])
            elif self.opens_left == 0:
                self._drop(pick, "over_max_picks", entry.item.id)
            else:
                self._open(pick, entry, [*self.opened["key"], position])
        return {"chosen": self.chosen, "dropped": self.dropped}

    def _take(self, pick: PickRecord, entry: Entry, key: list[int]) -> None:
        own = entry.candidate.ref == OWN_BODY
        if self.progress.is_taken(entry.item.id, own=own):
            self._drop(pick, "repeated", entry.item.id)
            return
        reason: StopReason = "NAVIGATOR_STOP" if own or entry.item.children else "LEAF"
        self.progress.land(entry.item.place, key, reason, own=own)
        self._choose(pick, entry.item.id, landed=reason)

    def _open(self, pick: PickRecord, entry: Entry, key: list[int]) -> None:
        item, reason = self.view.settle(entry.item)
        # Taken as a whole before, it is a repetition even where opening it would lead on to something below.
        repeated = next((id_ for id_ in (entry.item.id, item.id) if self.progress.is_taken(id_)), None)
        if repeated is not None:
            self._drop(pick, "repeated", repeated)
            return
        self.opens_left -= 1
        if reason is not None:
            self.progress.land(item.place, key, reason)
            self._choose(pick, item.id, landed=reason)
        else:
            self.progress.open(item.place, key, self.opened["place"]["id"])
            self._choose(pick, item.id)

    def _choose(self, pick: PickRecord, id_: str, *, landed: StopReason | None = None) -> None:
        self.chosen.append({**pick, "id": id_} | ({"landed": landed} if landed else {}))

    def _drop(self, pick: PickRecord, reason: str, id_: str | None = None) -> None:
        ref = pick["ref"] if id_ else clip(pick["ref"], 40)  # what was not offered may be of any length
        self.dropped.append({**pick, "ref": ref, "reason": reason} | ({"id": id_} if id_ else {}))


def _possible(entry: Entry, action: str) -> bool:
    return entry.candidate.takeable if action == "take" else entry.candidate.openable
