"""A walk is never cut by a recursion limit, whichever door it is entered through."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import ToolNode
from typing_extensions import TypedDict

from reference.asking import SmallIndex
from reference.trees import Node
from tocwalk.graph import WalkGraph, retrieval_builder
from tocwalk.navigators.protocol import Decision, Navigator, NavigatorRequest, Pick
from tocwalk.navigators.registry import NavigatorRegistry
from tocwalk.navigators.replay import ReplayNavigator
from tocwalk.nodes import Services
from tocwalk.state import WalkContext
from tocwalk.state.operator import OperatorSettings
from tocwalk.testing.fakes import FunctionNavigator

CONTEXT = {"offer_levels": 1, "max_visits": 40, "max_depth": 60}


def tower(levels: int) -> Node:
    """Return a document whose every section has one leaf and one section below."""
    below: tuple[Node, ...] = ()
    for level in range(levels, 0, -1):
        below = (Node(f"Leaf {level}"), Node(f"Level {level}", sections=below))
    return Node("Tower", sections=below)


def go_down(request: NavigatorRequest) -> Decision:
    """Open the last candidate of the first level: the next level of the tower."""
    first_level = [candidate.ref for candidate in request.candidates if "." not in candidate.ref]
    return Decision(action="pick", picks=(Pick(ref=first_level[-1]),))


def same(given: Any, **_: Any) -> Any:
    """Return what is given."""
    return given


class Parent(TypedDict, total=False):
    """State of a graph around the walk."""

    query: str
    corpus: str
    sections: list[Any]
    stop_reason: str


def in_a_lambda(graph: WalkGraph, request: dict[str, Any]) -> Any:
    """Enter through a function in a chain."""

    def walk(given: dict[str, Any]) -> Any:
        return graph.invoke(given, context=CONTEXT)

    return RunnableLambda(walk).invoke(request)


def as_subgraph(graph: WalkGraph, request: dict[str, Any]) -> Any:
    """Enter as a node of a parent that was given a limit of its own."""
    builder = StateGraph(Parent, WalkContext)
    builder.add_node("walk", graph)
    builder.add_edge(START, "walk")
    builder.add_edge("walk", END)
    parent: Any = builder.compile()
    return parent.invoke(request, {"recursion_limit": 25}, context=CONTEXT)


def as_tool(graph: WalkGraph, request: dict[str, Any]) -> Any:
    """Enter through a tool that a tool node calls."""

    @tool
    def search(query: str) -> str:
        """Search the documents."""
        found = graph.invoke({**request, "query": query}, context=CONTEXT)
        return str(found["stop_reason"])

    call = {"name": "search", "args": {"query": "?"}, "id": "1", "type": "tool_call"}
    message = AIMessage(content="", tool_calls=[call])

    class Messages(TypedDict):
        messages: list[Any]

    agent = StateGraph(Messages)
    agent.add_node("tools", ToolNode([search]))
    agent.add_edge(START, "tools")
    answer = agent.compile().invoke({"messages": [message]}, {"recursion_limit": 25})
    return {"stop_reason": answer["messages"][-1].content}


DOORS: dict[str, Callable[[WalkGraph, dict[str, Any]], Any]] = {
    "invoke": lambda graph, request: graph.invoke(request, context=CONTEXT),
    "invoke with a small limit": lambda graph, request: graph.invoke(request, {"recursion_limit": 25}, context=CONTEXT),
    "ainvoke": lambda graph, request: asyncio.run(graph.ainvoke(request, context=CONTEXT)),
    "batch": lambda graph, request: graph.batch([request], context=CONTEXT)[0],
    "lambda before": lambda graph, request: (RunnableLambda(same) | graph).invoke(request, context=CONTEXT),
    "retry": lambda graph, request: graph.with_retry().invoke(request, context=CONTEXT),
    "with_config": lambda graph, request: graph.with_config(tags=["x"]).invoke(request, context=CONTEXT),
    "copy": lambda graph, request: graph.copy().invoke(request, {"recursion_limit": 25}, context=CONTEXT),
    "called in a lambda": in_a_lambda,
    "subgraph": as_subgraph,
    "tool": as_tool,
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_lets_the_whole_walk_through(door: str, small_index: SmallIndex) -> None:
    """Forty visits, one a wave, need far more than 25 super-steps, and get them."""
    corpus = small_index.store({"tower": tower(50)})
    graph = small_index.graph(FunctionNavigator(go_down))
    output = DOORS[door](graph, {"query": "?", "corpus": corpus})
    # What stands before the graph in a chain gets the context for itself: there the walk ends at the default depth.
    assert output["stop_reason"] == ("MAX_DEPTH" if door == "lambda before" else "BUDGET_EXHAUSTED")


def test_without_our_limit_the_walk_ends_by_itself(small_index: SmallIndex) -> None:
    """Compiled without our limit a walk notices that its steps run out, and returns what it has; a replay likewise."""
    operator = OperatorSettings()
    corpus = small_index.store({"tower": tower(50)})

    def walked(navigator: Navigator) -> Any:
        services = Services(
            open_index=lambda: small_index.index,
            operator=operator,
            registry=NavigatorRegistry([], operator=operator),
            navigator=navigator,
        )
        plain: Any = retrieval_builder(services).compile()
        return plain.invoke({"query": "?", "corpus": corpus}, {"recursion_limit": 25}, context=CONTEXT)

    output = walked(FunctionNavigator(go_down))
    assert walked(ReplayNavigator(output)) == output
    assert output["stop_reason"] == "RECURSION_GUARD"
    assert output["sections"] == []
    assert 0 < output["usage"]["visits"] < 15
