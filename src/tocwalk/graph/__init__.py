"""The graphs: compiled workflows to serve, step through, or embed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tocwalk.graph.retrieval import build_retrieval_graph, retrieval_builder
from tocwalk.graph.steps import STEPS_LIMIT, WalkGraph

if TYPE_CHECKING:
    retrieval_graph: WalkGraph

__all__ = ["STEPS_LIMIT", "WalkGraph", "build_retrieval_graph", "retrieval_builder", "retrieval_graph"]


def __getattr__(name: str) -> Any:
    """Build `retrieval_graph`, the graph of the environment's index, when it is first asked for."""
    if name != "retrieval_graph":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = build_retrieval_graph()
    return globals()[name]
