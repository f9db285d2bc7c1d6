"""Graphs that name their index, while the file of that name is replaced or taken away."""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from reference.trees import Node, to_documents
from tocwalk.errors import NotFoundError
from tocwalk.graph import build_retrieval_graph
from tocwalk.graph.opening import opener
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.testing.fakes import FunctionNavigator


def _make(location: Path, title: str) -> None:
    for path in location.parent.glob(f"{location.name}*"):
        path.unlink()
    with TreeIndex(location) as index:
        for document in to_documents({"doc": Node(title, sections=(Node(f"{title} a"), Node(f"{title} b")))}):
            index.put(document, parser_version="1", summaries="none")


def test_an_index_is_opened_once_until_its_file_is_another(tmp_path: Path) -> None:
    """The same index is returned as long as its file is the same; of one made anew, what is in it now."""
    location = tmp_path / "index.db"
    _make(location, "Old")
    opened = opener(location)
    old = opened()
    assert opened() is old
    assert opener(str(location))() is old
    _make(location, "New")
    new = opened()
    assert [row.title for row in new.documents()] == ["New"]  # type: ignore[attr-defined]
    assert opened() is new


def test_an_index_that_was_taken_away_is_not_found(tmp_path: Path) -> None:
    """A file that is gone is an error, not served from what is still open."""
    location = tmp_path / "index.db"
    _make(location, "Old")
    opened = opener(location)
    opened()
    location.unlink()
    with pytest.raises(NotFoundError, match="no index at"):
        opened()


def test_a_walk_that_is_resumed_over_another_index_ends(tmp_path: Path) -> None:
    """A walk that waited while its index was made anew says what is gone, and returns nothing of the other."""
    location = tmp_path / "index.db"
    _make(location, "Old")

    def take_all(request: NavigatorRequest) -> Decision:
        picks = [Pick(ref=one.ref, action="take") for one in request.candidates if one.ref != "0"]
        return Decision(action="pick", picks=tuple(picks))

    graph = build_retrieval_graph(
        index=location,
        navigator=FunctionNavigator(take_all),
        checkpointer=InMemorySaver(),
        interrupt_before=["emit_landed"],
    )
    config: RunnableConfig = {"configurable": {"thread_id": "1"}}
    graph.invoke({"query": "?"}, config)
    _make(location, "New")
    output = graph.invoke(None, config)
    assert output["sections"] == []
    assert {failure["reason"] for failure in output["failures"]} == {"text_gone"}
