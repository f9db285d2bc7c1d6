"""The walk as a LangChain retriever and as a tool."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from reference.asking import SmallIndex
from reference.trees import Node
from tocwalk.adapters import SectionRetriever, documents_of, section_tool
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.testing import FunctionNavigator

HANDBOOK = Node(
    "Handbook",
    sections=(Node("Leave", sections=(Node("Sick", metadata={"kind": "rule", "title": "theirs"}), Node("Annual"))),),
)


def take_leaves(request: NavigatorRequest) -> Decision:
    """Take every leaf."""
    picks = tuple(Pick(ref=c.ref, action="take") for c in request.candidates if not c.has_children and c.ref != "0")
    return Decision(action="pick", picks=picks) if picks else Decision(action="reject")


def titles(documents: list[Document]) -> list[str]:
    """Return the titles of documents."""
    return [str(document.metadata["title"]) for document in documents]


@pytest.fixture
def scope(small_index: SmallIndex) -> dict[str, Any]:
    """Return the scope of two handbooks."""
    return {"corpus": small_index.store({"first": HANDBOOK, "second": HANDBOOK})}


def test_documents_say_where_they_stand(small_index: SmallIndex, scope: dict[str, Any]) -> None:
    """Each document has a section's text, and in its metadata all that the section says of itself."""
    output = small_index.graph(FunctionNavigator(take_leaves)).invoke(
        {"query": "?", **scope, "only_documents": ["first"]}
    )
    sick, _ = documents_of(output["sections"])
    assert (sick.id, sick.page_content) == ("first/leave/sick", "Sick\ntext of first/leave/sick\n")
    assert sick.metadata == {
        "kind": "rule",
        "id": "first/leave/sick",
        "document": "first",
        "number": "1.2",
        "title": "Sick",
        "path": ["1.0 Handbook", "1.1 Leave", "1.2 Sick"],
        "depth": 2,
        "page_start": None,
        "page_end": None,
        "label_start": None,
        "label_end": None,
        "stop_reason": "LEAF",
        "score": 1.0,
        "text_scope": "own",
        "source": output["sections"][0]["source"],
    }
    assert json.loads(json.dumps(sick.metadata)) == sick.metadata


async def test_the_retriever_walks_in_its_scope(small_index: SmallIndex, scope: dict[str, Any]) -> None:
    """Scope and settings hold for every question; both doors give the same, alone and in a chain."""
    graph = small_index.graph(FunctionNavigator(take_leaves))
    retriever = SectionRetriever(
        graph=graph, scope={**scope, "only_documents": ["second"]}, settings={"max_results": 1}
    )
    found = retriever.invoke("Who is ill?")
    assert [document.id for document in found] == ["second/leave/sick"]
    assert await retriever.ainvoke("Who is ill?") == found
    chain = retriever | RunnableLambda(titles)
    assert chain.invoke("Who is ill?") == ["Sick"]
    assert chain.batch(["a", "b"]) == [["Sick"], ["Sick"]]


async def test_the_tool_returns_json_to_cite_from(small_index: SmallIndex, scope: dict[str, Any]) -> None:
    """A model reads id, path, pages and text; a program has the whole output beside it."""
    tool = section_tool(small_index.graph(FunctionNavigator(take_leaves)), scope=scope, settings={"max_results": 2})
    call = {"type": "tool_call", "id": "1", "name": tool.name, "args": {"question": "?", "documents": ["second"]}}
    message = tool.invoke(call)
    read = json.loads(message.content)
    assert read["sections"][0] == {
        "id": "second/leave/sick",
        "document": "second",
        "number": "2.2",
        "title": "Sick",
        "path": ["2.0 Handbook", "2.1 Leave", "2.2 Sick"],
        "pages": None,
        "text": "Sick\ntext of second/leave/sick\n",
    }
    assert (read["stop_reason"], read["visits_left"]) == ("LEAF", message.artifact["remaining_visits"])
    assert message.artifact["trace"][0]["event"] == "start"
    assert (await tool.ainvoke(call)).content == message.content


@pytest.mark.parametrize(("named", "searched"), [(["second"], {"first"}), (["first"], {"first"}), (None, {"first"})])
def test_a_model_cannot_leave_the_scope(
    small_index: SmallIndex, scope: dict[str, Any], named: list[str] | None, searched: set[str]
) -> None:
    """Documents that a model names narrow the scope of the tool and never widen it."""
    within = {**scope, "only_documents": ["first"]}
    tool = section_tool(small_index.graph(FunctionNavigator(take_leaves)), scope=within)
    read = json.loads(tool.invoke({"question": "?", "documents": named}))
    assert {section["document"] for section in read["sections"]} == searched


def test_the_tool_s_form_is_described(small_index: SmallIndex) -> None:
    """A model is told when to call it and what each argument means."""
    tool = section_tool(small_index.graph(FunctionNavigator(take_leaves)), name="look_up")
    assert tool.name == "look_up"
    assert "tables of contents" in tool.description
    fields = tool.tool_call_schema.model_json_schema()["properties"]  # type: ignore[union-attr]
    assert set(fields) == {"question", "documents"}
    assert all(field["description"] for field in fields.values())
