"""The tools for MCP clients, called by a real client."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp import Client


async def called(tools: Client, name: str, **arguments: Any) -> dict[str, Any]:
    """Return what a tool returns, which is there as an object and as JSON text."""
    result = await tools.call_tool(name, arguments)
    assert not result.is_error, result.content
    structured: Any = result.structured_content
    (block,) = result.content
    assert json.loads(getattr(block, "text", "")) == structured
    return dict(structured)


async def test_the_tools_are_described(server: str) -> None:
    """Each tool and each of its arguments says what it is; all only read."""
    async with Client(f"{server}/mcp") as tools:
        listed = (await tools.list_tools()).tools
        assert [tool.name for tool in listed] == ["retrieve", "answer", "documents", "outline", "read"]
        for tool in listed:
            assert tool.description
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            assert all(field["description"] for field in tool.input_schema["properties"].values())


async def test_retrieve_returns_sections(server: str) -> None:
    """A question comes back with whole sections, and the record of the way there, as JSON."""
    async with Client(f"{server}/mcp") as tools:
        found = await called(tools, "retrieve", query="How much sick leave may I take?", documents=["handbook"])
        assert found["sections"][0]["title"] == "Sick leave"
        assert found["sections"][0]["text"].startswith("Sick leave\n")
        assert found["trace"][0]["event"] == "start"


async def test_documents_are_looked_at_section_by_section(server: str) -> None:
    """A client goes from the list of documents to an outline to a section."""
    async with Client(f"{server}/mcp") as tools:
        (document,) = (await called(tools, "documents"))["documents"]
        outline = await called(tools, "outline", document=document["id"])
        (leave,) = [section["id"] for section in outline["sections"] if section["title"] == "Leave"]
        whole = await called(tools, "read", section=leave)
        own = await called(tools, "read", section=leave, subtree=False)
        assert "Sick leave" in whole["text"]
        assert "Sick leave" not in own["text"]


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("outline", {"document": "handbok"}, "no document 'handbok'. Close: 'handbook'"),
        ("read", {"section": "nowhere"}, "no section 'nowhere'"),
        ("documents", {"corpus": "attic"}, "no corpus 'attic'. There is '"),
        ("retrieve", {"query": "Where?", "corpus": "attic"}, "no corpus 'attic'"),
        ("retrieve", {"query": " "}, "blank"),
        ("retrieve", {}, "query: missing. The question, in plain words."),
        ("retrieve", {"query": 5}, "query: must be a string, got 5."),
        (
            "retrieve",
            {"query": "?", "documents": "handbook"},
            "documents: must be a list, got 'handbook'.",
        ),
        ("retrieve", {"query": "?", "visits": -1}, "visits: must be greater than or equal to 0, got -1."),
        ("retrieve", {"query": "?", "document": "handbook"}, "no argument 'document'; it takes 'query', 'corpus',"),
        ("read", {"section": "handbook", "subtree": "perhaps"}, "subtree: "),
        ("find", {}, "no tool 'find'; there are 'retrieve',"),
        ("answer", {"question": "How much sick leave?"}, "not set up for it; whoever runs it can change that."),
    ],
)
async def test_errors_say_what_was_wrong(server: str, name: str, arguments: dict[str, Any], says: str) -> None:
    """A call that fails is marked as failed; its text names the argument, its value and what to do, and no command."""
    async with Client(f"{server}/mcp") as tools:
        result = await tools.call_tool(name, arguments)
        assert result.is_error
        (block,) = result.content
        text = getattr(block, "text", "")
        assert says in text
        assert "pydantic" not in text
        assert "`tocwalk " not in text
