"""Hold what a graph returned against what the model says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from reference.outcome import Opening, Outcome

__all__ = ["assert_same", "outcome_of"]

_UNANSWERED = ("error", "cancelled")


def assert_same(model_outcome: Outcome, graph_output: Mapping[str, Any] | Exception) -> None:
    """Assert that a graph run came to the model's outcome.

    Compared are: section ids in order with their stop reasons and text scopes, the walk's stop reason, visits used
    and left, what was opened in which order with the visits left and whether it was answered, what was opened again,
    what was dropped for which reason, and where the navigator failed.

    Args:
        model_outcome: Of `model.run`.
        graph_output: What the graph returned, or what it raised.
    """
    if isinstance(graph_output, Exception):
        assert isinstance(graph_output, type(model_outcome.raises)), f"the model raises {model_outcome.raises!r}"
        return
    assert model_outcome.raises is None, f"the model raises {model_outcome.raises!r}, the graph does not"
    graph = outcome_of(graph_output)
    assert _openings(graph) == _openings(model_outcome)
    assert graph.landings == model_outcome.landings
    assert graph.stop_reason == model_outcome.stop_reason
    assert graph.dropped == model_outcome.dropped
    assert graph.visits_used == model_outcome.visits_used
    assert graph.remaining_visits == model_outcome.remaining_visits
    # Of openers that do not lie inside one another the rules leave the order open.
    assert Counter(graph.again) == Counter(model_outcome.again)
    assert graph.failures == model_outcome.failures


def outcome_of(graph_output: Mapping[str, Any] | Exception) -> Outcome:
    """Return a graph's output, or what it raised, as the model would put it.

    The trace does not name what was offered, nor openers: `offered` is empty and `opener` None throughout.
    """
    if isinstance(graph_output, Exception):
        return Outcome(raises=graph_output)
    trace: list[Mapping[str, Any]] = graph_output["trace"]
    opened = [step for step in trace if step["event"] == "open"]
    dropped = Counter(pick["reason"] for step in opened for pick in step["dropped"])
    dropped.update(step["reason"] for step in trace if step["event"] == "drop")
    return Outcome(
        landings=[(one["id"], one["stop_reason"], one["text_scope"]) for one in graph_output["sections"]],
        stop_reason=graph_output["stop_reason"],
        visits_used=graph_output["usage"]["visits"],
        remaining_visits=graph_output["remaining_visits"],
        dropped=dropped,
        openings=[Opening(step["id"], None, step["visits_left"], (), step["decision"]) for step in opened],
        again=[step["id"] for step in trace if step["event"] == "again"],
        failures=[failure["section"] for failure in graph_output["failures"]],
    )


def _openings(outcome: Outcome) -> list[tuple[str, int, str]]:
    # Whether "stop" where nothing can land, or no picks, is written down as a reject is left open.
    return [
        (opening.id, opening.visits_left, opening.ending if opening.ending in _UNANSWERED else "answered")
        for opening in outcome.openings
    ]
