"""Indexing through a LangGraph server."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient
from serving import Server

MANUAL = "# Car manual\n\n## Brakes\n\nBleed the brakes once a year.\n\n## Tyres\n\nWatch the pressure.\n"


async def test_the_form_is_described(client: LangGraphClient) -> None:
    """Input and settings have descriptions and defaults, and nothing but the state is hidden behind them."""
    (assistant,) = await client.assistants.search(graph_id="index")
    assert "TOCWALK_INDEX_ROOTS" in str(assistant)
    schemas: Any = await client.assistants.get_schemas(assistant["assistant_id"])
    given = schemas["input_schema"]["properties"]
    assert set(given) == {"files", "texts", "paths", "corpus", "metadata"}
    assert all(field["description"] for field in given.values())
    assert all("default" in field for field in given.values())
    settings = schemas["context_schema"]["properties"]
    assert settings["summaries"]["enum"] == ["lead", "none"]
    assert all(field["description"] for field in settings.values())


async def test_what_is_sent_can_be_asked_at_once(client: LangGraphClient) -> None:
    """A text and a file are streamed as they are done, come back as trees, and the next walk finds them."""
    thread = (await client.threads.create())["thread_id"]
    page = b"<html><body><h1>Bus manual</h1><p>Words.</p><h2>Doors</h2><p>Keep the doors shut.</p></body></html>"
    sent: dict[str, Any] = {
        "texts": [{"name": "car.md", "text": MANUAL}],
        "files": [{"name": "bus.html", "content": base64.b64encode(page).decode()}, {"name": "x.pdf", "content": "?"}],
        "corpus": "manuals",
    }
    stream = client.runs.stream(thread, "index", input=sent, stream_mode=["custom", "values"])
    parts = [part async for part in stream]
    done: list[Any] = [part.data for part in parts if part.event == "custom"]
    assert {event["id"]: event["status"] for event in done} == {
        "car.md": "stored",
        "bus.html": "stored",
        "x.pdf": "failed",
    }
    output: Any = parts[-1].data
    assert [outline["document"]["id"] for outline in output["outlines"]] == ["bus.html", "car.md"]
    found: Any = await client.runs.wait(None, "retrieval", input={"query": "Are doors shut?", "corpus": "manuals"})
    assert "doors shut" in found["sections"][0]["text"]


async def test_documents_are_kept_out_of_the_thread(client: LangGraphClient) -> None:
    """The state of the thread afterwards holds reports and trees, and no content."""
    thread = (await client.threads.create())["thread_id"]
    sent: dict[str, Any] = {"texts": [{"name": "car.md", "text": MANUAL}], "corpus": "manuals"}
    await client.runs.wait(thread, "index", input=sent)
    state: Any = await client.threads.get_state(thread)
    assert not {"texts", "files", "paths"} & set(state["values"])
    assert "Watch the pressure.\\n" not in str(state["values"]["documents"])


async def test_only_opened_folders_are_read(client: LangGraphClient, running: Server) -> None:
    """A path below the opened folder is indexed, and one that leads out is refused, each for itself."""
    (running.folder / "opened" / "car.md").write_text(MANUAL)
    sent: dict[str, Any] = {"paths": ["car.md", "../index.db", "/etc/passwd"], "corpus": "paths"}
    output: Any = await client.runs.wait(None, "index", input=sent)
    assert [(one["id"], one["status"], one["reason"]) for one in output["documents"]] == [
        ("car.md", "stored", ""),
        ("../index.db", "failed", "outside_roots"),
        ("/etc/passwd", "failed", "outside_roots"),
    ]


@pytest.mark.parametrize(
    ("sent", "says"), [({}, "Nothing to index"), ({"texts": [{"name": "a", "text": "x" * 200_000}]}, "most")]
)
async def test_errors_reach_the_caller(client: LangGraphClient, sent: dict[str, Any], says: str) -> None:
    """A run that cannot be done fails with a message that says why."""
    failed: Any = await client.runs.wait(None, "index", input=sent, raise_error=False)
    assert says in failed["__error__"]["message"]
