"""The setting `step`: a person approves or edits the decisions of each wave."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from reference.asking import SmallIndex
from reference.trees import Node
from tocwalk.graph import WalkGraph
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick, Usage
from tocwalk.state import WalkContext
from tocwalk.testing import FunctionNavigator

LEAVES = (Node("First"), Node("Second"))
HANDBOOK = Node("Handbook", sections=(Node("Leave", sections=LEAVES), Node("Pay", sections=LEAVES)))
STEP: dict[str, Any] = {"step": True, "offer_levels": 1}
THREAD: Any = {"configurable": {"thread_id": "1"}}


class Opening:
    """Opens and takes all it is shown; counts its calls."""

    def __init__(self) -> None:
        """Begin with none."""
        self.calls: list[str] = []

    def __call__(self, request: NavigatorRequest) -> Decision:
        """Decide."""
        self.calls.append(request.current.title)
        picks = [Pick(ref=c.ref, action="open" if c.has_children else "take") for c in request.candidates]
        usage = Usage(calls=1, input_tokens=100)
        return Decision(action="pick", picks=tuple(p for p in picks if p.ref != "0"), reasoning="All.", usage=usage)


@pytest.fixture
def corpus(small_index: SmallIndex) -> str:
    """Return the corpus of the handbook."""
    return small_index.store({"handbook": HANDBOOK})


def graph_of(small_index: SmallIndex, decide: Opening) -> WalkGraph:
    """Return a graph with a saver."""
    return small_index.graph(FunctionNavigator(decide), checkpointer=InMemorySaver())


def interrupts(output: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what the run asks a person."""
    return [one.value for one in output.get("__interrupt__", [])]


def test_each_wave_is_shown_once_and_approved(small_index: SmallIndex, corpus: str) -> None:
    """One interrupt a wave shows offers and decisions; approving all of them changes nothing and asks nobody again."""
    decide = Opening()
    graph = graph_of(small_index, decide)
    request = {"query": "?", "corpus": corpus}
    first = graph.invoke(request, THREAD, context=STEP)
    (shown,) = interrupts(first)
    assert shown["decisions"]["handbook"]["title"] == "Handbook"
    assert shown["decisions"]["handbook"]["decision"]["picks"][0] == {"ref": "1", "action": "open"}
    assert [ref for ref, _ in shown["decisions"]["handbook"]["offer"]["titles"]] == ["0", "1", "2"]
    second = graph.invoke(Command(resume=True), THREAD)
    assert set(interrupts(second)[0]["decisions"]) == {"handbook/leave", "handbook/pay"}
    output = graph.invoke(Command(resume=True), THREAD)
    assert sorted(decide.calls) == ["Handbook", "Leave", "Pay"]
    assert output == graph.invoke(request, {"configurable": {"thread_id": "2"}}, context=STEP | {"step": False})


async def test_a_decision_is_edited(small_index: SmallIndex, corpus: str) -> None:
    """What a person writes counts instead, is traced as theirs, and what the call cost stays counted."""
    graph = graph_of(small_index, Opening())
    await graph.ainvoke({"query": "?", "corpus": corpus}, THREAD, context=STEP)
    await graph.ainvoke(Command(resume=True), THREAD)
    edited = {"handbook/pay": {"action": "pick", "picks": [{"ref": "2", "action": "take"}]}}
    output = await graph.ainvoke(Command(resume=edited), THREAD)
    assert [section["id"] for section in output["sections"]] == [
        "handbook/leave/first",
        "handbook/leave/second",
        "handbook/pay/second",
    ]
    opened = {step["id"]: step for step in output["trace"] if step["event"] == "open"}
    assert opened["handbook/pay"]["reasoning"] == "Edited by hand."
    assert opened["handbook/leave"]["reasoning"] == "All."
    assert output["usage"]["input_tokens"] == 300


@pytest.mark.parametrize(
    "answer",
    [
        {"handbook/leave": {"action": "stop"}},
        "yes",
        {"handbook": {"action": "leap"}},
        {"handbook": {"action": "pick", "picks": [{"ref": "1", "action": "open"}, {"ref": "99", "action": "take"}]}},
    ],
)
def test_what_is_no_answer_is_refused_and_can_be_mended(small_index: SmallIndex, corpus: str, answer: Any) -> None:
    """An id outside the wave, a ref outside the offer, or what is no decision is asked for again, saying why."""
    graph = graph_of(small_index, Opening())
    graph.invoke({"query": "?", "corpus": corpus}, THREAD, context=STEP)
    for _ in range(2):
        (shown,) = interrupts(graph.invoke(Command(resume=answer), THREAD))
        assert "'action': 'pick'" in shown["problem"]
        assert "handbook" in shown["decisions"]
    output = graph.invoke(Command(resume={"handbook": {"action": "stop"}}), THREAD)
    assert [section["id"] for section in output["sections"]] == ["handbook"]


class Parent(TypedDict, total=False):
    """A state around the walk."""

    query: str
    corpus: str
    sections: list[Any]


def test_a_walk_inside_a_parent_is_stepped_through_the_parent(small_index: SmallIndex, corpus: str) -> None:
    """The parent's checkpointer is enough: it is interrupted by the walk and resumed by its own thread."""
    builder = StateGraph(Parent, WalkContext)
    builder.add_node("retrieve", small_index.graph(FunctionNavigator(Opening())))
    builder.add_edge(START, "retrieve")
    parent: Any = builder.compile(checkpointer=InMemorySaver())
    output = parent.invoke({"query": "?", "corpus": corpus}, THREAD, context=WalkContext(**STEP))
    assert "handbook" in interrupts(output)[0]["decisions"]
    output = parent.invoke(Command(resume={"handbook": {"action": "stop"}}), THREAD, context=WalkContext(**STEP))
    assert [section["id"] for section in output["sections"]] == ["handbook"]
