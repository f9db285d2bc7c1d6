"""The answer graph: an agentic RAG around the retrieval graph, whose every statement is proved by a quote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from langgraph.graph import START, StateGraph

from tocwalk.answering import (
    AnswerContext,
    AnswerInput,
    AnswerOutput,
    AnswerServices,
    AnswerState,
    PlanInput,
    after_check_citations,
    check_citations,
    follow,
    judge,
    next_steps,
    plan,
    retrieve,
    write,
)
from tocwalk.graph.describing import described
from tocwalk.graph.retrieval import retrieval_builder, walk_services
from tocwalk.graph.steps import WalkGraph, compiled
from tocwalk.index.reader import TreeReader
from tocwalk.state.operator import OperatorSettings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["answer_builder", "build_answer_graph"]


def build_answer_graph(
    *,
    index: TreeReader | str | Path | None = None,
    tenant: str = "default",
    model: BaseChatModel | None = None,
    navigator: object | None = None,
    operator: OperatorSettings | None = None,
    **compile_options: Any,
) -> WalkGraph:
    """Return the answer graph, compiled.

    Args:
        index: As for `build_retrieval_graph`.
        tenant: The same.
        model: A LangChain chat model that plans, judges and writes. None: the context's `answer_model`, else the
            operator's (TOCWALK_ANSWER_MODEL).
        navigator: Who judges the walks' offers; as for `build_retrieval_graph`.
        operator: Model allow-list, prices, credentials and ceilings. None: from the environment.
        **compile_options: For `StateGraph.compile`: `checkpointer`, `store`, `interrupt_before`, `name`, …

    Raises:
        SettingsError: `navigator` is none, or the environment holds a value that cannot be used.
    """
    services = walk_services(index=index, tenant=tenant, navigator=navigator, operator=operator)
    walk = compiled(retrieval_builder(services), name="retrieval")
    builder = answer_builder(AnswerServices(walk=services, model=model), walk)
    return compiled(builder, **{"name": "answer", **compile_options})


def answer_builder(
    services: AnswerServices, walk: WalkGraph
) -> StateGraph[AnswerState, AnswerContext, AnswerInput, AnswerOutput]:
    """Return the graph before it is compiled, around a retrieval graph."""
    builder = StateGraph(AnswerState, AnswerContext, input_schema=AnswerInput, output_schema=AnswerOutput)
    planning: Any = plan(services)
    builder.add_node("plan", planning, input_schema=PlanInput, metadata=described("plan"))
    # `Any`: the protocols of `add_node` know nodes by the names of their parameters.
    nodes: dict[str, Any] = {
        "retrieve": retrieve(walk),
        "follow": follow(services),
        "judge": judge(services),
        "write": write(services),
        "check_citations": check_citations(services),
    }
    for name, node in nodes.items():
        builder.add_node(name, node, metadata=described(name))
    builder.add_edge(START, "plan")
    builder.add_conditional_edges("plan", next_steps, ["retrieve", "write"])
    builder.add_edge("retrieve", "judge")
    builder.add_edge("follow", "judge")
    builder.add_conditional_edges("judge", next_steps, ["retrieve", "follow", "write"])
    builder.add_edge("write", "check_citations")
    builder.add_conditional_edges("check_citations", after_check_citations)
    return builder
