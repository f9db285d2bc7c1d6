"""Checkpoints: threads used again, resumed, edited, stepped through, and what they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from reference.asking import SmallIndex
from reference.trees import Node
from tocwalk.errors import DecisionError, NavigatorError
from tocwalk.graph import WalkGraph
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.testing.fakes import FunctionNavigator

LEAVES = (Node("First"), Node("Second"))
HANDBOOK = Node(
    "Handbook",
    sections=(Node("Leave", sections=LEAVES), Node("Pay", sections=LEAVES), Node("Travel", sections=LEAVES)),
)
LEVELS = {"offer_levels": 1}


class Opening:
    """Opens every section it is shown and takes every leaf; fails where it is told to; counts its calls."""

    def __init__(self, *fails: str) -> None:
        """Fail, once each, on these titles."""
        self.fails = list(fails)
        self.calls: list[str] = []

    def __call__(self, request: NavigatorRequest) -> Decision:
        """Decide."""
        self.calls.append(request.current.title)
        if request.current.title in self.fails:
            self.fails.remove(request.current.title)
            raise NavigatorError(f"The provider is down at {request.current.title!r}.", reason="refused")
        picks = [
            Pick(ref=c.ref, action="open" if c.has_children else "take") for c in request.candidates if c.ref != "0"
        ]
        return Decision(action="pick", picks=tuple(picks), reasoning=f"About {request.query}")


def thread(name: str = "1") -> Any:
    """Return the configuration of a thread."""
    return {"configurable": {"thread_id": name}}


def ids(output: dict[str, Any]) -> list[str]:
    """Return what landed."""
    return [section["id"] for section in output["sections"]]


@pytest.fixture
def corpus(small_index: SmallIndex) -> str:
    """Return the corpus of the handbook."""
    return small_index.store({"handbook": HANDBOOK})


def saved(small_index: SmallIndex, decide: Opening, **options: Any) -> WalkGraph:
    """Return a graph with a saver that refuses all but plain values."""
    saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=None))
    return small_index.graph(FunctionNavigator(decide), checkpointer=saver, **options)


def test_a_thread_used_again_starts_fresh(small_index: SmallIndex, corpus: str) -> None:
    """Nothing of a finished run reaches the next on its thread: budget, scope, cancellation, landings or trace."""
    graph = saved(small_index, Opening())
    cancelled = graph.invoke({"query": "a", "corpus": corpus, "visits": 1, "cancel": True}, thread(), context=LEVELS)
    assert cancelled["stop_reason"] == "CANCELLED"
    again = graph.invoke({"query": "b", "corpus": corpus}, thread(), context=LEVELS)
    fresh = graph.invoke({"query": "b", "corpus": corpus}, thread("2"), context=LEVELS)
    assert again == fresh
    assert len(again["sections"]) == 6


def test_a_thread_used_again_after_an_interrupt_starts_fresh(small_index: SmallIndex, corpus: str) -> None:
    """A new question on a thread that stands in the middle of a walk begins a new walk."""
    graph = saved(small_index, Opening())
    graph.invoke(
        {"query": "a", "corpus": corpus, "visits": 2},
        thread(),
        context=LEVELS,
        interrupt_before=["validate_choice"],
    )
    again = graph.invoke({"query": "b", "corpus": corpus}, thread(), context=LEVELS)
    assert again == graph.invoke({"query": "b", "corpus": corpus}, thread("2"), context=LEVELS)


def test_a_resume_keeps_the_settings_of_the_run(small_index: SmallIndex, corpus: str) -> None:
    """Settings are pinned at the start: a resume without them, or with others, goes on with the run's own."""
    graph = saved(small_index, Opening())
    request = {"query": "a", "corpus": corpus}
    graph.invoke(request, thread(), context={**LEVELS, "max_results": 2}, interrupt_before=["present_children"])
    resumed = graph.invoke(None, thread(), context={"max_results": 9})
    assert len(resumed["sections"]) == 2


def test_resuming_after_a_failure_asks_only_for_what_failed(small_index: SmallIndex, corpus: str) -> None:
    """Under `raise` the other calls of the wave end first and are kept; no visit is counted twice."""
    decide = Opening("Leave")
    graph = saved(small_index, decide)
    with pytest.raises(NavigatorError, match="'Leave'"):
        graph.invoke({"query": "a", "corpus": corpus}, thread(), context=LEVELS)
    assert sorted(decide.calls) == ["Handbook", "Leave", "Pay", "Travel"]
    output = graph.invoke(None, thread())
    assert decide.calls.count("Leave") == 2
    assert len(decide.calls) == 5
    assert len(output["sections"]) == 6
    assert output["usage"]["visits"] == 4
    assert output["failures"] == []


def test_resuming_in_another_process_asks_again(small_index: SmallIndex, corpus: str, tmp_path: Path) -> None:
    """The exception is kept in the process that saw it; another one asks the navigator anew."""
    with SqliteSaver.from_conn_string(str(tmp_path / "checkpoints.db")) as saver:
        decide = Opening("Leave")
        first = small_index.graph(FunctionNavigator(decide), checkpointer=saver)
        first.invoke({"query": "a", "corpus": corpus}, thread(), context=LEVELS, interrupt_before=["validate_choice"])
        first.invoke(None, thread(), interrupt_before=["validate_choice"])
        assert decide.calls.count("Leave") == 1
        elsewhere = small_index.graph(FunctionNavigator(decide), checkpointer=saver)
        assert len(elsewhere.invoke(None, thread())["sections"]) == 6
        assert decide.calls.count("Leave") == 2


def test_partial_survives_a_failure(small_index: SmallIndex, corpus: str) -> None:
    """Under `partial` the path lands where it stands, after what was chosen, and the failure is listed."""
    graph = saved(small_index, Opening("Leave"))
    output = graph.invoke({"query": "a", "corpus": corpus}, thread(), context={**LEVELS, "on_failure": "partial"})
    assert [section["stop_reason"] for section in output["sections"]] == [*["LEAF"] * 4, "NAVIGATOR_ERROR"]
    assert output["failures"] == [
        {
            "step": "navigator_decide",
            "section": "handbook/leave",
            "reason": "refused",
            "detail": "The provider is down at 'Leave'.",
        }
    ]


def test_one_decision_can_be_edited_after_the_calls(small_index: SmallIndex, corpus: str) -> None:
    """Written as `navigator_decide`, an edited decision counts and the others stay as they were."""
    decide = Opening()
    graph = saved(small_index, decide)
    graph.invoke({"query": "a", "corpus": corpus}, thread(), context=LEVELS, interrupt_before=["validate_choice"])
    graph.invoke(None, thread(), interrupt_before=["validate_choice"])
    edited = {"handbook/pay": {"action": "pick", "picks": [{"ref": "2", "action": "take"}]}}
    graph.update_state(thread(), {"decisions": edited}, as_node="navigator_decide")
    output = graph.invoke(None, thread())
    assert [id_ for id_ in ids(output) if "/pay/" in id_] == ["handbook/pay/second"]
    assert len(output["sections"]) == 5
    assert len(decide.calls) == 4


def test_one_decision_can_be_given_before_the_calls(small_index: SmallIndex, corpus: str) -> None:
    """Written as `present_children`, a decision spares its call; only the others are asked for."""
    decide = Opening()
    graph = saved(small_index, decide)
    graph.invoke({"query": "a", "corpus": corpus}, thread(), context=LEVELS, interrupt_before=["navigator_decide"])
    graph.invoke(None, thread(), interrupt_before=["navigator_decide"])
    graph.update_state(thread(), {"decisions": {"handbook/pay": {"action": "reject"}}}, as_node="present_children")
    output = graph.invoke(None, thread())
    assert "Pay" not in decide.calls
    assert len(output["sections"]) == 4


def test_a_decision_that_is_none_is_refused(small_index: SmallIndex, corpus: str) -> None:
    """What was written by hand and is no decision is named, with what one looks like."""
    graph = saved(small_index, Opening())
    graph.invoke({"query": "a", "corpus": corpus}, thread(), context=LEVELS, interrupt_before=["validate_choice"])
    graph.update_state(thread(), {"decisions": {"handbook": {"action": "leap"}}}, as_node="navigator_decide")
    with pytest.raises(DecisionError, match=r"'leap'.*'action': 'pick'"):
        graph.invoke(None, thread())


@pytest.mark.parametrize(
    "written",
    [
        "nonsense",
        {"handbook": 5},
        {"handbook": {"action": "reject", "usage": {"calls": "x"}}},
        {"handbook": {"action": "pick", "picks": [1]}},
    ],
)
def test_nonsense_in_place_of_decisions_is_refused(small_index: SmallIndex, corpus: str, written: Any) -> None:
    """Whatever a person writes there comes back as an error that says what belongs there."""
    graph = saved(small_index, Opening())
    graph.invoke({"query": "a", "corpus": corpus}, thread(), context=LEVELS, interrupt_before=["validate_choice"])

    def edit_and_go_on() -> None:
        graph.update_state(thread(), {"decisions": written}, as_node="navigator_decide")
        graph.invoke(None, thread())

    with pytest.raises(DecisionError):
        edit_and_go_on()


def test_a_removed_decision_is_asked_for_again(small_index: SmallIndex, corpus: str) -> None:
    """A decision set to nothing counts as missing and is asked for once more."""
    decide = Opening()
    graph = saved(small_index, decide)
    graph.invoke({"query": "a", "corpus": corpus}, thread(), context=LEVELS, interrupt_before=["validate_choice"])
    graph.update_state(thread(), {"decisions": {"handbook": None}}, as_node="navigator_decide")
    assert len(graph.invoke(None, thread())["sections"]) == 6
    assert decide.calls.count("Handbook") == 2


def test_a_walk_can_be_stepped_through_node_by_node(small_index: SmallIndex, corpus: str) -> None:
    """Stopping before every node shows each in turn and changes nothing in the result."""
    graph = saved(small_index, Opening())
    request = {"query": "a", "corpus": corpus}
    graph.invoke(request, thread(), context=LEVELS, interrupt_before="*")
    passed: list[str] = []
    while (state := graph.get_state(thread())).next:
        passed.append(state.next[0])
        context = LEVELS if state.next == ("start_walk",) else None
        output = graph.invoke(None, thread(), context=context, interrupt_before="*")
    wave = ["budget_check", "present_children", "navigator_decide", "validate_choice"]
    assert passed == ["start_walk", *wave, *wave, "budget_check", "emit_landed"]
    assert output == graph.invoke(request, thread("2"), context=LEVELS)


def test_the_state_is_plain_json_at_every_step(small_index: SmallIndex, corpus: str) -> None:
    """Every checkpoint of a walk survives JSON, and holds no text before the end."""
    graph = saved(small_index, Opening("Pay"))
    graph.invoke({"query": "a", "corpus": corpus}, thread(), context={**LEVELS, "on_failure": "partial"})
    states = [snapshot.values for snapshot in graph.get_state_history(thread())]
    assert len(states) > 8
    for values in states:
        assert json.loads(json.dumps(values)) == values
        if not values.get("sections"):
            assert "text of" not in json.dumps(values)


def test_strict_msgpack_changes_nothing(small_index: SmallIndex, corpus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A saver that refuses foreign types keeps and restores a walk without a warning."""
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", "true")
    graph = small_index.graph(FunctionNavigator(Opening()), checkpointer=InMemorySaver())
    request = {"query": "a", "corpus": corpus}
    graph.invoke(request, thread(), context=LEVELS, interrupt_before=["validate_choice"])
    resumed = graph.invoke(None, thread())
    assert resumed == small_index.graph(FunctionNavigator(Opening())).invoke(request, context=LEVELS)
