"""Threads that are asked while they run, walks that are stopped at one node, streams that are taken up again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError

from stub_openai import StubOpenAI
from tocwalk.nodes import cancel_run

WAIT_S = 60
QUESTION: dict[str, Any] = {"query": "How much sick leave may I take?"}
SLOW: dict[str, Any] = {"navigator_model": "openai:slow"}
LEVELS: dict[str, Any] = {"offer_levels": 1}
NODES = ["start_walk", "budget_check", "present_children", "navigator_decide", "validate_choice", "emit_landed"]


@pytest.fixture
async def thread(client: LangGraphClient, models: StubOpenAI) -> str:
    """Return a new thread."""
    models.forget()
    return (await client.threads.create())["thread_id"]


@pytest.fixture
async def first(client: LangGraphClient, models: StubOpenAI, thread: str) -> str:
    """Return the id of a walk on the thread whose model never answers."""
    run = await client.runs.create(thread, "retrieval", input=QUESTION, context=SLOW)
    assert await asyncio.to_thread(models.arrived.wait, WAIT_S)
    return str(run["run_id"])


def titles(output: Any) -> list[str]:
    """Return the titles of what landed."""
    return [section["title"] for section in output["sections"]]


async def test_a_second_question_can_be_rejected(client: LangGraphClient, thread: str, first: str) -> None:
    """With `reject` the second caller is told that the thread is busy, and the first walk goes on."""
    with pytest.raises(ConflictError):
        await client.runs.create(thread, "retrieval", input=QUESTION, multitask_strategy="reject")
    assert (await client.runs.get(thread, first))["status"] == "running"
    await client.runs.cancel(thread, first, wait=True)


async def test_a_second_question_can_wait(client: LangGraphClient, thread: str, first: str) -> None:
    """With `enqueue` it is answered when the first walk has ended, and has nothing of that."""
    second = await client.runs.create(thread, "retrieval", input=QUESTION, multitask_strategy="enqueue")
    assert (await client.runs.get(thread, second["run_id"]))["status"] == "pending"
    await cancel_run(client, first)
    output: Any = await client.runs.join(thread, second["run_id"])
    assert titles(output)[0] == "Sick leave"
    assert output["usage"]["visits"] + output["remaining_visits"] == 15


@pytest.mark.parametrize("strategy", ["interrupt", "rollback"])
async def test_a_second_question_can_take_the_place_of_the_first(
    client: LangGraphClient, models: StubOpenAI, thread: str, first: str, strategy: Any
) -> None:
    """With `interrupt` or `rollback` the first walk's request is dropped, and the second is answered afresh."""
    output: Any = await client.runs.wait(thread, "retrieval", input=QUESTION, multitask_strategy=strategy)
    assert await asyncio.to_thread(models.abandoned.wait, WAIT_S)
    assert titles(output)[0] == "Sick leave"
    assert output["usage"]["visits"] + output["remaining_visits"] == 15
    assert models.calls("slow") == 1
    if strategy == "interrupt":
        assert (await client.runs.get(thread, first))["status"] == "interrupted"
    else:
        with pytest.raises(NotFoundError):
            await client.runs.get(thread, first)


@pytest.mark.parametrize("node", NODES)
async def test_a_stop_before_one_node_changes_nothing(client: LangGraphClient, thread: str, node: str) -> None:
    """A walk that is stopped each time before one node, and resumed, ends as one that nobody stopped, trace and all."""
    undisturbed: Any = await client.runs.wait(None, "retrieval", input=QUESTION, context=LEVELS)
    given: Any = QUESTION
    stops = 0
    while True:
        output: Any = await client.runs.wait(thread, "retrieval", input=given, context=LEVELS, interrupt_before=[node])
        if not (await client.threads.get_state(thread))["next"]:
            break
        assert (await client.threads.get_state(thread))["next"][0] == node
        given, stops = None, stops + 1
    assert stops >= 1
    assert {key: output[key] for key in undisturbed} == undisturbed


async def test_a_stream_can_be_taken_up_where_it_broke(client: LangGraphClient, thread: str) -> None:
    """Who lost the connection joins the run with the last event's id and misses nothing; later, its result is there."""
    run = await client.runs.create(
        thread, "retrieval", input=QUESTION, context=LEVELS, stream_mode="custom", stream_resumable=True
    )
    seen: list[Any] = []
    last = ""
    async for part in client.runs.join_stream(thread, run["run_id"], stream_mode="custom", last_event_id="-1"):
        if part.event == "custom":
            seen.append(part.data)
            last = part.id or ""
            break
    rest = client.runs.join_stream(thread, run["run_id"], stream_mode="custom", last_event_id=last)
    seen += [part.data async for part in rest if part.event == "custom"]
    kinds = [event["event"] for event in seen]
    assert kinds == ["offer", "decision", "step"] * (len(kinds) // 3)
    assert len(kinds) >= 6
    output: Any = await client.runs.join(thread, run["run_id"])
    assert titles(output)[0] == "Sick leave"
