"""What traces and logs are told of a walk."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel

from model_calls import Calls
from reference.asking import SmallIndex
from reference.trees import Node
from tocwalk.errors import NavigatorError
from tocwalk.navigators.prompt import PROMPT_VERSION
from tocwalk.navigators.protocol import Decision, NavigatorRequest
from tocwalk.testing import FunctionNavigator

QUESTION = "How long may the confidential leave last?"
HANDBOOK = Node("Handbook", sections=(Node("Leave", sections=(Node("Annual"), Node("Sick"))), Node("Pay")))
RULES = Node("Rules", sections=(Node("First rule"), Node("Second rule")))
DECISIONS = [
    '{"reasoning": "Secret reasons.", "action": "pick", "picks": [{"ref": "1", "action": "open"}]}',
    '{"reasoning": "", "action": "pick", "picks": [{"ref": "1", "action": "take"}]}',
]


@pytest.fixture
def request_(small_index: SmallIndex) -> dict[str, Any]:
    """Return a question on two documents."""
    return {"query": QUESTION, "corpus": small_index.store({"handbook": HANDBOOK, "rules": RULES})}


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_model_calls_are_named_and_labelled(
    small_index: SmallIndex, request_: dict[str, Any], asynchronous: bool
) -> None:
    """Each call says what it is, of which prompt, corpus, document and section, and keeps what the caller gave it."""
    calls = Calls()
    graph = small_index.graph(FakeListChatModel(responses=DECISIONS))
    config: Any = {"callbacks": [calls], "tags": ["mine"], "metadata": {"team": "legal"}}
    settings = {"offer_levels": 1}
    if asynchronous:
        await graph.ainvoke(request_, config, context=settings)
    else:
        graph.invoke(request_, config, context=settings)

    first, second = calls.seen
    assert [one["name"] for one in calls.seen] == ["decision", "decision"]
    common = {"step": "decision", "prompt_version": PROMPT_VERSION, "corpus": request_["corpus"], "team": "legal"}
    assert common.items() <= first["metadata"].items()
    assert common.items() <= second["metadata"].items()
    assert {"tocwalk", "mine"} <= set(first["tags"])
    assert "document" not in first["metadata"]  # both documents were offered
    assert (second["metadata"]["document"], second["metadata"]["section"]) == ("handbook", "handbook")


def test_a_walk_is_logged_as_facts(
    small_index: SmallIndex, request_: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Begin, decisions and end are logged with counts, ids and time, as JSON values, and no word that was read."""
    graph = small_index.graph(FakeListChatModel(responses=DECISIONS))
    with caplog.at_level(logging.INFO, "tocwalk"):
        graph.invoke(request_, {"configurable": {"thread_id": "t-1"}}, context={"offer_levels": 1})
    facts: list[Any] = [vars(record)["tocwalk"] for record in caplog.records]
    assert [one["event"] for one in facts] == ["walk_started", "decided", "decided", "walk_ended"]
    assert {record.name for record in caplog.records} == {"tocwalk.walk"}
    assert {one["thread_id"] for one in facts} == {"t-1"}
    assert facts[0]["documents"] == 2
    assert facts[2]["section"] == "handbook"
    assert facts[2]["model_calls"] == 1
    assert facts[-1]["sections"] == 1
    written = json.dumps(facts) + caplog.text
    assert [word for word in (QUESTION, "confidential", "Secret", "text of", "Handbook") if word in written] == []


def test_a_failure_is_a_warning(
    small_index: SmallIndex, request_: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """A navigator that fails is logged with where and a reason of one word; its message, which may quote, is not."""

    def refuse(_request: NavigatorRequest) -> Decision:
        raise NavigatorError(f"The provider refuses {QUESTION!r}.", reason="refused")

    with caplog.at_level(logging.WARNING, "tocwalk"), pytest.raises(NavigatorError):
        small_index.graph(FunctionNavigator(refuse)).invoke(request_)
    (record,) = caplog.records
    facts = vars(record)["tocwalk"]
    assert (record.levelname, facts["event"], facts["reason"]) == ("WARNING", "decision_failed", "refused")
    assert QUESTION not in caplog.text


def test_nothing_is_logged_where_nobody_listens(
    small_index: SmallIndex, request_: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    """A library prints nothing on its own."""
    small_index.graph(FakeListChatModel(responses=DECISIONS)).invoke(request_)
    assert capfd.readouterr() == ("", "")
