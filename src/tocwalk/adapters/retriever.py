"""A LangChain retriever: for chains, and for whatever takes one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from tocwalk.adapters.documents import documents_of
from tocwalk.adapters.walking import walk_input

__all__ = ["SectionRetriever"]


class SectionRetriever(BaseRetriever):
    """Returns the sections that a walk lands on, whole, best first.

    Nothing is searched by similarity: where the walk finds nothing, nothing is returned.
    """

    graph: Any
    """The retrieval graph, or a `RemoteGraph` of one."""
    scope: Mapping[str, Any] = Field(default_factory=dict[str, Any])
    """Keys of the walk's input besides the question: `corpus`, `only_documents`, `filters`, `visits`."""
    settings: Mapping[str, Any] = Field(default_factory=dict[str, Any])
    """Settings of the walk, as in `WalkContext`."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        config = {"callbacks": run_manager.get_child()}
        output = self.graph.invoke(walk_input(self.scope, query), config, context=dict(self.settings) or None)
        return documents_of(output["sections"])

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        config = {"callbacks": run_manager.get_child()}
        output = await self.graph.ainvoke(walk_input(self.scope, query), config, context=dict(self.settings) or None)
        return documents_of(output["sections"])
