"""The retrieval graph with a memory, for pages that load a graph themselves and step through it (`make studio`)."""

from __future__ import annotations

from langgraph.checkpoint.memory import InMemorySaver

from tocwalk import build_retrieval_graph

graph = build_retrieval_graph(checkpointer=InMemorySaver())
