"""The answer graph as a LangGraph server serves it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient
from server_models import QUOTE

from stub_openai import StubOpenAI


async def assistant_of(client: LangGraphClient) -> str:
    """Return the id of the assistant that answers."""
    (assistant,) = await client.assistants.search(graph_id="answer")
    assert "quote" in str(assistant)
    return str(assistant["assistant_id"])


async def test_forms_are_described(client: LangGraphClient) -> None:
    """Question, chat, scope and all settings are there with descriptions and defaults."""
    schemas: Any = await client.assistants.get_schemas(await assistant_of(client))
    given = schemas["input_schema"]["properties"]
    assert {"question", "messages", "corpus", "visits"} <= set(given)
    assert all(given[name]["description"] for name in ("question", "messages", "corpus", "visits"))
    settings = schemas["context_schema"]["properties"]
    assert all(field["description"] for field in settings.values())
    assert (settings["max_rounds"]["default"], settings["max_rounds"]["maximum"]) == (3, 20)
    assert settings["navigator_model"]["default"] == "lexical:outline"


async def test_the_drawing_shows_the_walk_inside(client: LangGraphClient) -> None:
    """Studio's drawing has one node for each step, and on demand those of the walk."""
    assistant = await assistant_of(client)
    nodes = {str(node["id"]) for node in (await client.assistants.get_graph(assistant))["nodes"]}
    assert {"plan", "retrieve", "follow", "judge", "write", "check_citations"} <= nodes
    inside: Any = await client.assistants.get_graph(assistant, xray=True)
    assert any("navigator_decide" in str(node["id"]) for node in inside["nodes"])


async def test_without_a_model_it_says_how_to_set_one(client: LangGraphClient) -> None:
    """The run fails before its first visit, and the message names the variable."""
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "answer", input={"question": "How much sick leave may I take?"})
    await client.runs.join(thread, run["run_id"])
    assert (await client.runs.get(thread, run["run_id"]))["status"] == "error"
    state: Any = await client.threads.get_state(thread)
    assert "TOCWALK_ANSWER_MODEL" in str(state["tasks"])


POLICY = (
    f"# Policy\n\n## Purpose\n\nWhy we have rules.\n\n## Sick leave\n\nEverybody has {QUOTE}, and no more than that.\n"
)
CHAT: dict[str, Any] = {"messages": [{"role": "user", "content": "How much sick leave?"}], "corpus": "policies"}


@pytest.fixture
async def thread(client: LangGraphClient, models: StubOpenAI) -> str:
    """Return a new thread, with a corpus of one policy to ask."""
    models.forget()
    sent: dict[str, Any] = {"texts": [{"name": "policy.md", "text": POLICY}], "corpus": "policies"}
    await client.runs.wait(None, "index", input=sent)
    return (await client.threads.create())["thread_id"]


async def test_a_chat_is_answered_as_it_is_written(client: LangGraphClient, thread: str) -> None:
    """Progress and tokens are streamed, the walk's steps among them, and the answer joins the chat with its proof."""
    context = {"answer_model": "openai:answers"}
    parts = [
        part
        async for part in client.runs.stream(
            thread,
            "answer",
            input=CHAT,
            context=context,
            stream_mode=["custom", "messages-tuple"],
            stream_subgraphs=True,
        )
    ]
    events: list[Any] = [part.data for part in parts if part.event.startswith("custom")]
    kinds = [event["event"] for event in events]
    assert kinds[0] == "plan"
    assert {"offer", "decision", "step", "walk", "judge", "write", "check"} <= set(kinds)
    tokens = "".join(str(part.data[0]["content"]) for part in parts if part.event.startswith("messages"))
    assert QUOTE in tokens
    state: Any = (await client.threads.get_state(thread))["values"]
    assert state["answered"]
    assert state["citations"][0]["quote"] == QUOTE
    assert (
        "Fifteen days. [1]" in state["messages"][-1]["content"]
        or "Fifteen days [1]" in state["messages"][-1]["content"]
    )
    assert [message["type"] for message in state["messages"]] == ["human", "ai"]


async def test_an_answer_can_be_cancelled(client: LangGraphClient, models: StubOpenAI, thread: str) -> None:
    """Cancelled while it is written, the request to the model is dropped, and what was found is kept."""
    context = {"answer_model": "openai:hangs-when-writing"}
    run = await client.runs.create(thread, "answer", input=CHAT, context=context)
    assert await asyncio.to_thread(models.arrived.wait, 60)
    await client.runs.cancel(thread, run["run_id"], wait=True)
    assert await asyncio.to_thread(models.abandoned.wait, 60)
    state: Any = await client.threads.get_state(thread)
    assert state["next"] == ["write"]
    assert any("Sick leave" in str(found["sections"]) for found in state["values"]["found"].values())
