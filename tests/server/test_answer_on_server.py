"""The answer graph as a LangGraph server serves it."""

from __future__ import annotations

from typing import Any

from langgraph_sdk.client import LangGraphClient


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
