"""What a LangGraph server adds: time to the first part and per step, one run and many, and a table of faults.

Starts `langgraph dev` and a server that answers in OpenAI's stead, each on this machine. About four minutes.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from starlette.responses import JSONResponse

from measuring import print_table
from tocwalk import build_retrieval_graph
from tocwalk.graph import WalkGraph
from tocwalk.index import TreeIndex
from tocwalk.nodes import cancel_run

sys.path[:0] = [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parents[1] / "tests" / "server")]

from handbook import make_index  # noqa: E402 - of the tests
from serving import Server, serving  # noqa: E402 - of the tests

from stub_openai import BEHAVIOURS, KEY, StubOpenAI, stub_openai  # noqa: E402 - of the tests

QUESTION: dict[str, Any] = {"query": "How much sick leave may I take?"}
LEVELS: dict[str, Any] = {"offer_levels": 1}
MANY = 50
STORM = 20
OFFSETS_MS = (0, 50, 100, 200, 400, 600, 800, 1000, 1200, 1600)
PATIENCE_S = 0.15


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as name, stub_openai() as models:
        folder = Path(name)
        make_index(folder)
        environment = {
            "TOCWALK_INDEX": str(folder / "index.db"),
            "TOCWALK_OPENAI_BASE_URL": models.base_url,
            "TOCWALK_DECISION_CACHE": "off",
            "OPENAI_API_KEY": KEY,
            "LOG_LEVEL": "ERROR",
            "LANGSMITH_TRACING": "false",
        }
        BEHAVIOURS.update({"patient": _patient, "two-of-three-429": _storms, "two-of-three-dropped": _drops})
        with serving(folder, environment) as server:
            asyncio.run(_all(server, models, folder))


async def _patient(stub: StubOpenAI, request: Any, body: dict[str, Any]) -> Any:
    """Open the chapter on pay, then take its last section, each after the time that a fast model takes."""
    await asyncio.sleep(PATIENCE_S)
    if "Overtime" in str(body["messages"]):
        return await BEHAVIOURS["good"](stub, request, body)
    decision = json.dumps({"reasoning": "Pay.", "action": "pick", "picks": [{"ref": "3", "action": "open"}]})
    choice = {"index": 0, "message": {"role": "assistant", "content": decision}, "finish_reason": "stop"}
    return JSONResponse({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]})


async def _storms(stub: StubOpenAI, request: Any, body: dict[str, Any]) -> Any:
    """Turn two of three requests away."""
    if stub.calls(body["model"]) % 3 == 0:
        return await BEHAVIOURS["good"](stub, request, body)
    error = {"message": "slow down", "type": "error", "param": None, "code": None}
    return JSONResponse({"error": error}, status_code=429, headers={"retry-after-ms": "100"})


async def _drops(stub: StubOpenAI, request: Any, body: dict[str, Any]) -> Any:
    """Break two of three connections within the answer."""
    whole = stub.calls(body["model"]) % 3 == 0
    return await BEHAVIOURS["good" if whole else "drop"](stub, request, body)


async def _all(server: Server, models: StubOpenAI, folder: Path) -> None:
    async with get_client(url=server.address) as client:
        await _one(client)  # what is loaded once is not measured
        await _print_latencies(client, folder)
        await _print_faults(server, client, models)


async def _one(client: LangGraphClient) -> list[float]:
    """Run a walk, and return the seconds from its start to its first custom event, to each further and to its end."""
    begun = time.perf_counter()
    stream = client.runs.stream(None, "retrieval", input=QUESTION, context=LEVELS, stream_mode="custom")
    seen = [time.perf_counter() - begun async for part in stream if part.event == "custom"]
    return [*seen, time.perf_counter() - begun]


async def _in_process(graph: WalkGraph) -> list[float]:
    begun = time.perf_counter()
    stream = graph.astream(QUESTION, context=LEVELS, stream_mode="custom")
    seen = [time.perf_counter() - begun async for _ in stream]
    return [*seen, time.perf_counter() - begun]


async def _print_latencies(client: LangGraphClient, folder: Path) -> None:
    rows: list[list[object]] = []
    with TreeIndex(folder / "index.db", read_only=True) as index:
        graph = build_retrieval_graph(index=index)
        rows.append(_latencies("in process", [await _in_process(graph) for _ in range(21)][1:]))
    rows.append(_latencies("server, 1 run", [await _one(client) for _ in range(20)]))
    together = await asyncio.gather(*(_one(client) for _ in range(MANY)))
    rows.append(_latencies(f"server, {MANY} runs at once, 10 workers", together))
    header = ["where", "first event", "per further event", "whole run", "slowest run"]
    print_table("A walk of two visits: ms, medians", header, rows)


def _latencies(where: str, runs: list[list[float]]) -> list[object]:
    first = statistics.median(run[0] for run in runs)
    between = statistics.median((run[-2] - run[0]) / (len(run) - 2) for run in runs)
    whole = statistics.median(run[-1] for run in runs)
    return [where, *(f"{1000 * value:.1f}" for value in (first, between, whole, max(run[-1] for run in runs)))]


async def _print_faults(server: Server, client: LangGraphClient, models: StubOpenAI) -> None:
    header = ["fault", "runs", "ended as they should", "resumed to the same answer", "visits counted twice"]
    whole: Any = await client.runs.wait(None, "retrieval", input=QUESTION, context=_context("openai:patient"))
    rows: list[list[object]] = []
    for name, fault in {
        "cancelled (interrupt) after " + ", ".join(map(str, OFFSETS_MS)) + " ms": _cancelled,
        "caller gone (stream dropped) after the same times": _dropped,
        "ended by `cancel_run` after the same times, then asked anew": _flagged,
        "rolled back after the same times, then asked anew": _rolled_back,
    }.items():
        outcomes = [await fault(client, whole, offset / 1000) for offset in OFFSETS_MS]
        rows.append(_tally(name, outcomes))
    rows.append(_tally("SIGKILL of the server in the second visit, started again", [await _killed(server, whole)]))
    async with get_client(url=server.address) as again:
        rows += [await _storm(again, models, model) for model in ("two-of-three-429", "two-of-three-dropped")]
    print_table("Faults", header, rows)


def _context(model: str) -> dict[str, Any]:
    return LEVELS | {"navigator_model": model}


def _tally(name: str, outcomes: list[Counter[str]]) -> list[object]:
    total = sum(outcomes, Counter[str]())
    return [name, len(outcomes), *(int(total[kind]) for kind in ("ended", "same", "twice"))]


async def _cancelled(client: LangGraphClient, whole: Any, after_s: float) -> Counter[str]:
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "retrieval", input=QUESTION, context=_context("openai:patient"))
    await asyncio.sleep(after_s)
    await _attempt(lambda: client.runs.cancel(thread, run["run_id"], wait=True))
    return await _resumed(client, thread, whole)


async def _dropped(client: LangGraphClient, whole: Any, after_s: float) -> Counter[str]:
    thread = (await client.threads.create())["thread_id"]

    async def follow() -> None:
        stream = client.runs.stream(
            thread, "retrieval", input=QUESTION, context=_context("openai:patient"), on_disconnect="cancel"
        )
        async for _ in stream:
            pass

    following = asyncio.create_task(follow())
    await asyncio.sleep(after_s)
    following.cancel()
    await asyncio.wait([following])
    for run in await client.runs.list(thread):
        await _attempt(lambda run=run: client.runs.join(thread, run["run_id"]))
    return await _resumed(client, thread, whole)


async def _flagged(client: LangGraphClient, whole: Any, after_s: float) -> Counter[str]:
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "retrieval", input=QUESTION, context=_context("openai:patient"))
    await asyncio.sleep(after_s)
    await cancel_run(client, run["run_id"])
    output: Any = await client.runs.join(thread, run["run_id"])
    return await _asked_anew(client, thread, whole, ended=output["stop_reason"] in ("CANCELLED", whole["stop_reason"]))


async def _rolled_back(client: LangGraphClient, whole: Any, after_s: float) -> Counter[str]:
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "retrieval", input=QUESTION, context=_context("openai:patient"))
    await asyncio.sleep(after_s)
    await _attempt(lambda: client.runs.cancel(thread, run["run_id"], wait=True, action="rollback"))
    finished = [one["status"] for one in await client.runs.list(thread)] == ["success"]
    ended = finished or await client.threads.get_history(thread) == []
    return await _asked_anew(client, thread, whole, ended=ended)


async def _asked_anew(client: LangGraphClient, thread: str, whole: Any, *, ended: bool) -> Counter[str]:
    """Ask again on a thread whose run has been ended, which must be as if it were new."""
    output: Any = await client.runs.wait(thread, "retrieval", input=QUESTION, context=_context("openai:patient"))
    same = output["sections"] == whole["sections"] and output["trace"] == whole["trace"]
    return Counter(ended=ended, same=same, twice=output["usage"]["visits"] != whole["usage"]["visits"])


async def _killed(server: Server, whole: Any) -> Counter[str]:
    async with get_client(url=server.address) as client:
        thread = (await client.threads.create())["thread_id"]
        context = _context("openai:patient")
        await client.runs.wait(
            thread, "retrieval", input=QUESTION, context=context, interrupt_after=["validate_choice"]
        )
        await asyncio.sleep(21)  # the development server writes its threads every ten seconds
        await client.runs.create(thread, "retrieval", input=None)
        await asyncio.sleep(0.7)
    server.kill()
    server.start()
    async with get_client(url=server.address) as client:
        for run in await client.runs.list(thread):
            await _attempt(lambda run=run: client.runs.cancel(thread, run["run_id"], wait=True))
        return await _resumed(client, thread, whole)


async def _resumed(client: LangGraphClient, thread: str, whole: Any) -> Counter[str]:
    """Resume a thread, and return whether it ended well, with the same answer, and visits counted twice."""
    state: Any = await client.threads.get_state(thread)
    given = None if state["values"] else QUESTION
    context = _context("openai:patient")  # for a walk that had not begun when it was cancelled
    output: Any = await client.runs.wait(thread, "retrieval", input=given, context=context, raise_error=False)
    if not output.get("sections"):
        output = (await client.threads.get_state(thread))["values"]
    status = (await client.threads.get(thread))["status"]
    return Counter(
        ended=status == "idle",
        same=output.get("sections") == whole["sections"] and output.get("trace") == whole["trace"],
        twice=output.get("usage", {}).get("visits") != whole["usage"]["visits"],
    )


async def _storm(client: LangGraphClient, models: StubOpenAI, model: str) -> list[object]:
    """Run many walks at once against a provider that fails most requests."""
    models.forget()
    context = _context(f"openai:{model}")
    runs = (
        client.runs.wait(None, "retrieval", input=QUESTION, context=context, raise_error=False) for _ in range(STORM)
    )
    outputs: list[Any] = await asyncio.gather(*runs)
    good = [one for one in outputs if one.get("sections")]
    twice = sum(one["usage"]["visits"] != sum(e["event"] == "open" for e in one["trace"]) for one in good)
    same = sum(one["sections"] == good[0]["sections"] for one in good)
    return [f"{STORM} runs at once, {model} ({models.calls(model)} requests)", STORM, len(good), same, twice]


async def _attempt(work: Callable[[], Awaitable[Any]]) -> None:
    """Do what may come too late: the run has ended by itself, or is gone."""
    from httpx import HTTPStatusError
    from langgraph_sdk.errors import APIStatusError

    try:
        await work()
    except (APIStatusError, HTTPStatusError):
        return


if __name__ == "__main__":
    main()
