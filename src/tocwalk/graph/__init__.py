"""The graphs: compiled workflows to serve, step through, or embed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tocwalk.graph.answer import answer_builder, build_answer_graph
from tocwalk.graph.indexing import build_index_graph, index_builder
from tocwalk.graph.retrieval import build_retrieval_graph, retrieval_builder
from tocwalk.graph.steps import STEPS_LIMIT, WalkGraph

if TYPE_CHECKING:
    answer_graph: WalkGraph
    index_graph: WalkGraph
    retrieval_graph: WalkGraph

__all__ = [
    "STEPS_LIMIT",
    "WalkGraph",
    "answer_builder",
    "answer_graph",
    "build_answer_graph",
    "build_index_graph",
    "build_retrieval_graph",
    "index_builder",
    "index_graph",
    "retrieval_builder",
    "retrieval_graph",
]

_GRAPHS = {
    "answer_graph": build_answer_graph,
    "index_graph": build_index_graph,
    "retrieval_graph": build_retrieval_graph,
}


def __getattr__(name: str) -> Any:
    """Build the graph of the environment's index that is asked for, when it first is."""
    if name not in _GRAPHS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = _GRAPHS[name]()
    return globals()[name]
