"""Small walks worked by hand: trees, scripts and what was opened, in few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from reference.model import run
from reference.outcome import Decide, Outcome
from reference.places import Candidate, Offer, levels_offer
from reference.trees import Forest, Node
from tocwalk.navigators.protocol import Decision, Pick, Usage
from tocwalk.state import WalkContext
from tocwalk.state.operator import Price

__all__ = ["Answer", "answers", "node", "opened", "pair", "walk"]

Answer: TypeAlias = str | Exception | list[tuple[str, Any]]
"""What is answered to one offer: "stop", "reject", an error to raise, or picks of (place id or "0", action)."""


def node(title: str, *sections: Node, body: bool = True, **metadata: str) -> Node:
    """Return a section with what is below it."""
    return Node(title, body, sections, metadata)


def pair(title: str) -> Node:
    """Return a section with two leaves below it: "a" gives "a", "a/1" and "a/2"."""
    return node(title, node("1"), node("2"))


def answers(script: Mapping[str, Sequence[Answer]], usage: Usage | None = None) -> Decide:
    """Return a navigator that gives these answers by place id, in the order in which a place is opened."""

    def decide(place: str, time: int, candidates: Sequence[Candidate]) -> Decision:
        answer = script[place][time - 1]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            return Decision(action="stop" if answer == "stop" else "reject")
        refs = {"0": "0"} | {candidate.place: candidate.ref for candidate in candidates if candidate.ref != "0"}
        picks = tuple(Pick(ref=refs.get(name, "ghost"), action=action) for name, action in answer)
        return Decision(action="pick", picks=picks, usage=usage or Usage())

    return decide


def walk(
    forest: Forest,
    script: Mapping[str, Sequence[Answer]],
    *,
    offer: Offer | None = None,
    usage: Usage | None = None,
    price: Price | None = None,
    filters: Mapping[str, Any] | None = None,
    only_documents: Sequence[str] | None = None,
    **settings: Any,
) -> Outcome:
    """Walk level by level, one call at a time, unless told otherwise."""
    context = WalkContext.model_validate({"offer_levels": 1, "parallel": 1, "on_failure": "partial", **settings})
    return run(
        forest,
        context,
        only_documents=only_documents,
        filters=filters,
        offer=offer or levels_offer(context),
        decide=answers(script, usage),
        price=price,
    )


def opened(outcome: Outcome) -> list[tuple[str, int]]:
    """Return what was opened, with the visits left that the navigator was told."""
    return [(opening.id, opening.visits_left) for opening in outcome.openings]
