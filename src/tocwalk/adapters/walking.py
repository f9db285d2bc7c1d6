"""What retriever and tool share: a graph, the scope and settings of its walks, and how it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from langchain_core.runnables import RunnableConfig

__all__ = ["Graph", "walk_input"]


class Graph(Protocol):
    """The retrieval graph, or a `RemoteGraph` that stands for one on a server."""

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 - its name
        """Run to the end."""
        ...

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 - its name
        """Run to the end."""
        ...


def walk_input(scope: Mapping[str, Any], query: str, documents: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the input of a walk: the question within a scope, which named documents can narrow but never widen."""
    given = {**scope, "query": query}
    if not documents:
        return given
    allowed: Sequence[str] | None = scope.get("only_documents")
    named = [one for one in documents if one in allowed] if allowed else list(documents)
    # Nothing of what was named is allowed: an empty list would mean all, the scope is what there is.
    return {**given, "only_documents": named or allowed}
