"""The walk under a parent's names."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from reference.asking import SmallIndex
from reference.trees import Node
from tocwalk.errors import SettingsError
from tocwalk.graph import build_retrieval_graph
from tocwalk.navigators.protocol import Decision, NavigatorRequest
from tocwalk.testing import FunctionNavigator

HANDBOOK = Node("Handbook", sections=(Node("Leave", sections=(Node("Sick"), Node("Annual"))), Node("Pay")))


def stop(_: NavigatorRequest) -> Decision:
    """Take what is opened."""
    return Decision(action="stop")


class Parent(TypedDict, total=False):
    """A state that has other words."""

    question: str
    corpus: str
    documents: list[Any]


def test_a_walk_is_a_node_under_its_parent_s_names(small_index: SmallIndex) -> None:
    """With `query_key` and `sections_key` the graph reads and writes the parent's keys without a wrapper."""
    corpus = small_index.store({"handbook": HANDBOOK})
    graph = small_index.graph(FunctionNavigator(stop), query_key="question", sections_key="documents")
    builder = StateGraph(Parent)
    builder.add_node("retrieve", graph)
    builder.add_edge(START, "retrieve")
    found: Any = builder.compile().invoke({"question": "Who pays?", "corpus": corpus})
    assert [section["id"] for section in found["documents"]] == ["handbook"]
    assert found["question"] == "Who pays?"


def test_other_names_change_nothing_else(small_index: SmallIndex) -> None:
    """Output, drawing and forms are the same but for the names."""
    corpus = small_index.store({"handbook": HANDBOOK})
    renamed = small_index.graph(FunctionNavigator(stop), query_key="question", sections_key="documents")
    plain = small_index.graph(FunctionNavigator(stop))
    output = plain.invoke({"query": "Who pays?", "corpus": corpus})
    output["documents"] = output.pop("sections")
    assert renamed.invoke({"question": "Who pays?", "corpus": corpus}) == output
    assert renamed.get_graph().draw_mermaid() == plain.get_graph().draw_mermaid()
    own, other = plain.get_input_jsonschema(), renamed.get_input_jsonschema()
    assert other["required"] == ["question"]
    assert other["properties"]["question"]["description"] == own["properties"]["query"]["description"]
    assert set(other["properties"]) ^ set(own["properties"]) == {"query", "question"}


@pytest.mark.parametrize("key", ["trace", "visits", " ", "landed"])
def test_a_name_that_the_walk_has_itself_is_refused(key: str) -> None:
    """A key that means something else in the walk cannot be the question's or the sections'."""
    with pytest.raises(SettingsError, match="sections_key"):
        build_retrieval_graph(sections_key=key)


def test_question_and_sections_cannot_share_a_name() -> None:
    """One key cannot be both."""
    with pytest.raises(SettingsError, match="differ"):
        build_retrieval_graph(query_key="text", sections_key="text")
