"""Where a walk stands: what is open, what landed, what was rejected, and the trace of it."""

from __future__ import annotations

from typing import Any

from tocwalk.state import Landing, Opened, Place, StopReason, Update, WalkState
from tocwalk.walk.items import within

__all__ = ["Progress"]


class Progress:
    """A working copy of those keys of the state; `update` gives them back to it."""

    def __init__(self, state: WalkState | None = None) -> None:
        """Copy what a node may change, for a state must never be changed in place; None: nothing has happened yet."""
        self.seen: dict[str, Opened] = {id_: opened.copy() for id_, opened in state["seen"].items()} if state else {}
        self.landed: list[Landing] = list(state["landed"]) if state else []
        self.rejected: dict[str, list[Place]] = (
            {id_: list(places) for id_, places in state["rejected"].items()} if state else {}
        )
        self.trace: list[dict[str, Any]] = list(state["trace"]) if state else []
        self._taken = {landing["place"]["id"] for landing in self.landed}
        self._own_taken = {landing["place"]["id"] for landing in self.landed if landing["own"]}
        self._open: set[str] = {*state["frontier"], *state["wave"]} if state else set()

    def open(self, place: Place, key: list[int], opener: str | None) -> None:
        """Open a place that was never open."""
        self.seen[place["id"]] = Opened(place=place, key=key, opener=opener, picks=0)
        self._open.add(place["id"])

    def open_again(self, id_: str) -> None:
        """Give a place that is no longer open another try; it keeps its key and its opener."""
        self._open.add(id_)
        self.trace.append({"event": "again", "id": id_, "without": [place["id"] for place in self.rejected[id_]]})

    def close(self, id_: str) -> None:
        """The place is no longer open: its paths go on below it, or have ended."""
        self._open.discard(id_)

    def land(self, place: Place, key: list[int], reason: StopReason, *, own: bool = False) -> None:
        """End a path with a section."""
        self._taken.add(place["id"])
        if own:
            self._own_taken.add(place["id"])
        self.landed.append(Landing(place=place, key=key, reason=reason, own=own))

    def cut(self, id_: str, reason: StopReason, *, land: bool, limit: str | None = None) -> None:
        """End the path that stands at an open place, for a reason of its own.

        Args:
            id_: The place.
            reason: Why.
            land: Whether the section it stands at lands: for a group its section, for a corpus or folder nothing.
            limit: The limit that was reached, for the trace.
        """
        opened = self.seen[id_]
        place = self.standing(id_) if land else None
        entry: dict[str, Any] = {"event": "end", "id": id_, "reason": reason, "landed": place is not None}
        if limit is not None:
            entry["limit"] = limit
        self.trace.append(entry)
        if place is not None:
            self.land(place, opened["key"], reason)
        self.close(id_)

    def standing(self, id_: str) -> Place | None:
        """Return the section at which an opened place stands: itself, a group's section, or None above documents."""
        place = self.seen[id_]["place"]
        if place["kind"] == "group" and place["tree"]:
            return self.seen[place["of"]]["place"]
        return place if place["kind"] == "section" else None

    def is_taken(self, id_: str, *, own: bool = False) -> bool:
        """Whether a section is or was open or has landed; with `own`, whether its own body has landed as "0"."""
        return id_ in self._own_taken if own else id_ in self.seen or id_ in self._taken

    def busy_below(self, place: Place) -> bool:
        """Whether the place itself or anything below it has landed or is open."""
        others = [self.seen[id_]["place"] for id_ in self._open if id_ != place["id"]]
        return any(within(other, place) for other in [*others, *(landing["place"] for landing in self.landed)])

    def in_order(self) -> list[str]:
        """Return the ids of what is open, by pick key: depth first."""
        return sorted(self._open, key=lambda id_: self.seen[id_]["key"])

    def update(self) -> Update:
        """Return the changed keys of the state."""
        return Update(
            frontier=self.in_order(),
            seen=self.seen,
            landed=self.landed,
            rejected=self.rejected,
            trace=self.trace,
        )
