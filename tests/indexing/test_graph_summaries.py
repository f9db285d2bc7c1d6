"""The index graph with a model that writes summaries: the same as the command, within the operator's limits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from manuals import manual_text
from model_calls import Calls
from stub_summaries import SummaryServer
from tocwalk.errors import InputError, NavigatorResolutionError, ReadOnlyIndexError, SettingsError
from tocwalk.graph import WalkGraph, build_index_graph
from tocwalk.index import TreeIndex
from tocwalk.models.cancellation import Cancellation
from tocwalk.nodes.cancelling import CANCEL_NAMESPACE
from tocwalk.state.operator import OperatorSettings

MODEL = {"summary_model": "openai:writer"}
RULES = {letter: letter for letter in "abcdef"}


GIVEN: dict[str, Any] = {"texts": [{"name": "manual.md", "text": manual_text(RULES)}]}
CALLS = len(RULES) + 1


@pytest.fixture
def graph(index: TreeIndex, operator: OperatorSettings) -> WalkGraph:
    """Return the graph over an index, by which the server is asked."""
    return build_index_graph(index=index, operator=operator)


def test_the_trees_have_the_models_summaries(graph: WalkGraph, index: TreeIndex, server: SummaryServer) -> None:
    """Sections have what the model wrote, and the output says by which model, of how many, and what it cost."""
    output = graph.invoke(GIVEN, context=MODEL)
    (outline,) = output["outlines"]
    assert all(section["summary"].startswith("Tells of ") for section in outline["sections"])
    assert output["documents"][0]["summaries"] == "openai:writer, summarise-1"
    assert output["summaries"] == {
        "made_by": "openai:writer, summarise-1",
        "sections": {"text": 1, "kept": 0, "written": CALLS, "lead": 0},
        "stopped": "",
    }
    usage = output["usage"]
    assert (usage["model_calls"], usage["input_tokens"], usage["output_tokens"]) == (CALLS, 500 * CALLS, 20 * CALLS)
    assert usage["cost"] == pytest.approx(0.54 * CALLS)
    assert index.document("default", "manual.md").summaries == "openai:writer, summarise-1"


def test_nothing_is_paid_for_twice(graph: WalkGraph, server: SummaryServer) -> None:
    """The same text is unchanged the second time, and of a changed one what has changed is asked about."""
    graph.invoke(GIVEN, context=MODEL)
    server.shown.clear()
    again = graph.invoke(GIVEN, context=MODEL)
    assert (again["documents"][0]["status"], server.shown) == ("unchanged", [])
    assert again["usage"]["model_calls"] == 0
    graph.invoke({"texts": [{"name": "manual.md", "text": manual_text({**RULES, "g": "g"})}]}, context=MODEL)
    assert server.titles == ["Manual", "Rule g"]


def test_without_a_model_nothing_is_asked(graph: WalkGraph, server: SummaryServer) -> None:
    """The default stays offline; the output has no summaries of a model, and nothing was used."""
    output = graph.invoke(GIVEN)
    assert (output["summaries"], output["usage"]["model_calls"], output["cancelled"]) == (None, 0, False)
    assert output["documents"][0]["summaries"] == "lead"
    assert server.shown == []


def test_progress_tells_tokens_and_money(graph: WalkGraph) -> None:
    """After each summary an event says what has been spent so far, in numbers and in a line for people."""
    events = list(graph.stream(GIVEN, context=MODEL, stream_mode="custom"))
    spent = [event for event in events if event["event"] == "summaries"]
    assert [event["usage"]["model_calls"] for event in spent][-1] == CALLS
    assert spent[-1]["sections"] == {"kept": 0, "written": CALLS, "lead": 0}
    assert spent[-1]["usage"]["cost"] == pytest.approx(0.54 * CALLS)
    assert spent[-1]["summary"].startswith(
        f"{CALLS} summaries written, {CALLS} model calls, 3,500 tokens in and 140 out"
    )
    assert events[-1]["event"] == "document"


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"summary_model": "openai:other"}, NavigatorResolutionError),
        ({"summary_model": "writer"}, NavigatorResolutionError),
        ({**MODEL, "openai_base_url": "http://elsewhere"}, SettingsError),
        ({**MODEL, "openai_api_key": "sk-mine"}, SettingsError),
        ({**MODEL, "max_tokens": -1}, SettingsError),
        ({**MODEL, "parallel": 65}, SettingsError),
    ],
)
def test_only_the_operator_opens_models(
    index: TreeIndex,
    operator: OperatorSettings,
    server: SummaryServer,
    settings: dict[str, Any],
    error: type[Exception],
) -> None:
    """Models outside of the allow-list, addresses, keys and settings out of bounds are refused before any call."""
    limited = operator.model_copy(update={"models": ("openai:writer", "lexical:*")})
    with pytest.raises(error):
        build_index_graph(index=index, operator=limited).invoke(GIVEN, context=settings)
    assert (server.shown, index.corpora()) == ([], [])


def test_nothing_is_paid_for_a_corpus_that_cannot_be(graph: WalkGraph, server: SummaryServer) -> None:
    """A name that no corpus can have is refused before a model is asked."""
    with pytest.raises(InputError, match="cannot be a corpus"):
        graph.invoke({**GIVEN, "corpus": " "}, context=MODEL)
    assert server.shown == []


def test_money_needs_a_price(index: TreeIndex, operator: OperatorSettings, server: SummaryServer) -> None:
    """A limit of money for a model without a price is refused, with the variable that sets one."""
    graph = build_index_graph(index=index, operator=operator.model_copy(update={"prices": {}}))
    with pytest.raises(SettingsError, match="TOCWALK_PRICES"):
        graph.invoke(GIVEN, context={**MODEL, "max_cost": 1.0})
    assert server.shown == []


def test_a_spent_budget_leaves_leads_and_the_next_run_goes_on(graph: WalkGraph, server: SummaryServer) -> None:
    """What does not fit keeps its lead and is told; another run pays for the rest alone."""
    first = graph.invoke(GIVEN, context={**MODEL, "max_tokens": 2500})
    paid = len(server.shown)
    assert 1 < paid < CALLS
    assert "budget of 2,500 tokens" in first["summaries"]["stopped"]
    assert f"no summary of {CALLS - paid} of" in first["documents"][0]["warnings"][0]
    second = graph.invoke(GIVEN, context=MODEL)
    assert second["documents"][0]["status"] == "replaced"
    assert second["documents"][0]["warnings"] == []
    assert len(server.shown) == CALLS


def test_tenants_share_no_summaries(tmp_path: Path, operator: OperatorSettings, server: SummaryServer) -> None:
    """Two tenants of one index who send the same text each pay for it; the same tenant does not pay again."""
    graphs = [build_index_graph(index=tmp_path / "shared.db", tenant=name, operator=operator) for name in ("a", "b")]
    for graph in graphs:
        graph.invoke(GIVEN, context=MODEL)
    assert len(server.shown) == 2 * CALLS
    for graph in graphs:
        output = graph.invoke({**GIVEN, "corpus": "another"}, context=MODEL)
        assert output["summaries"]["sections"]["kept"] == CALLS
    assert len(server.shown) == 2 * CALLS


def _run(graph: WalkGraph, config: Any) -> dict[str, Any]:
    return dict(graph.invoke(GIVEN, config, context={**MODEL, "parallel": 1}))


def _by_token(graph: WalkGraph, server: SummaryServer) -> dict[str, Any]:
    token = Cancellation()
    config: Any = {"configurable": {"cancellation": token}}
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(_run, graph, config)
        server.wait_for(3)
        token.cancel()
        return running.result()


def _by_flag(graph: WalkGraph, server: SummaryServer) -> dict[str, Any]:
    store = graph.store
    assert store is not None
    config: Any = {"configurable": {"thread_id": "t-1"}}
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(_run, graph, config)
        server.wait_for(3)
        store.put(CANCEL_NAMESPACE, "t-1", {"cancelled": True})
        output = running.result()
    assert store.get(CANCEL_NAMESPACE, "t-1") is None  # the next run on the thread is not ended by it
    return output


@pytest.mark.parametrize("cancel", [_by_token, _by_flag])
def test_a_cancelled_run_asks_no_more(
    cancel: Callable[[WalkGraph, SummaryServer], dict[str, Any]],
    index: TreeIndex,
    operator: OperatorSettings,
    server: SummaryServer,
) -> None:
    """Cancelled, the call in flight is ended and no other made; the output says so, and a new run pays for the rest."""
    graph = build_index_graph(index=index, operator=operator, store=InMemoryStore())
    server.hold(after=2)
    output = cancel(graph, server)
    assert (output["cancelled"], output["documents"], output["index_version"]) == (True, [], None)
    assert output["usage"]["model_calls"] == 3
    server.release()
    assert len(server.shown) == 3
    assert graph.invoke(GIVEN, context=MODEL)["summaries"]["sections"]["kept"] == 2


def test_cancelled_before_it_begins_nothing_is_read(graph: WalkGraph, index: TreeIndex, server: SummaryServer) -> None:
    """A token that is cancelled already ends the run at once, with an output."""
    token = Cancellation()
    token.cancel()
    output = graph.invoke(GIVEN, {"configurable": {"cancellation": token}}, context=MODEL)
    assert (output["cancelled"], output["documents"], server.shown, index.corpora()) == (True, [], [], [])


async def test_a_task_that_is_cancelled_asks_no_more(graph: WalkGraph, server: SummaryServer) -> None:
    """As on a server, where an interrupted run is a cancelled task: its threads end, and no call follows."""
    server.hold(after=2)
    task = asyncio.create_task(graph.ainvoke(GIVEN, context={**MODEL, "parallel": 1}))
    await asyncio.to_thread(server.wait_for, 3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for thread in threading.enumerate():
        if thread.name == "tocwalk-summaries":
            await asyncio.to_thread(thread.join, 60)
            assert not thread.is_alive()
    server.release()
    output = await graph.ainvoke(GIVEN, context=MODEL)
    assert (len(server.shown), output["summaries"]["sections"]["kept"]) == (3 + CALLS - 2, 2)


def test_an_index_that_is_only_read_is_refused(index: TreeIndex, operator: OperatorSettings) -> None:
    """Nothing can be stored in it, which is said before anything is paid for."""
    with TreeIndex(index.location, read_only=True) as closed, pytest.raises(ReadOnlyIndexError, match="read-only"):
        build_index_graph(index=closed, operator=operator)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_calls_are_traced_as_part_of_the_run(graph: WalkGraph, asynchronous: bool) -> None:
    """Each call of the model is named, and labelled with the corpus and with what the caller gave the run."""
    calls = Calls()
    config: Any = {"callbacks": [calls], "metadata": {"team": "legal"}}
    given = {**GIVEN, "corpus": "manuals"}
    if asynchronous:
        await graph.ainvoke(given, config, context=MODEL)
    else:
        graph.invoke(given, config, context=MODEL)
    assert {one["name"] for one in calls.seen} == {"summarise"}
    assert len(calls.seen) == CALLS
    about = {"step": "summarise", "prompt_version": "summarise-1", "corpus": "manuals", "team": "legal"}
    assert all(about.items() <= one["metadata"].items() for one in calls.seen)


def test_summaries_are_no_messages(graph: WalkGraph) -> None:
    """What the model writes is no part of the stream of messages, which a chat shows."""
    assert list(graph.stream(GIVEN, context=MODEL, stream_mode="messages")) == []
