"""The graph as a LangGraph server serves it: forms, runs, streams, steps, edits."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient

QUESTION = {"query": "How much sick leave may I take?"}
STEP_CONTEXT = {"offer_levels": 1}
NODES = ["budget_check", "present_children", "navigator_decide", "validate_choice"]


@pytest.fixture
async def thread(client: LangGraphClient) -> str:
    """Return a new thread."""
    return (await client.threads.create())["thread_id"]


def titles(output: Any) -> list[str]:
    """Return the titles of what landed."""
    return [section["title"] for section in output["sections"]]


async def retrieval(client: LangGraphClient) -> dict[str, Any]:
    """Return the schemas that a server's forms are made from."""
    (assistant,) = await client.assistants.search(graph_id="retrieval")
    assert "tables of contents" in str(assistant)
    return dict(await client.assistants.get_schemas(assistant["assistant_id"]))


async def test_forms_show_defaults_descriptions_and_bounds(client: LangGraphClient) -> None:
    """Input and settings are described, with what happens when they are left out."""
    schemas = await retrieval(client)
    given = schemas["input_schema"]
    assert given["required"] == ["query"]
    assert all(field["description"] for field in given["properties"].values())
    assert given["properties"]["corpus"]["default"] == "default"
    settings = schemas["context_schema"]["properties"]
    assert all(field["description"] for field in settings.values())
    assert settings["navigator_model"]["default"] == "lexical:outline"
    assert (settings["max_visits"]["default"], settings["max_visits"]["maximum"]) == (15, 1000)
    assert schemas["output_schema"]["required"] == [
        "sections",
        "stop_reason",
        "remaining_visits",
        "trace",
        "usage",
        "failures",
    ]


async def test_the_drawing_has_every_edge(client: LangGraphClient) -> None:
    """What Studio draws is the loop with its two short cuts, and nothing else."""
    (assistant,) = await client.assistants.search(graph_id="retrieval")
    drawing = await client.assistants.get_graph(assistant["assistant_id"])
    edges = {(edge["source"], edge["target"]) for edge in drawing["edges"]}
    assert edges == {
        ("__start__", "start_walk"),
        ("start_walk", "budget_check"),
        ("budget_check", "present_children"),
        ("budget_check", "emit_landed"),
        ("present_children", "navigator_decide"),
        ("present_children", "validate_choice"),
        ("navigator_decide", "validate_choice"),
        ("validate_choice", "navigator_decide"),
        ("validate_choice", "budget_check"),
        ("emit_landed", "__end__"),
    }


async def test_a_run_returns_whole_sections(client: LangGraphClient, thread: str) -> None:
    """A question ends with the section that answers it, its text, and the record of the way there."""
    output: Any = await client.runs.wait(thread, "retrieval", input=QUESTION)
    assert set(output) == {"sections", "stop_reason", "remaining_visits", "trace", "usage", "failures"}
    assert titles(output)[0] == "Sick leave"
    assert output["sections"][0]["text"] == "Sick leave\ntext of handbook/leave/sick-leave\n"
    assert output["sections"][0]["score"] == 1.0
    assert output["trace"][0]["event"] == "start"


async def test_a_thread_can_be_used_again(client: LangGraphClient, thread: str) -> None:
    """The second question on a thread is answered as if it were the first."""
    first = await client.runs.wait(thread, "retrieval", input=QUESTION | {"visits": 1}, context=STEP_CONTEXT)
    again: Any = await client.runs.wait(thread, "retrieval", input={"query": "What are the overtime rates?"})
    assert titles(again)[0] == "Overtime rates"
    assert titles(again) != titles(first)
    assert again["usage"]["visits"] + again["remaining_visits"] == 15


async def test_steps_are_streamed(client: LangGraphClient, thread: str) -> None:
    """Each offer, decision and step arrives as it happens, with how long the navigator took."""
    stream = client.runs.stream(thread, "retrieval", input=QUESTION, stream_mode="custom")
    events: list[Any] = [part.data async for part in stream if part.event == "custom"]
    assert [event["event"] for event in events[:3]] == ["offer", "decision", "step"]
    assert events[0]["id"] == "handbook"
    assert "[2.2] 1.4 Sick leave" in events[0]["outline"]
    assert events[1]["ms"] >= 0
    assert events[2]["chosen"]
    assert events[2]["summary"].startswith("opened 1.0 Staff handbook: 8 candidates -> 1.")


async def test_stepping_through_every_node(client: LangGraphClient, thread: str) -> None:
    """With a stop before every node the walk can be followed node by node, its state readable at each."""
    given: Any = QUESTION
    passed: list[str] = []
    for _ in range(40):
        await client.runs.wait(thread, "retrieval", input=given, context=STEP_CONTEXT, interrupt_before="*")
        given = None
        state = await client.threads.get_state(thread)
        if not state["next"]:
            break
        passed += state["next"][:1]
        if state["next"][0] == "navigator_decide":
            values: Any = state["values"]
            assert values["offers"][values["wave"][0]]["titles"]
    assert passed[:6] == ["start_walk", *NODES, "budget_check"]
    assert passed[-1] == "emit_landed"
    finished: Any = (await client.threads.get_state(thread))["values"]
    assert titles(finished)[0] == "Sick leave"


async def test_one_decision_can_be_edited(client: LangGraphClient, thread: str) -> None:
    """A person stops the walk after the navigator's choice, makes another, and the walk goes on with that."""
    await client.runs.wait(
        thread, "retrieval", input=QUESTION, context=STEP_CONTEXT, interrupt_before=["validate_choice"]
    )
    state: Any = await client.threads.get_state(thread)
    assert state["values"]["wave"] == ["handbook"]
    refs = {title: ref for ref, title in state["values"]["offers"]["handbook"]["titles"]}
    (purpose,) = [ref for title, ref in refs.items() if title.endswith("Purpose")]
    edited = {"action": "pick", "picks": [{"ref": purpose, "action": "take"}]}
    await client.threads.update_state(thread, {"decisions": {"handbook": edited}}, as_node="navigator_decide")
    output: Any = await client.runs.wait(thread, "retrieval", input=None)
    assert titles(output) == ["Purpose"]


async def test_a_walk_can_be_forked(client: LangGraphClient, thread: str) -> None:
    """From an earlier step another choice can be tried, and both outcomes stay in the history."""
    first: Any = await client.runs.wait(thread, "retrieval", input=QUESTION, context=STEP_CONTEXT)
    history = await client.threads.get_history(thread, limit=50)
    before = [past for past in history if list(past["next"]) == ["validate_choice"]][-1]
    stop = {"decisions": {"handbook": {"action": "stop"}}}
    fork: Any = await client.threads.update_state(
        thread, stop, as_node="navigator_decide", checkpoint=before["checkpoint"]
    )
    second: Any = await client.runs.wait(thread, "retrieval", input=None, checkpoint=fork["checkpoint"])
    assert titles(first)[0] == "Sick leave"
    assert titles(second) == ["Staff handbook"]


async def test_errors_come_before_the_first_visit(client: LangGraphClient, thread: str) -> None:
    """A model that nobody serves fails the run with a message that names it."""
    run = await client.runs.create(thread, "retrieval", input=QUESTION, context={"navigator_model": "nobody:knows"})
    await client.runs.join(thread, run["run_id"])
    assert (await client.runs.get(thread, run["run_id"]))["status"] == "error"
    state: Any = await client.threads.get_state(thread)
    assert "nobody:knows" in str(state["tasks"])
