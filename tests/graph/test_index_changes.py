"""Walks while the index changes under them: they see one generation, and say so when it is gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reference.trees import Node, to_documents
from tocwalk.graph import build_retrieval_graph
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.testing.fakes import FunctionNavigator

OLD = Node("Old", sections=(Node("Brief"), Node("Left", sections=(Node("a"), Node("b"))), Node("Right")))
NEW = Node("New", sections=(Node("Other"), Node("Things")))
LEVELS = {"offer_levels": 1}


@pytest.fixture
def index(tmp_path: Path) -> TreeIndex:
    """Return an index of one document."""
    made = TreeIndex(tmp_path / "index.db")
    put(made, OLD)
    return made


def put(index: TreeIndex, root: Node) -> None:
    """Store the document anew."""
    for document in to_documents({"doc": root}):
        index.put(document, parser_version=root.title, summaries="none")


def deciding(at_root: Callable[[], None]) -> FunctionNavigator:
    """Return a navigator that takes leaves and opens the rest, and does something while it looks at the root."""

    def decide(request: NavigatorRequest) -> Decision:
        if request.current.kind == "document":
            at_root()
        picks = [
            Pick(ref=c.ref, action="open" if c.has_children else "take") for c in request.candidates if c.ref != "0"
        ]
        return Decision(action="pick", picks=tuple(picks))

    return FunctionNavigator(decide)


def titles(output: dict[str, Any]) -> list[str]:
    """Return the titles of what landed."""
    return [section["title"] for section in output["sections"]]


def test_a_walk_sees_the_generation_it_began_with(index: TreeIndex) -> None:
    """A document replaced in the middle of a walk is walked to its end as it was; the next walk sees the new one."""
    graph = build_retrieval_graph(index=index, navigator=deciding(lambda: put(index, NEW)))
    assert titles(graph.invoke({"query": "?"}, context=LEVELS)) == ["Brief", "a", "b", "Right"]
    assert titles(graph.invoke({"query": "?"}, context=LEVELS)) == ["Other", "Things"]


def test_a_collected_generation_ends_the_walk(index: TreeIndex) -> None:
    """Once the trees it saw are collected a walk ends with INDEX_CHANGED, and says what it could not read."""

    def replace_and_collect() -> None:
        put(index, NEW)
        assert index.collect(grace_s=0) == 1

    graph = build_retrieval_graph(index=index, navigator=deciding(replace_and_collect))
    output = graph.invoke({"query": "?"}, context=LEVELS)
    assert output["stop_reason"] == "INDEX_CHANGED"
    assert output["sections"] == []
    assert [failure["section"] for failure in output["failures"]] == ["doc/brief", "doc/right"]
    assert {failure["reason"] for failure in output["failures"]} == {"text_gone"}
    (end,) = [step for step in output["trace"] if step["event"] == "end"]
    assert (end["id"], end["landed"]) == ("doc/left", False)


def test_what_is_still_there_is_returned(index: TreeIndex) -> None:
    """When another document's tree was collected, landings whose own text is still there are returned."""
    for document in to_documents({"other": Node("Other", sections=(Node("x"), Node("y")))}):
        index.put(document, parser_version="1", summaries="none")

    def decide(request: NavigatorRequest) -> Decision:
        if request.current.kind == "corpus":
            put(index, NEW)
            index.collect(grace_s=0)
            refs = [c.ref for c in request.candidates if c.title in ("x", "Left")]
            return Decision(action="pick", picks=tuple(Pick(ref=ref, action="open") for ref in refs))
        raise AssertionError("nothing is opened in a generation that is gone")

    graph = build_retrieval_graph(index=index, navigator=FunctionNavigator(decide))
    output = graph.invoke({"query": "?"}, context={"offer_levels": 2})
    assert output["stop_reason"] == "INDEX_CHANGED"
    assert titles(output) == ["x"]
    assert output["failures"] == []
