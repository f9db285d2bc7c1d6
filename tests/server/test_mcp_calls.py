"""Calls of the tools for MCP clients that end early, come at once, or are odd."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest
from handbook import make_index
from langgraph_sdk.client import LangGraphClient
from mcp import Client
from serving import ROOT, serving

from stub_openai import BEHAVIOURS, KEY, StubOpenAI

WAIT_S = 60
QUESTION = "How much sick leave may I take?"
SPEAKING: dict[str, str] = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}


@pytest.fixture
async def slow(client: LangGraphClient, models: StubOpenAI) -> AsyncIterator[StubOpenAI]:
    """Return the server of a model that never answers, which the default assistant asks for as long as a test runs."""
    models.forget()
    (assistant,) = await client.assistants.search(graph_id="retrieval", metadata={"created_by": "system"})
    await client.assistants.update(assistant["assistant_id"], context={"navigator_model": "openai:slow"})
    yield models
    await client.assistants.update(assistant["assistant_id"], context={})


async def cancels(server: str, reached: Callable[[], Coroutine[Any, Any, bool]]) -> None:
    """Call a tool, and cancel the call when the model is asked."""
    async with Client(f"{server}/mcp") as tools:
        call = asyncio.create_task(tools.call_tool("retrieve", {"query": QUESTION}))
        assert await reached()
        call.cancel()
        await asyncio.wait([call])


async def goes_away(server: str, reached: Callable[[], Coroutine[Any, Any, bool]]) -> None:
    """Call a tool over the protocol of older clients, and drop the connection when the model is asked."""
    params = {"name": "retrieve", "arguments": {"query": QUESTION}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    async with httpx.AsyncClient(headers=SPEAKING, timeout=WAIT_S) as http:
        call = asyncio.create_task(http.post(f"{server}/mcp", json=message))
        assert await reached()
        call.cancel()
        await asyncio.wait([call])


def title_in(result: Any) -> str:
    """Return the title of the first section that a tool found."""
    assert not result.is_error, result.content
    return str(result.structured_content["sections"][0]["title"])


@pytest.mark.parametrize("ends", [cancels, goes_away])
async def test_a_walk_ends_with_its_caller(server: str, slow: StubOpenAI, ends: Any) -> None:
    """When a call is cancelled or its connection drops, the request to the model is dropped, and no other follows."""
    await ends(server, lambda: asyncio.to_thread(slow.arrived.wait, WAIT_S))
    assert await asyncio.to_thread(slow.abandoned.wait, WAIT_S)
    assert await asyncio.to_thread(slow.is_idle)
    assert slow.calls("slow") == 1


async def test_many_calls_at_once(server: str) -> None:
    """Calls that one client makes at the same time each get their own result."""
    asked = {QUESTION: "Sick leave", "What are the overtime rates?": "Overtime rates"}
    async with Client(f"{server}/mcp") as tools:
        results = await asyncio.gather(*(tools.call_tool("retrieve", {"query": query}) for query in [*asked] * 5))
    assert [title_in(result) for result in results] == [*asked.values()] * 5


async def test_questions_in_any_script(server: str) -> None:
    """Letters of all scripts and control characters come back as they were sent, and harm nothing."""
    async with Client(f"{server}/mcp") as tools:
        result = await tools.call_tool("retrieve", {"query": "Sick leave \u2028 病気 \u202e 🙂 \x00?"})
        assert title_in(result) == "Sick leave"
        missing = await tools.call_tool("read", {"section": "章\u202e/🙂"})
        assert missing.is_error
        assert "章" in str(missing.content)


async def test_a_question_of_a_megabyte_is_refused(server: str) -> None:
    """The caller is told how long a question may be, and not sent the question back."""
    async with Client(f"{server}/mcp") as tools:
        result = await tools.call_tool("retrieve", {"query": "x" * 1_000_000})
    assert result.is_error
    assert "1000000 characters; 20000 are the most" in str(result.content)
    assert len(str(result.content)) < 1000


async def test_the_operator_says_who_judges(
    tmp_path: Path, models: StubOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the module that docs/server.md shows, the tools' walks are judged by the model that it names."""
    models.forget()
    monkeypatch.setitem(BEHAVIOURS, "gpt-5-mini", BEHAVIOURS["good"])
    make_index(tmp_path)
    (module,) = re.findall(r"```python tools.py\n(.*?)```", (ROOT / "docs" / "server.md").read_text("utf-8"), re.DOTALL)
    served = tmp_path / "served"
    served.mkdir()
    (served / "tools.py").write_text(module, "utf-8")
    config = json.loads((ROOT / "langgraph.json").read_text("utf-8"))
    config["http"]["app"] = "./tools.py:app"
    (served / "langgraph.json").write_text(json.dumps(config), "utf-8")
    environment = {
        "TOCWALK_INDEX": str(tmp_path / "index.db"),
        "TOCWALK_OPENAI_BASE_URL": models.base_url,
        "TOCWALK_DECISION_CACHE": "off",
        "OPENAI_API_KEY": KEY,
    }
    run = tmp_path / "run"
    run.mkdir()
    with serving(run, environment, files=iter([*served.iterdir(), ROOT / "graph.py"])) as server:
        async with Client(f"{server.address}/mcp") as tools:
            result = await tools.call_tool("retrieve", {"query": QUESTION})
    assert title_in(result) == "Pension"  # that model takes what is offered last
    assert models.calls("gpt-5-mini") == 1
