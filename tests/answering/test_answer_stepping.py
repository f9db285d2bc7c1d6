"""The answer graph stepped through, node by node, and begun again from an earlier step."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from scripted_chat import ScriptedChat, draft, enough, plan_for

from tocwalk.graph import build_answer_graph
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.testing import FunctionNavigator

THREAD: Any = {"configurable": {"thread_id": "1"}}
QUESTION = {"question": "When is rent due?"}
RENT = "Rent is due monthly, on the first working day"


def take_rent(request: NavigatorRequest) -> Decision:
    """Take the section on rent."""
    rent = next(c for c in request.candidates if c.title == "Rent")
    return Decision(action="pick", picks=(Pick(ref=rent.ref, action="take"),))


@pytest.fixture
def graph(library: TreeIndex) -> Any:
    """Return the answer graph with a memory."""
    written = draft(("Rent is due monthly.", "S1", RENT))
    chat = ScriptedChat(script={"plan": plan_for("rent"), "judge": enough, "write": written})
    return build_answer_graph(
        index=library, model=chat, navigator=FunctionNavigator(take_rent), checkpointer=InMemorySaver()
    )


def test_it_stops_before_every_node(graph: Any) -> None:
    """With a stop before each node every step can be looked at, and the answer is that of a run without stops."""
    passed: list[str] = []
    given: Any = QUESTION
    while given is not None or graph.get_state(THREAD).next:
        graph.invoke(given, THREAD, interrupt_before="*")
        given = None
        passed += graph.get_state(THREAD).next
    assert passed == ["plan", "retrieve", "judge", "write", "check_citations"]
    stepped = graph.get_state(THREAD).values
    assert stepped["answer"] == "Rent is due monthly. [1]"
    assert stepped["answer"] == graph.invoke(QUESTION, {"configurable": {"thread_id": "2"}})["answer"]


def test_an_earlier_step_is_edited_and_goes_on_from_there(graph: Any) -> None:
    """What the model wrote is replaced in the past; the check judges the new words, and the first outcome is kept."""
    first = graph.invoke(QUESTION, THREAD)
    before = next(past for past in graph.get_state_history(THREAD) if past.next == ("check_citations",))
    said = {"text": "The first working day.", "quotes": [{"ref": "S1", "quote": RENT}]}
    fork = graph.update_state(before.config, {"statements": [said]}, as_node="write")
    second = graph.invoke(None, fork)
    assert first["answer"] == "Rent is due monthly. [1]"
    assert second["answer"] == "The first working day. [1]"
    answers = [past.values.get("answer") for past in graph.get_state_history(THREAD)]
    assert {first["answer"], second["answer"]} <= set(answers)
