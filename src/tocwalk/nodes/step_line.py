"""One visit in a line, for whoever watches the custom stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tocwalk.state import Place
from tocwalk.tree.safe_text import one_line
from tocwalk.walk.offer import Offer

__all__ = ["step_line"]

_LONGEST = 60


def step_line(entry: Mapping[str, Any], place: Place, offer: Offer) -> str:
    """Return "opened 4 Supervision: 13 candidates -> 4.2, 4.3".

    Args:
        entry: The visit's trace entry.
        place: What was opened.
        offer: What was offered below it.
    """
    opened = one_line(offer.current.title, _LONGEST) if place["id"] else "the corpus"
    if offer.current.number:
        opened = f"{offer.current.number} {opened}"
    count = entry["offer"]["shown"]
    return f"opened {opened}: {count} candidate{'' if count == 1 else 's'} -> {_outcome(entry, offer)}"


def _outcome(entry: Mapping[str, Any], offer: Offer) -> str:
    if entry["decision"] == "error":
        return "no decision"
    if entry["decision"] == "stop" and entry.get("landed"):
        return "taken whole"
    names = [_name(offer, pick["ref"]) for pick in entry["chosen"]]
    if dropped := entry["dropped"]:
        reasons = ", ".join(sorted({one["reason"].replace("_", " ") for one in dropped}))
        names.append(f"{len(dropped)} not followed ({reasons})")
    return ", ".join(names) or "nothing here"


def _name(offer: Offer, ref: str) -> str:
    candidate = offer.by_ref[ref].candidate
    return candidate.number or one_line(candidate.title, _LONGEST)
