"""Runs that are ended from outside, and what is left of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from handbook import make_index
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError
from serving import serving

from stub_openai import KEY, StubOpenAI
from tocwalk.nodes import cancel_run

QUESTION: dict[str, Any] = {"query": "How much sick leave may I take?"}
SLOW: dict[str, Any] = {"navigator_model": "openai:slow"}
WAIT_S = 60


@pytest.fixture(autouse=True)
def _forget(models: StubOpenAI) -> None:
    models.forget()


@pytest.fixture
async def thread(client: LangGraphClient) -> str:
    """Return a new thread."""
    return (await client.threads.create())["thread_id"]


async def started(client: LangGraphClient, models: StubOpenAI, thread: str, **options: Any) -> str:
    """Start a walk, and return its id when its navigator is waiting for a model that never answers."""
    run = await client.runs.create(thread, "retrieval", input=QUESTION, context=SLOW, **options)
    assert await asyncio.to_thread(models.arrived.wait, WAIT_S)
    return str(run["run_id"])


async def test_interrupt_ends_the_call_and_keeps_the_walk(
    client: LangGraphClient, models: StubOpenAI, thread: str
) -> None:
    """The request to the model is dropped, the thread stands before the decision, and one made by hand goes on."""
    run = await started(client, models, thread)
    await client.runs.cancel(thread, run, wait=True, action="interrupt")
    assert await asyncio.to_thread(models.abandoned.wait, WAIT_S)
    assert (await client.runs.get(thread, run))["status"] == "interrupted"
    state: Any = await client.threads.get_state(thread)
    assert state["next"] == ["navigator_decide"]
    by_hand = {"decisions": {"handbook": {"action": "stop"}}}
    await client.threads.update_state(thread, by_hand, as_node="navigator_decide")
    output: Any = await client.runs.wait(thread, "retrieval", input=None)
    assert [section["title"] for section in output["sections"]] == ["Staff handbook"]
    assert output["usage"]["visits"] == 1


async def test_a_thread_that_was_interrupted_can_be_used_again(
    client: LangGraphClient, models: StubOpenAI, thread: str
) -> None:
    """The next question on it is answered as if it were the first."""
    run = await started(client, models, thread)
    await client.runs.cancel(thread, run, wait=True, action="interrupt")
    output: Any = await client.runs.wait(thread, "retrieval", input=QUESTION)
    assert output["sections"][0]["title"] == "Sick leave"
    assert output["usage"]["visits"] + output["remaining_visits"] == 15


async def test_rollback_leaves_nothing(client: LangGraphClient, models: StubOpenAI, thread: str) -> None:
    """The run is gone with its checkpoints, and the thread is idle."""
    run = await started(client, models, thread)
    await client.runs.cancel(thread, run, wait=True, action="rollback")
    with pytest.raises(NotFoundError):
        await client.runs.get(thread, run)
    assert await client.threads.get_history(thread) == []
    assert (await client.threads.get(thread))["status"] == "idle"


async def test_a_caller_who_goes_away_ends_the_run(client: LangGraphClient, models: StubOpenAI, thread: str) -> None:
    """With `on_disconnect` set to cancel, a dropped stream ends the call to the model and interrupts the run."""

    async def follow() -> None:
        async for _ in client.runs.stream(
            thread, "retrieval", input=QUESTION, context=SLOW, stream_mode="custom", on_disconnect="cancel"
        ):
            pass

    following = asyncio.create_task(follow())
    assert await asyncio.to_thread(models.arrived.wait, WAIT_S)
    following.cancel()
    await asyncio.wait([following])
    assert await asyncio.to_thread(models.abandoned.wait, WAIT_S)
    (run,) = await client.runs.list(thread)
    await client.runs.join(thread, run["run_id"])
    assert (await client.runs.get(thread, run["run_id"]))["status"] == "interrupted"


async def test_a_flag_ends_the_walk_with_a_result(client: LangGraphClient, thread: str) -> None:
    """`cancel_run` lets the run return what has landed, here nothing, with the reason."""
    run = await client.runs.create(thread, "retrieval", input=QUESTION, after_seconds=1)
    await cancel_run(client, run["run_id"])
    output: Any = await client.runs.join(thread, run["run_id"])
    assert (output["stop_reason"], output["sections"]) == ("CANCELLED", [])
    assert (await client.runs.get(thread, run["run_id"]))["status"] == "success"


async def test_a_killed_server_goes_on_where_it_stood(tmp_path: Path, models: StubOpenAI) -> None:
    """After SIGKILL and a new start the walk resumes: no decision is asked for again, no visit counted twice."""
    make_index(tmp_path)
    environment = {
        "TOCWALK_INDEX": str(tmp_path / "index.db"),
        "TOCWALK_OPENAI_BASE_URL": models.base_url,
        "TOCWALK_DECISION_CACHE": "off",
        "OPENAI_API_KEY": KEY,
    }
    context: dict[str, Any] = {"navigator_model": "openai:resumes", "offer_levels": 1}
    with serving(tmp_path, environment) as server:
        async with get_client(url=server.address) as client:
            thread = (await client.threads.create())["thread_id"]
            await client.runs.create(thread, "retrieval", input=QUESTION, context=context)
            assert await asyncio.to_thread(models.arrived.wait, WAIT_S)
            await asyncio.to_thread(wait_until_written, tmp_path / ".langgraph_api")
        server.kill()
        server.start()
        async with get_client(url=server.address) as client:
            for run in await client.runs.list(thread):
                if run["status"] in ("pending", "running"):
                    await client.runs.cancel(thread, run["run_id"], wait=True)
            output: Any = await client.runs.wait(thread, "retrieval", input=None)
    assert output["sections"][0]["title"] == "Parental leave"
    assert (output["usage"]["visits"], output["usage"]["model_calls"]) == (2, 2)
    opened = [entry["id"] for entry in output["trace"] if entry["event"] == "open"]
    assert opened == ["handbook", "handbook/leave"]
    assert models.calls("resumes") in (3, 4)


def wait_until_written(folder: Path) -> None:
    """Return when the development server has written its threads to disk twice, which it does every ten seconds."""
    from watchfiles import watch

    for seen, _ in enumerate(watch(folder, yield_on_timeout=True, rust_timeout=WAIT_S * 1000), 1):
        if seen == 2:
            return


LANDS: dict[str, Any] = {"navigator_model": "openai:lands-then-hangs", "offer_levels": 1}


async def ended_while_two_were_asked(client: LangGraphClient, models: StubOpenAI, thread: str, way: str) -> str:
    """Start a walk, end it while two calls are in flight after something has landed, and return its id."""
    run = (await client.runs.create(thread, "retrieval", input=QUESTION, context=LANDS))["run_id"]
    assert await asyncio.to_thread(models.arrived.wait, WAIT_S)
    if way == "flag":
        await cancel_run(client, run)
    else:
        await client.runs.cancel(thread, run, wait=True, action=way)  # type: ignore[arg-type] # one of two words
    assert await asyncio.to_thread(models.is_idle, WAIT_S)
    return str(run)


async def test_a_flag_ends_calls_in_flight_and_keeps_what_has_landed(
    client: LangGraphClient, models: StubOpenAI, thread: str
) -> None:
    """`cancel_run` while a model is asked drops the requests, and the run returns what had landed."""
    run = await ended_while_two_were_asked(client, models, thread, "flag")
    output: Any = await client.runs.join(thread, run)
    assert (await client.runs.get(thread, run))["status"] == "success"
    assert output["stop_reason"] == "CANCELLED"
    assert [section["title"] for section in output["sections"]] == ["Purpose"]
    assert models.calls("lands-then-hangs") == 3


async def test_what_had_landed_can_be_had_after_an_interrupt(
    client: LangGraphClient, models: StubOpenAI, thread: str
) -> None:
    """A walk that was interrupted while models were asked can be told to end: no further call, what had landed."""
    run = await ended_while_two_were_asked(client, models, thread, "interrupt")
    assert (await client.runs.get(thread, run))["status"] == "interrupted"
    state: Any = await client.threads.get_state(thread)
    ended = {"decisions": {id_: {"action": "cancelled"} for id_ in state["values"]["wave"]}}
    await client.threads.update_state(thread, ended, as_node="navigator_decide")
    output: Any = await client.runs.wait(thread, "retrieval", input=None)
    assert output["stop_reason"] == "CANCELLED"
    assert [section["title"] for section in output["sections"]] == ["Purpose"]
    assert models.calls("lands-then-hangs") == 3


@pytest.mark.parametrize("way", ["flag", "interrupt", "rollback"])
async def test_after_every_way_the_thread_is_as_new(
    client: LangGraphClient, models: StubOpenAI, thread: str, way: str
) -> None:
    """However a walk was ended in flight, the next question on its thread is answered as if it were the first."""
    run = await ended_while_two_were_asked(client, models, thread, way)
    if way == "flag":
        await client.runs.join(thread, run)
    output: Any = await client.runs.wait(thread, "retrieval", input=QUESTION)
    assert [section["title"] for section in output["sections"]][:1] == ["Sick leave"]
    assert output["usage"]["visits"] + output["remaining_visits"] == 15
    assert models.calls("lands-then-hangs") == 3
