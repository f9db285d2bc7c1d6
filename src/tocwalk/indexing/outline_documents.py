"""index_documents -> outline_documents -> END: the trees of what is in the index now, without their text."""

from __future__ import annotations

from collections.abc import Callable

from tocwalk.indexing.outcome import IN_INDEX
from tocwalk.indexing.records import outline_of_index
from tocwalk.indexing.services import IndexServices
from tocwalk.indexing.state import IndexState
from tocwalk.state import Update

__all__ = ["outline_documents"]


def outline_documents(services: IndexServices) -> Callable[[IndexState], Update]:
    """Return the node. Documents that failed, and were not there before, have no outline."""

    def outline_documents(state: IndexState) -> Update:
        if not state["request"]["outlines"]:
            return Update(outlines=[])
        index, corpus = services.open_index(), state["request"]["corpus"]
        there = [one["id"] for one in state["documents"] if one["status"] in IN_INDEX]
        return Update(
            outlines=[outline_of_index(index.document(corpus, id_), index.outline(corpus, id_)) for id_ in there]
        )

    return outline_documents
