"""What LangGraph Studio reads of every graph that is served: drawing, forms, descriptions, prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import create_model

import tocwalk.graph

SERVED = json.loads((Path(__file__).parents[2] / "langgraph.json").read_text("utf-8"))["graphs"]
GRAPHS = {name: getattr(tocwalk.graph, served["path"].partition(":")[2]) for name, served in SERVED.items()}
INSIDE_ANSWER = {
    ("retrieve:start_walk", "retrieve:budget_check"),
    ("retrieve:budget_check", "retrieve:present_children"),
    ("retrieve:budget_check", "retrieve:emit_landed"),
    ("retrieve:present_children", "retrieve:navigator_decide"),
    ("retrieve:present_children", "retrieve:validate_choice"),
    ("retrieve:navigator_decide", "retrieve:validate_choice"),
    ("retrieve:validate_choice", "retrieve:navigator_decide"),
    ("retrieve:validate_choice", "retrieve:budget_check"),
}


@pytest.fixture(params=GRAPHS)
def graph(request: pytest.FixtureRequest) -> Any:
    """Return each served graph."""
    return GRAPHS[request.param]


def state_schema(graph: Any) -> dict[str, Any]:
    """Return the schema of the state as a server makes it: of the channels that are streamed."""
    fields: dict[str, Any] = {name: (graph.channels[name].UpdateType, None) for name in graph.stream_channels_list}
    return dict(create_model("State", **fields).model_json_schema())


def edges(graph: Any, **options: Any) -> set[tuple[str, str]]:
    """Return the edges of the drawing."""
    return {(edge.source, edge.target) for edge in graph.get_graph(**options).edges}


def test_every_node_says_what_it_does(graph: Any) -> None:
    """The drawing carries a sentence for each node that does something."""
    nodes = [node for node in graph.get_graph().to_json()["nodes"] if not str(node["id"]).startswith("__")]
    assert len(nodes) >= 2
    assert all(node["metadata"]["description"].endswith((".", "?")) for node in nodes)


def test_every_node_is_reached_and_left(graph: Any) -> None:
    """The drawing has no node without a way in and out, and its only end is the end: no edge is missing or invented."""
    drawn = edges(graph)
    nodes = set(graph.get_graph().nodes)
    assert {target for _, target in drawn} == nodes - {"__start__"}
    assert {source for source, _ in drawn} == nodes - {"__end__"}


def test_the_walk_is_drawn_inside_the_answer() -> None:
    """With the inner graphs shown, the answer's drawing has every edge of the walk in the place of `retrieve`."""
    inside = {edge for edge in edges(GRAPHS["answer"], xray=True) if all(end.startswith("retrieve:") for end in edge)}
    assert inside == INSIDE_ANSWER


def test_the_state_is_described(graph: Any) -> None:
    """Each key of the state that outlives the first step, and each of the output, says what it is."""
    given = set(graph.get_input_jsonschema()["properties"])
    state = state_schema(graph)["properties"]
    silent = {name for name, field in state.items() if not field.get("description")}
    assert silent <= given
    assert all(field["description"] for field in graph.get_output_jsonschema()["properties"].values())


def test_forms_are_complete(graph: Any) -> None:
    """Each input and each setting has a description; each setting has a default, and each number a bound."""
    given = graph.get_input_jsonschema()["properties"]
    settings = graph.get_context_jsonschema()["properties"]
    assert all(field["description"] for field in [*given.values(), *settings.values()])
    assert all("default" in field for field in settings.values())
    for field in settings.values():
        for kind in field.get("anyOf", [field]):
            if kind.get("type") in ("integer", "number"):
                assert {"minimum", "exclusiveMinimum"} & set(kind), field


def test_settings_are_shown_at_their_nodes(graph: Any) -> None:
    """Where a setting names the nodes it belongs to, they are nodes of that graph, or of the walk inside it."""
    nodes = {str(name).rpartition(":")[2] for name in graph.get_graph(xray=True).nodes}
    named = [field.get("langgraph_nodes", []) for field in graph.get_context_jsonschema()["properties"].values()]
    assert {node for one in named for node in one} <= nodes


def test_the_writer_s_prompt_can_be_edited() -> None:
    """Studio is told that one setting of the answer is a prompt, and where it is used."""
    field = GRAPHS["answer"].get_context_jsonschema()["properties"]["writing_instructions"]
    assert (field["langgraph_type"], field["langgraph_nodes"]) == ("prompt", ["write"])
