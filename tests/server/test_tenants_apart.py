"""What one tenant has paid for or indexed is of no use to another, however it is asked for."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from handbook import ACME_HANDBOOK, headers_of
from langgraph_sdk.client import LangGraphClient
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from stub_openai import StubOpenAI

QUESTION: dict[str, Any] = {"query": "How much sick leave may I take?", "corpus": "shared"}
ASKED: dict[str, Any] = {"navigator_model": "openai:good"}


@asynccontextmanager
async def tools_of(tenants: str, user: str) -> AsyncGenerator[Client]:
    """Return an MCP client that sends the key of a user."""
    async with (
        create_mcp_http_client(headers=headers_of(user)) as http,
        Client(streamable_http_client(f"{tenants}/mcp", http_client=http)) as tools,
    ):
        yield tools


async def test_decisions_of_one_tenant_are_never_used_for_another(
    ann: LangGraphClient, bob: LangGraphClient, models: StubOpenAI
) -> None:
    """Of two tenants with the same text and question each pays for its own decision, and for that only once."""
    models.forget()
    sent: dict[str, Any] = {"texts": [{"name": "handbook.md", "text": ACME_HANDBOOK}], "corpus": "shared"}
    outputs: list[Any] = []
    for client in (ann, bob):
        await client.runs.wait(None, "index", input=sent)
        outputs += [await client.runs.wait(None, "retrieval", input=QUESTION, context=ASKED) for _ in range(2)]
    assert [output["sections"][0]["title"] for output in outputs] == ["Pay"] * 4
    assert [output["usage"]["model_calls"] for output in outputs] == [1, 0, 1, 0]
    assert [output["usage"]["cached_decisions"] for output in outputs] == [0, 1, 0, 1]
    assert models.calls("good") == 2


async def test_tools_look_into_the_callers_index_alone(
    tenants: str, ann: LangGraphClient, bob: LangGraphClient
) -> None:
    """Lists, outlines and sections of another tenant are not there, under their true ids, nor quoted in an error."""
    for client, name in ((ann, "plans.md"), (bob, "bolts.md")):
        sent: dict[str, Any] = {"texts": [{"name": name, "text": f"# {name} of\n\n## Pay\n\nX.\n"}]}
        await client.runs.wait(None, "index", input=sent)
    async with tools_of(tenants, "ann") as tools:
        listed: Any = (await tools.call_tool("documents", {})).structured_content
        assert {"plans.md", "handbook.md"} <= {document["id"] for document in listed["documents"]}
    async with tools_of(tenants, "bob") as tools:
        listed = (await tools.call_tool("documents", {})).structured_content
        assert [document["id"] for document in listed["documents"]] == ["bolts.md"]
        calls: list[tuple[str, dict[str, Any]]] = [
            ("outline", {"document": "plans.md"}),
            ("read", {"section": "plans.md"}),
            ("read", {"section": "handbook.md/acme-handbook/sick-leave"}),
            ("documents", {"corpus": "plans"}),
        ]
        for name, arguments in calls:
            refused = await tools.call_tool(name, arguments)
            assert refused.is_error
            assert "Acme" not in str(refused.content)


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer guessed"}, {"Authorization": "Basic a2V5LW9mLWFubg=="}]
)
async def test_tools_need_a_key(tenants: str, headers: dict[str, str]) -> None:
    """Without a key that somebody has, an MCP client is told so with 401 before it sees a tool."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepting = {"accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(base_url=tenants, headers=headers | accepting) as http:
        answer = await http.post("/mcp", json=message)
    assert answer.status_code == 401
    assert "Authorization: Bearer KEY" in answer.text
