"""The index graph: documents in, trees out, stored where walks find them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph

from tocwalk.graph.describing import described
from tocwalk.graph.opening import writer
from tocwalk.graph.steps import WalkGraph, compiled
from tocwalk.index import TreeIndex
from tocwalk.indexing.index_documents import ArrivingInput, index_documents
from tocwalk.indexing.outline_documents import outline_documents
from tocwalk.indexing.services import IndexServices
from tocwalk.indexing.state import IndexContext, IndexInput, IndexOutput, IndexState
from tocwalk.state.operator import OperatorSettings

__all__ = ["build_index_graph", "index_builder"]

_JOBS = 4


def build_index_graph(
    *,
    index: TreeIndex | str | Path | None = None,
    tenant: str = "default",
    operator: OperatorSettings | None = None,
    **compile_options: Any,
) -> WalkGraph:
    """Return the index graph, compiled.

    Args:
        index: A `TreeIndex`, or where one is; one that is missing is made. None: where the environment says
            (TOCWALK_INDEX, TOCWALK_HOME), looked up when a run starts.
        tenant: Whose documents they become, where `index` is no `TreeIndex`.
        operator: Which folders may be read, how much may be sent, and which models may be asked for summaries, where
            and at what price. None: from the environment.
        **compile_options: For `StateGraph.compile`: `checkpointer`, `name`, …

    Raises:
        SettingsError: The environment holds a value that cannot be used, or a tenant is given beside a `TreeIndex`.
        ReadOnlyIndexError: The `TreeIndex` was opened only to be read.
    """
    services = IndexServices(
        open_index=writer(index, tenant=tenant),
        operator=operator or OperatorSettings.from_environment(),
        jobs=min(os.cpu_count() or 1, _JOBS),
    )
    return compiled(index_builder(services), **{"name": "index", **compile_options})


def index_builder(services: IndexServices) -> StateGraph[IndexState, IndexContext, IndexInput, IndexOutput]:
    """Return the graph before it is compiled."""
    builder = StateGraph(IndexState, IndexContext, input_schema=IndexInput, output_schema=IndexOutput)
    # `Any`: the protocols of `add_node` know nodes by the names of their parameters.
    reading: Any = index_documents(services)
    outlining: Any = outline_documents(services)
    builder.add_node("index_documents", reading, input_schema=ArrivingInput, metadata=described("index_documents"))
    builder.add_node("outline_documents", outlining, metadata=described("outline_documents"))
    builder.add_edge(START, "index_documents")
    builder.add_edge("index_documents", "outline_documents")
    builder.add_edge("outline_documents", END)
    return builder
