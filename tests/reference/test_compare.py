"""The comparison of a graph with the model tells them apart."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import pytest

from reference.compare import assert_same
from reference.model import run
from reference.outcome import Outcome
from reference.places import Candidate, levels_offer
from reference.trees import Node
from tocwalk.errors import NavigatorError
from tocwalk.navigators.protocol import Decision, Pick
from tocwalk.state import WalkContext

OUTPUT: dict[str, Any] = {
    "sections": [
        {"id": "d/c", "stop_reason": "LEAF", "text_scope": "own"},
        {"id": "d/a", "stop_reason": "BUDGET_EXHAUSTED", "text_scope": "subtree"},
    ],
    "stop_reason": "BUDGET_EXHAUSTED",
    "remaining_visits": 0,
    "usage": {"visits": 1},
    "failures": [],
    "trace": [
        {
            "event": "open",
            "id": "d",
            "visits_left": 0,
            "offer": {},
            "decision": "pick",
            "chosen": [{"ref": "1", "action": "open", "id": "d/a"}, {"ref": "2", "action": "take", "id": "d/c"}],
            "dropped": [{"ref": "ghost", "reason": "unknown"}],
            "reasoning": "",
        },
        {"event": "end", "id": "d/c", "reason": "LEAF", "landed": True},
        {"event": "end", "id": "d/a", "reason": "BUDGET_EXHAUSTED", "landed": True},
    ],
}


@pytest.fixture
def outcome() -> Outcome:
    """Return the model's outcome of the walk that `OUTPUT` is of."""
    context = WalkContext(offer_levels=1, max_visits=1)
    picks = (Pick(ref="1"), Pick(ref="ghost"), Pick(ref="2", action="take"))

    def decide(place: str, time: int, candidates: Sequence[Candidate]) -> Decision:
        return Decision(action="pick", picks=picks)

    forest = {"d": Node("d", sections=(Node("a", sections=(Node("1"), Node("2"))), Node("c")))}
    return run(forest, context, offer=levels_offer(context), decide=decide)


def test_same(outcome: Outcome) -> None:
    """A graph that did what the model says passes."""
    assert_same(outcome, OUTPUT)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["sections", 0, "id"], "d/a"),
        (["sections", 0, "stop_reason"], "NAVIGATOR_STOP"),
        (["sections", 1, "text_scope"], "own+titles"),
        (["stop_reason"], "LEAF"),
        (["remaining_visits"], 1),
        (["usage", "visits"], 2),
        (["failures"], [{"step": "navigator_decide", "section": "d", "reason": "failed", "detail": ""}]),
        (["trace", 0, "id"], "d/a"),
        (["trace", 0, "visits_left"], 1),
        (["trace", 0, "decision"], "error"),
        (["trace", 0, "dropped"], []),
        (["trace", 0, "dropped", 0, "reason"], "repeated"),
        (["trace", 1], {"event": "again", "id": "d"}),
        (["trace", 1], {"event": "drop", "id": "d/c", "reason": "contained_in", "by": "d/a"}),
    ],
)
def test_different(outcome: Outcome, path: list[Any], value: Any) -> None:
    """A graph that did anything else does not."""
    output = copy.deepcopy(OUTPUT)
    changed = output
    for step in path[:-1]:
        changed = changed[step]
    changed[path[-1]] = value
    with pytest.raises(AssertionError):
        assert_same(outcome, output)


def test_raised(outcome: Outcome) -> None:
    """What one of them raises, the other must raise too."""
    error = NavigatorError("No decision.")
    with pytest.raises(AssertionError):
        assert_same(outcome, error)
    with pytest.raises(AssertionError):
        assert_same(Outcome(raises=error), OUTPUT)
    with pytest.raises(AssertionError):
        assert_same(Outcome(raises=error), RecursionError())
    assert_same(Outcome(raises=error), error)
