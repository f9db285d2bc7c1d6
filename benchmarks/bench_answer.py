"""Answers: time to the first token over a LangGraph server, one run and many, and time to look quotes up in long texts.

Starts `langgraph dev` and a server that answers in OpenAI's stead, each on this machine. About two minutes.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from measuring import print_table
from tocwalk.answering.quotes import QuotedText
from tocwalk.graph import WalkGraph, build_answer_graph
from tocwalk.index import TreeIndex
from tocwalk.state.operator import OperatorSettings

sys.path[:0] = [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parents[1] / "tests" / "server")]

from handbook import make_index  # noqa: E402 - of the tests
from serving import serving  # noqa: E402 - of the tests

from stub_answers import written  # noqa: E402 - of the tests
from stub_openai import BEHAVIOURS, KEY, StubOpenAI, stub_openai  # noqa: E402 - of the tests

QUESTION: dict[str, Any] = {"question": "How much sick leave may I take?"}
ONE, MANY = 20, 50
PATIENCE_S = 0.15
CALLS = 3
"""Of the model until its first token: plan, judge, write. Each waits `PATIENCE_S`, which is not counted."""
CHARACTERS = 1_000_000
PROSE = (
    "The tenant pays the agreed rent on the first work-\ning day of each month, and the landlord’s “agent” sends a"
    " receipt – by post, or as a file.  Late rent bears interest.\n\n"
)
TEXTS = {
    "English": PROSE,
    "Chinese": "租户应在每月第一个工作日支付租金。",
    "rows of a table": "| Ground floor | 1,200 |\n",
    "columns of a table": "Ground floor      1,200      950\n",
    "hyphens": "a-",
    "soft hyphens": "a\u00ad",
    "blanks that do not break": "ab\u00a0",
    "accents apart": "e\u0301",
    "accents alone": "\u0301\u0323",
    "ligatures": "\ufb01",
}
MISSING = "this quote stands nowhere in the text"


def main() -> None:
    """Print the tables."""
    _print_quotes()
    with tempfile.TemporaryDirectory() as name, stub_openai() as models:
        folder = Path(name)
        make_index(folder)
        BEHAVIOURS["patient-writer"] = _patient_writer
        environment = {
            "TOCWALK_OPENAI_BASE_URL": models.base_url,
            "TOCWALK_ANSWER_MODEL": "openai:patient-writer",
            "TOCWALK_CALLS_IN_FLIGHT": str(MANY),
            "OPENAI_API_KEY": KEY,
        }
        operator = OperatorSettings.from_environment(environment)
        server = {"TOCWALK_INDEX": str(folder / "index.db"), "LOG_LEVEL": "ERROR", "LANGSMITH_TRACING": "false"}
        with serving(folder, {**environment, **server}) as running:
            asyncio.run(_print_first_tokens(running.address, operator, folder))


def _print_quotes() -> None:
    rows: list[list[object]] = []
    for name, unit in TEXTS.items():
        text = (unit * (CHARACTERS // len(unit) + 1))[:CHARACTERS]
        ready = QuotedText(text)
        first = min(_processor_ms(one) for one in (ready, QuotedText(text), QuotedText(text)))
        rows.append([name, f"{first:.0f}", f"{_processor_ms(ready):.1f}"])
    header = ["a million characters of", "first quote", "each further quote"]
    print_table("Looking up a quote that is not there: ms of processor time", header, rows)


def _processor_ms(text: QuotedText) -> float:
    begun = time.process_time()
    text.find(MISSING)
    return 1000 * (time.process_time() - begun)


async def _patient_writer(_stub: StubOpenAI, _request: Any, body: dict[str, Any]) -> Any:
    """Plan, judge and write, each after the time that a fast model takes."""
    await asyncio.sleep(PATIENCE_S)
    prompt = str(body["messages"][-1]["content"])
    if "Task: say whether" in prompt:
        text = json.dumps({"enough": True})
    elif "Task: answer" in prompt:
        (ref,) = re.findall(r"=== (S\d+) \|[^\n]*Sick leave", prompt)[:1]
        quote = {"ref": ref, "quote": "five words that are nowhere"}
        text = json.dumps({"statements": [{"text": "It says so.", "quotes": [quote]}]})
    elif "Task: the statements" in prompt:
        text = json.dumps({"statements": []})
    else:
        text = json.dumps({"question": "Sick leave?", "questions": [{"question": "Sick leave?"}]})
    return written(text, body)


async def _print_first_tokens(address: str, operator: OperatorSettings, folder: Path) -> None:
    rows: list[list[object]] = []
    with TreeIndex(folder / "index.db", read_only=True) as index:
        graph = build_answer_graph(index=index, operator=operator)
        await _in_process(graph)  # what is loaded once is not measured
        rows.append(_row("in process, 1 run", [await _in_process(graph) for _ in range(ONE)]))
        rows.append(_row(f"in process, {MANY} runs at once", await _together(lambda: _in_process(graph))))
    async with get_client(url=address) as client:
        await _over_server(client)
        rows.append(_row("server, 1 run", [await _over_server(client) for _ in range(ONE)]))
        rows.append(_row(f"server, {MANY} runs at once, 10 workers", await _together(lambda: _over_server(client))))
    taken_off = f"{1000 * CALLS * PATIENCE_S:.0f} of the model's own taken off"
    header = ["where", "median", "slowest"]
    print_table(f"Time to the first token of an answer: ms, {taken_off}", header, rows)


async def _together(run: Callable[[], Coroutine[Any, Any, float]]) -> list[float]:
    return list(await asyncio.gather(*(run() for _ in range(MANY))))


async def _in_process(graph: WalkGraph) -> float:
    """Return the seconds from the start of a run to its first token."""
    begun = time.perf_counter()
    return await _first_token(
        (str(part[0].content) async for part in graph.astream(QUESTION, stream_mode="messages")), begun
    )


async def _over_server(client: LangGraphClient) -> float:
    begun = time.perf_counter()
    stream = client.runs.stream(None, "answer", input=QUESTION, stream_mode="messages-tuple")
    return await _first_token((str(p.data[0]["content"]) async for p in stream if p.event == "messages"), begun)


async def _first_token(tokens: AsyncIterator[str], begun: float) -> float:
    first = 0.0
    async for token in tokens:
        if token and not first:
            first = time.perf_counter() - begun
    return first


def _row(where: str, firsts: list[float]) -> list[object]:
    own = [first - CALLS * PATIENCE_S for first in firsts]
    return [where, f"{1000 * statistics.median(own):.0f}", f"{1000 * max(own):.0f}"]


if __name__ == "__main__":
    main()
