"""The example of a server for several tenants, with two users."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from handbook import ACME_HANDBOOK, headers_of
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError, AuthenticationError, NotFoundError
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from tocwalk.nodes import cancel_run

QUESTION: dict[str, Any] = {"query": "How much sick leave may I take?"}


async def test_without_a_key_nothing_is_served(tenants: str) -> None:
    """A request without a key, or with one that nobody has, is refused; a header of Studio opens nothing."""
    for headers in ({}, {"Authorization": "Bearer guessed"}, {"x-auth-scheme": "langsmith"}):
        async with get_client(url=tenants, headers=headers) as client:
            with pytest.raises(AuthenticationError):
                await client.threads.create()
    async with httpx.AsyncClient() as http:
        assert (await http.post(f"{tenants}/mcp", json={})).status_code == 401


async def test_a_tenant_finds_its_own_documents(ann: LangGraphClient) -> None:
    """What a user has indexed, walks of that user find."""
    found: Any = await ann.runs.wait(None, "retrieval", input=QUESTION)
    assert "Ten days at Acme" in found["sections"][0]["text"]


async def test_ids_of_others_are_not_found(ann: LangGraphClient, bob: LangGraphClient) -> None:
    """Threads, runs and assistants of another tenant give 404, to read, change, run and delete."""
    thread = (await ann.threads.create())["thread_id"]
    run = await ann.runs.create(thread, "retrieval", input=QUESTION)
    await ann.runs.join(thread, run["run_id"])
    assistant = (await ann.assistants.create("retrieval", name="mine", metadata={"created_by": "system"}))[
        "assistant_id"
    ]
    attempts: list[Any] = [
        lambda: bob.threads.get(thread),
        lambda: bob.threads.get_state(thread),
        lambda: bob.threads.get_history(thread),
        lambda: bob.threads.update_state(thread, {"cancelled": True}),
        lambda: bob.threads.delete(thread),
        lambda: bob.runs.get(thread, run["run_id"]),
        lambda: bob.runs.join(thread, run["run_id"]),
        lambda: bob.runs.cancel(thread, run["run_id"]),
        lambda: bob.runs.wait(thread, "retrieval", input=QUESTION),
        lambda: bob.assistants.get(assistant),
        lambda: bob.assistants.get_schemas(assistant),
        lambda: bob.assistants.update(assistant, name="taken"),
        lambda: bob.assistants.delete(assistant),
        lambda: bob.runs.wait(None, assistant, input=QUESTION),
    ]
    for attempt in attempts:
        with pytest.raises((NotFoundError, httpx.HTTPStatusError)) as refused:
            await attempt()
        assert refused.value.response.status_code == 404
    assert thread not in {one["thread_id"] for one in await bob.threads.search()}
    assert {one["name"] for one in await bob.assistants.search()} == {"retrieval", "answer", "index"}
    assert (await ann.assistants.get(assistant))["name"] == "mine"


async def test_documents_and_corpora_of_others_are_not_found(ann: LangGraphClient, bob: LangGraphClient) -> None:
    """Neither a corpus nor a document of another tenant is reached by naming it, whatever else is sent along."""
    sent: dict[str, Any] = {"texts": [{"name": "plans.md", "text": ACME_HANDBOOK}], "corpus": "plans"}
    await ann.runs.wait(None, "index", input=sent)
    failed: Any = await bob.runs.wait(None, "retrieval", input=QUESTION | {"corpus": "plans"}, raise_error=False)
    assert failed["__error__"]["error"] == "NotFoundError"
    assert "plans" in failed["__error__"]["message"]
    bolts: dict[str, Any] = {"texts": [{"name": "bolts.md", "text": "# Bolts\n\nText.\n"}]}
    own: Any = await bob.runs.wait(None, "index", input=bolts)
    assert [one["id"] for one in own["documents"]] == ["bolts.md"]
    found: Any = await bob.runs.wait(None, "retrieval", input=QUESTION | {"only_documents": ["handbook.md"]})
    assert found["sections"] == []
    forged: list[dict[str, Any]] = [
        {"tenant": "acme"},
        {"langgraph_auth_user_id": "ann"},
        {"langgraph_auth_user": {"identity": "ann", "tenant": "acme"}},
    ]
    for named in forged:
        assert "Acme" not in await outcome(bob, {"configurable": named})


async def outcome(client: LangGraphClient, config: Any) -> str:
    """Return what a walk with a configuration finds, or the status with which it is refused."""
    try:
        return str(await client.runs.wait(None, "retrieval", input=QUESTION, config=config))
    except APIStatusError as refused:
        return str(refused.status_code)


async def test_only_ones_own_runs_can_be_ended(ann: LangGraphClient, bob: LangGraphClient) -> None:
    """A flag that another user sets for a run is not that run's; one's own ends it before its next wave."""
    thread = (await ann.threads.create())["thread_id"]
    for canceller, reason in ((bob, "LEAF"), (ann, "CANCELLED")):
        run = await ann.runs.create(thread, "retrieval", input=QUESTION, after_seconds=1)
        await cancel_run(canceller, run["run_id"])
        output: Any = await ann.runs.join(thread, run["run_id"])
        assert output["stop_reason"] == reason


async def test_items_of_the_store_are_ones_own(ann: LangGraphClient, bob: LangGraphClient) -> None:
    """What one user keeps in the store, another does not find."""
    await ann.store.put_item(["notes"], key="a", value={"text": "mine"})
    assert (await ann.store.get_item(["notes"], key="a"))["value"] == {"text": "mine"}
    assert not await bob.store.get_item(["notes"], key="a")
    assert all(item["namespace"][0] == "bob" for item in (await bob.store.search_items([]))["items"])


async def test_tools_find_what_is_the_callers(tenants: str, ann: LangGraphClient, bob: LangGraphClient) -> None:
    """A tool that runs a graph runs it as the user whose key the MCP client sends."""
    bolts: dict[str, Any] = {"texts": [{"name": "bolts.md", "text": "# Bolts\n\nText.\n"}]}
    await bob.runs.wait(None, "index", input=bolts)
    found = {}
    for user in ("ann", "bob"):
        async with (
            create_mcp_http_client(headers=headers_of(user)) as http,
            Client(streamable_http_client(f"{tenants}/mcp", http_client=http)) as tools,
        ):
            result = await tools.call_tool("retrieve", QUESTION)
            assert not result.is_error, result.content
            found[user] = str(result.structured_content)
    assert "Ten days at Acme" in found["ann"]
    assert "Acme" not in found["bob"]
