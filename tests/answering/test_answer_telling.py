"""What traces and logs are told of an answer, and what the writer is told by a setting."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from scripted_chat import ScriptedChat, draft, enough, plan_for

from model_calls import Calls
from tocwalk.errors import SettingsError
from tocwalk.graph import build_answer_graph
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.testing import FunctionNavigator

QUESTION = {"question": "When is rent due?"}
RENT = "Rent is due monthly, on the first working day"


def take_rent(request: NavigatorRequest) -> Decision:
    """Take the section on rent."""
    return Decision(action="pick", picks=tuple(Pick(ref=c.ref, action="take") for c in request.candidates[2:3]))


@pytest.fixture
def chat() -> ScriptedChat:
    """Return a model that writes a statement that is proved, and one that is not."""
    written = draft(("Rent is due monthly.", "S1", RENT), ("Rent is low.", "S1", "Rent is as low as can be"))
    script = {"plan": plan_for("rent"), "judge": enough, "write": written, "rewrite": {"statements": []}}
    return ScriptedChat(script=script)


@pytest.fixture
def graph(library: TreeIndex, chat: ScriptedChat) -> Any:
    """Return the answer graph over the lease."""
    return build_answer_graph(index=library, model=chat, navigator=FunctionNavigator(take_rent))


async def test_model_calls_are_named_and_labelled(graph: Any) -> None:
    """Each call is named after its step and says of which prompt and corpus it is."""
    calls = Calls()
    await graph.ainvoke(QUESTION, {"callbacks": [calls]})
    names = [one["name"] for one in calls.seen]
    assert names[0] == "plan"
    assert names[-2:] == ["write", "rewrite"]
    assert [one["metadata"]["step"] for one in calls.seen] == names
    assert {one["metadata"]["corpus"] for one in calls.seen} == {"default"}
    assert all(one["metadata"]["prompt_version"] for one in calls.seen)
    assert all("tocwalk" in one["tags"] for one in calls.seen)


async def test_model_calls_name_their_documents(graph: Any) -> None:
    """Calls that are shown passages name the documents of these; planning names those it was confined to, if any."""
    calls = Calls()
    await graph.ainvoke({**QUESTION, "only_documents": ["lease"]}, {"callbacks": [calls], "run_name": "my answer"})
    assert [one["metadata"]["document"] for one in calls.seen] == ["lease"] * 4
    free = Calls()
    await graph.ainvoke(QUESTION, {"callbacks": [free]})
    assert [one["metadata"].get("document") for one in free.seen] == [None, "lease", "lease", "lease"]


def test_each_step_is_logged(graph: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Steps are logged with how long they took, and no word of what was asked, read or written."""
    with caplog.at_level(logging.INFO, "tocwalk"):
        output = graph.invoke(QUESTION)
    facts: list[Any] = [vars(record)["tocwalk"] for record in caplog.records if record.name == "tocwalk.answer"]
    assert (facts[0]["step"], facts[-1]["step"]) == ("plan", "check_citations")
    assert all(one["ms"] >= 0 for one in facts)
    assert [word for word in (QUESTION["question"], output["answer"], "monthly") if word in caplog.text] == []


def test_a_step_that_fails_is_a_warning(graph: Any, chat: ScriptedChat, caplog: pytest.LogCaptureFixture) -> None:
    """The class of the error is logged, not its message."""
    chat.fails["plan"] = RuntimeError("the monthly text")
    with caplog.at_level(logging.WARNING, "tocwalk"), pytest.raises(Exception, match="monthly"):
        graph.invoke(QUESTION)
    facts = vars(caplog.records[-1])["tocwalk"]
    assert (facts["event"], facts["step"]) == ("step_failed", "plan")
    assert "monthly" not in caplog.text


def test_the_writer_can_be_told_how(graph: Any, chat: ScriptedChat) -> None:
    """`writing_instructions` reach the prompts that write and rewrite, and no other; without them nothing is added."""
    graph.invoke(QUESTION, context={"writing_instructions": "  In French, please. "})
    assert [step for step, prompt in chat.shown if "In French, please." in prompt] == ["write", "rewrite"]
    chat.shown.clear()
    graph.invoke(QUESTION)
    assert [step for step, prompt in chat.shown if "How it is to be written" in prompt] == []


def test_instructions_have_a_bound(graph: Any) -> None:
    """A prompt cannot be replaced by a book."""
    with pytest.raises(SettingsError, match="writing_instructions"):
        graph.invoke(QUESTION, context={"writing_instructions": "x" * 4001})
