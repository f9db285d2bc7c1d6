"""Every endpoint that a server of several tenants has, asked by one tenant for what is another's."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from handbook import headers_of
from langgraph_sdk.client import LangGraphClient

SECRET = "Acme"
"""In all that is Ann's: names, metadata, documents, results, what is asked and kept."""

PUBLIC = {"/", "/ok", "/info", "/metrics", "/docs", "/openapi.json"}
OF_LANGGRAPH_DEV = {
    "/internal/truncate",
    "/internal/debug/thread/{thread_id}",
    "/deploy",
    "/deploy/{operation_id}/stream",
}
"""Only `langgraph dev` has them, and it authenticates nobody there: docs/server.md says so."""

TOLD_OTHERWISE = {
    ("POST", "/threads"): "already exists",
    ("POST", "/assistants"): "already exists",
    ("POST", "/threads/{thread_id}/copy"): "Conflict",
    ("POST", "/threads/{thread_id}/stream/events"): "",
    ("POST", "/ui/{graph_id}"): "UI not found",
    ("POST", "/threads/{thread_id}/commands"): "404: Thread or assistant not found",
    ("GET", "/threads/{thread_id}/stream"): "404: Thread not found",
    ("GET", "/threads/{thread_id}/runs/{run_id}/stream"): "404: Thread not found",
}
"""Where the answer to a foreign id has another status than 404: what it says."""


@dataclass(frozen=True)
class Things:
    """What is Ann's, by id."""

    thread_id: str
    run_id: str
    assistant_id: str
    cron_id: str
    checkpoint_id: str

    def named(self, path: str) -> str:
        """Return a path with these ids in it."""
        return re.sub(r"\{(\w+)\}", lambda name: str(getattr(self, name[1], "retrieval")), path)

    def sent(self, path: str) -> Any:
        """Return a body that is valid for most endpoints, and that names these things wherever one can."""
        body = {
            "assistant_id": self.assistant_id,
            "thread_id": self.thread_id,
            "thread_ids": [self.thread_id],
            "run_ids": [self.run_id],
            "graph_id": "retrieval",
            "input": {"query": "How much sick leave?"},
            "values": {"cancelled": True},
            "checkpoint": {"thread_id": self.thread_id, "checkpoint_id": self.checkpoint_id, "checkpoint_ns": ""},
            "namespace": ["ann", "notes"],
            "key": "a",
            "value": {"text": "taken"},
            "schedule": "0 0 1 1 *",
            "version": 1,
            "strategy": "delete",
            "channels": ["values", "custom"],
        }
        if path.endswith("/commands"):
            return {"id": 1, "method": "run.start", "params": body}
        return [body] if path == "/runs/batch" else body


@pytest.fixture
async def things(ann: LangGraphClient) -> Things:
    """Return what Ann has made."""
    asked = {"query": f"How much sick leave at {SECRET}?"}
    thread = (await ann.threads.create(metadata={"about": SECRET}))["thread_id"]
    run = await ann.runs.create(thread, "retrieval", input=asked)
    await ann.runs.join(thread, run["run_id"])
    state: Any = await ann.threads.get_state(thread)
    assert SECRET in str(state["values"]["sections"])
    assistant = await ann.assistants.create("retrieval", name=SECRET, if_exists="do_nothing")
    cron = await ann.crons.create("retrieval", schedule="0 0 1 1 *", input=asked)
    await ann.store.put_item(["notes"], key="a", value={"text": SECRET})
    return Things(
        thread_id=thread,
        run_id=run["run_id"],
        assistant_id=assistant["assistant_id"],
        cron_id=str(dict(cron)["cron_id"]),
        checkpoint_id=state["checkpoint"]["checkpoint_id"],
    )


@pytest.fixture
async def http(tenants: str) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client that sends what it is told to, as Bob."""
    # Each request on a connection of its own: the server closes those whose body it has not read.
    alone = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=tenants, headers=headers_of("bob"), timeout=60, limits=alone) as opened:
        yield opened


async def endpoints(http: httpx.AsyncClient) -> list[tuple[str, str]]:
    """Return method and path of all that the server says it has."""
    paths: dict[str, Any] = (await http.get("/openapi.json")).json()["paths"]
    found = [(method.upper(), path) for path, methods in paths.items() for method in methods if method != "parameters"]
    assert len(found) > 50
    return [(method, path) for method, path in found if path not in PUBLIC | OF_LANGGRAPH_DEV]


async def test_nothing_is_served_without_a_key(http: httpx.AsyncClient, things: Things) -> None:
    """Every endpoint that is about anything of anybody's answers 401 to a caller who does not say who it is."""
    answered = {}
    for method, path in await endpoints(http):
        request = http.build_request(method, things.named(path), json=things.sent(path))
        del request.headers["authorization"]
        answered[method, path] = (await http.send(request)).status_code
    assert {endpoint for endpoint, status in answered.items() if status != 401} == set()


async def test_no_endpoint_finds_what_is_anothers(http: httpx.AsyncClient, things: Things) -> None:
    """Asked with another tenant's ids, in path and body, each endpoint says that there is no such thing."""
    wrong = []
    for method, path in await endpoints(http):
        answer = await http.request(method, things.named(path), json=things.sent(path))
        names_one = "_id}" in path or (method, path) in TOLD_OTHERWISE
        told = TOLD_OTHERWISE.get((method, path))
        not_found = (
            answer.status_code == 404 if told is None else told in answer.text and bool(told) == bool(answer.text)
        )
        if SECRET in answer.text or (names_one and not not_found):
            wrong.append((method, path, answer.status_code, answer.text[:200]))
    assert wrong == []


async def test_what_was_tried_has_changed_nothing(
    http: httpx.AsyncClient, things: Things, ann: LangGraphClient
) -> None:
    """After all these requests what is Ann's is there, and as it was."""
    before: Any = await ann.threads.get_state(things.thread_id)
    for method, path in await endpoints(http):
        await http.request(method, things.named(path), json=things.sent(path))
    assert await ann.threads.get_state(things.thread_id) == before
    assert [run["run_id"] for run in await ann.runs.list(things.thread_id)] == [things.run_id]
    assert (await ann.assistants.get(things.assistant_id))["name"] == SECRET
    assert (await ann.store.get_item(["notes"], key="a"))["value"] == {"text": SECRET}
    assert things.cron_id in {dict(cron)["cron_id"] for cron in await ann.crons.search()}


async def test_ids_of_others_in_ones_own_requests_lead_nowhere(
    http: httpx.AsyncClient, things: Things, bob: LangGraphClient
) -> None:
    """A checkpoint, thread or namespace of another tenant, named on a thread or run of one's own, is not reached."""
    bolts: dict[str, Any] = {"texts": [{"name": "bolts.md", "text": "# Bolts\n\n## Sick leave\n\nNone.\n"}]}
    await bob.runs.wait(None, "index", input=bolts)
    own = (await http.post("/threads", json={"metadata": {"tenant": "acme"}})).json()
    assert own["metadata"]["tenant"] == "bolt"
    thread = f"/threads/{own['thread_id']}"
    checkpoint = {"thread_id": things.thread_id, "checkpoint_id": things.checkpoint_id, "checkpoint_ns": ""}
    on_it = {"configurable": {"thread_id": things.thread_id, "checkpoint_id": things.checkpoint_id}}
    run: dict[str, Any] = {"assistant_id": "retrieval", "input": {"query": "?"}, "config": on_it}
    requests: list[tuple[str, Any]] = [
        (f"{thread}/state/checkpoint", {"checkpoint": checkpoint}),
        (f"{thread}/runs/wait", {"assistant_id": "retrieval", "checkpoint": checkpoint}),
        (f"{thread}/runs/wait", run),
        ("/runs/wait", run),
        ("/runs/stream", {**run, "stream_mode": ["values", "tasks", "debug", "checkpoints"]}),
        ("/threads/search", {"metadata": {"tenant": "acme"}}),
        ("/threads/search", {"ids": [things.thread_id]}),
        ("/assistants/search", {"metadata": {"tenant": "acme"}}),
        ("/store/items/search", {"namespace_prefix": [], "limit": 1000}),
        ("/store/namespaces", {"prefix": ["ann"]}),
    ]
    for path, body in requests:
        answer = await http.post(path, json=body)
        assert answer.status_code < 500, answer.text
        assert SECRET not in answer.text
    assert SECRET not in (await http.get(f"{thread}/state/{things.checkpoint_id}")).text


async def test_nobody_listens_to_others(http: httpx.AsyncClient, ann: LangGraphClient) -> None:
    """Who asks for the events of another tenant's thread is sent none while it runs."""
    thread = (await ann.threads.create())["thread_id"]
    channels = {"channels": ["values", "updates", "custom", "messages", "lifecycle", "checkpoints", "tasks"]}
    heard = [
        asyncio.create_task(http.post(f"/threads/{thread}/stream/events", json=channels)),
        asyncio.create_task(http.get(f"/threads/{thread}/stream")),
    ]
    found: Any = await ann.runs.wait(thread, "retrieval", input={"query": f"How much sick leave at {SECRET}?"})
    assert SECRET in str(found)
    for listening in heard:
        assert SECRET not in (await listening).text
