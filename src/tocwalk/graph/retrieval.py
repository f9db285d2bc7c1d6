"""The retrieval graph: present, decide, validate, check the budget, until a stop reason is reached."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph

from tocwalk.graph.describing import described
from tocwalk.graph.opening import opener
from tocwalk.graph.renaming import Names
from tocwalk.graph.steps import WalkGraph, compiled
from tocwalk.index.reader import TreeReader
from tocwalk.navigators.registry import NavigatorRegistry, navigator_of
from tocwalk.nodes import (
    Services,
    after_budget_check,
    after_present_children,
    after_validate_choice,
    budget_check,
    emit_landed,
    navigator_decide,
    present_children,
    start_walk,
    validate_choice,
)
from tocwalk.state import WalkContext
from tocwalk.state.operator import OperatorSettings

__all__ = ["build_retrieval_graph", "retrieval_builder", "walk_services"]


def build_retrieval_graph(
    *,
    index: TreeReader | str | Path | None = None,
    tenant: str = "default",
    navigator: object | None = None,
    operator: OperatorSettings | None = None,
    query_key: str = "query",
    sections_key: str = "sections",
    **compile_options: Any,
) -> WalkGraph:
    """Return the retrieval graph, compiled.

    Args:
        index: A `TreeIndex`, or where one is: a SQLite file or a URL. None: where the environment says
            (TOCWALK_INDEX, TOCWALK_HOME), looked up when a walk starts.
        tenant: Whose documents, where `index` is none that is open already.
        navigator: Who judges: a `Navigator`, or a LangChain chat model. None: whatever the context's
            `navigator_model` names, found among the installed ones.
        operator: Model allow-list, prices, credentials and ceilings. None: from the environment.
        query_key: What the question is called in the input, where a graph around the walk has another word.
        sections_key: What the sections are called in the output.
        **compile_options: For `StateGraph.compile`: `checkpointer`, `store`, `interrupt_before`, `name`, …

    Raises:
        SettingsError: `navigator` is neither, a key cannot be used, the environment holds a value that cannot, or a
            tenant is given beside an open index.
    """
    names = Names(query=query_key, sections=sections_key)
    services = walk_services(index=index, tenant=tenant, navigator=navigator, operator=operator)
    return compiled(retrieval_builder(services, names), **{"name": "retrieval", **compile_options})


def walk_services(
    *, index: TreeReader | str | Path | None, tenant: str, navigator: object | None, operator: OperatorSettings | None
) -> Services:
    """Return what the walks of a graph share; see `build_retrieval_graph`."""
    settings = operator or OperatorSettings.from_environment()
    return Services(
        open_index=opener(index, tenant=tenant),
        operator=settings,
        registry=NavigatorRegistry.from_entry_points(settings),
        navigator=None if navigator is None else navigator_of(navigator),
    )


def retrieval_builder(services: Services, names: Names | None = None) -> StateGraph[Any, WalkContext, Any, Any]:
    """Return the graph before it is compiled, with other names for the question and the sections if given."""
    names = names or Names()
    state, given, returned = names.schemas()
    builder = StateGraph(state, WalkContext, input_schema=given, output_schema=returned)
    # `Any`: the protocols of `add_node` know a node's parameters by name, which a plain `Callable` does not tell.
    nodes: dict[str, Any] = {
        "budget_check": budget_check(services),
        "present_children": present_children(services),
        "navigator_decide": navigator_decide(services),
        "validate_choice": validate_choice(services),
        "emit_landed": names.emit(emit_landed(services)),
    }
    start, start_input = names.start(start_walk(services))
    builder.add_node("start_walk", start, input_schema=start_input, metadata=described("start_walk"))
    for name, node in nodes.items():
        builder.add_node(name, node, metadata=described(name))
    builder.add_edge(START, "start_walk")
    builder.add_edge("start_walk", "budget_check")
    builder.add_conditional_edges("budget_check", after_budget_check)
    builder.add_conditional_edges("present_children", after_present_children, ["navigator_decide", "validate_choice"])
    builder.add_edge("navigator_decide", "validate_choice")
    builder.add_conditional_edges("validate_choice", after_validate_choice, ["navigator_decide", "budget_check"])
    builder.add_edge("emit_landed", END)
    return builder
