"""Indexing through a LangGraph server."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient
from serving import Server

from stub_openai import StubOpenAI
from tocwalk.nodes import cancel_run

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
    assert settings["summary_model"]["langgraph_nodes"] == ["index_documents"]
    assert (settings["parallel"]["default"], settings["parallel"]["minimum"], settings["parallel"]["maximum"]) == (
        4,
        1,
        64,
    )
    assert set(settings) == {
        *("summaries", "summary_model", "parallel", "max_tokens", "max_cost", "summary_timeout_s", "outlines")
    }
    assert all(field["description"] for field in settings.values())
    assert all("default" in field for field in settings.values())


async def test_what_is_sent_can_be_asked_at_once(client: LangGraphClient) -> None:
    """A text and a file are streamed as they are done, come back as trees, and the next walk finds them."""
    thread = (await client.threads.create())["thread_id"]
    page = b"<html><body><h1>Bus manual</h1><p>Words.</p><h2>Doors</h2><p>Keep the doors shut.</p></body></html>"
    sent: dict[str, Any] = {
        "texts": [{"name": "car.md", "text": MANUAL}],
        "files": [{"name": "bus.html", "content": base64.b64encode(page).decode()}, {"name": "x.pdf", "content": "?"}],
        "corpus": "vehicles",
    }
    stream = client.runs.stream(thread, "index", input=sent, stream_mode=["custom", "values"])
    parts = [part async for part in stream]
    done: list[Any] = [part.data for part in parts if part.event == "custom"]
    assert [event["id"] for event in done] == ["bus.html", "x.pdf", "car.md"]
    assert {event["id"]: event["status"] for event in done} == {
        "car.md": "stored",
        "bus.html": "stored",
        "x.pdf": "failed",
    }
    output: Any = parts[-1].data
    assert [outline["document"]["id"] for outline in output["outlines"]] == ["bus.html", "car.md"]
    found: Any = await client.runs.wait(None, "retrieval", input={"query": "Are doors shut?", "corpus": "vehicles"})
    assert "doors shut" in found["sections"][0]["text"]


async def test_documents_are_kept_out_of_the_thread(client: LangGraphClient) -> None:
    """The state of the thread afterwards holds reports and trees, and no content."""
    thread = (await client.threads.create())["thread_id"]
    sent: dict[str, Any] = {"texts": [{"name": "car.md", "text": MANUAL}], "corpus": "vehicles"}
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


LONG = "# Tram manual\n\n" + "\n\n".join(f"## Rule {letter}\n\n" + f"Rule {letter} is long. " * 60 for letter in "abc")


async def test_a_model_writes_the_summaries(client: LangGraphClient, models: StubOpenAI) -> None:
    """What was written is in the tree and streamed with what it has cost; the same text again costs nothing."""
    sent: dict[str, Any] = {"texts": [{"name": "tram.md", "text": LONG}], "corpus": "summarised"}
    settings: Any = {"summary_model": "openai:summarises"}
    stream = client.runs.stream(None, "index", input=sent, context=settings, stream_mode=["custom", "values"])
    parts: list[Any] = [part async for part in stream]
    spent = [part.data for part in parts if part.event == "custom" and part.data["event"] == "summaries"]
    assert spent[-1]["usage"]["model_calls"] == 4
    assert spent[-1]["summary"] == "4 summaries written, 4 model calls, 4,000 tokens in and 80 out"
    output = parts[-1].data
    summaries = {section["title"]: section["summary"] for section in output["outlines"][0]["sections"]}
    assert summaries["Rule b"] == "Tells of Rule b."
    assert (output["usage"]["model_calls"], output["summaries"]["stopped"], output["cancelled"]) == (4, "", False)
    again: Any = await client.runs.wait(None, "index", input=sent, context=settings)
    assert (again["documents"][0]["status"], models.calls("summarises")) == ("unchanged", 4)


async def test_a_cancelled_run_asks_no_model_any_more(client: LangGraphClient, models: StubOpenAI) -> None:
    """The call in flight is dropped and none follows; another run pays for what had not been written."""
    sent: dict[str, Any] = {"texts": [{"name": "tram.md", "text": LONG}], "corpus": "cancelled"}
    settings: Any = {"summary_model": "openai:hangs-when-summarising", "parallel": 1}
    models.arrived.clear()
    models.abandoned.clear()
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "index", input=sent, context=settings)
    assert await asyncio.to_thread(models.arrived.wait, 60)
    await client.runs.cancel(thread, run["run_id"], wait=True)
    assert await asyncio.to_thread(models.abandoned.wait, 60)
    assert models.calls("hangs-when-summarising") == 2
    output: Any = await client.runs.wait(None, "index", input=sent, context=settings)
    assert (output["summaries"]["sections"]["kept"], output["summaries"]["sections"]["written"]) == (1, 3)


async def test_a_flag_ends_a_run_with_a_result(client: LangGraphClient, models: StubOpenAI) -> None:
    """With `cancel_run` the run ends by itself within seconds, and says that it was cancelled."""
    sent: dict[str, Any] = {"texts": [{"name": "tram.md", "text": LONG}], "corpus": "flagged"}
    models.arrived.clear()
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "index", input=sent, context={"summary_model": "openai:slow"})
    assert await asyncio.to_thread(models.arrived.wait, 60)
    await cancel_run(client, run["run_id"])
    output: Any = await client.runs.join(thread, run["run_id"])
    assert (output["cancelled"], output["documents"]) == (True, [])


async def test_a_model_that_is_not_known_fails_the_run(client: LangGraphClient) -> None:
    """The error names the model, and nothing is stored."""
    sent: dict[str, Any] = {"texts": [{"name": "tram.md", "text": LONG}], "corpus": "unknown"}
    failed: Any = await client.runs.wait(
        None, "index", input=sent, context={"summary_model": "nobody"}, raise_error=False
    )
    assert "'nobody'" in failed["__error__"]["message"]


async def test_runs_are_logged_by_the_server(client: LangGraphClient, running: Server) -> None:
    """The server's own log shows each document with what became of it, and not what it says."""
    text = "# Ferry manual\n\nNobody may swim.\n"
    sent: dict[str, Any] = {"texts": [{"name": "ferry.md", "text": text}], "corpus": "ferries"}
    await client.runs.wait(None, "index", input=sent)
    assert "document_done" in running.log
    assert "document=ferry.md" in running.log
    assert "Nobody may swim" not in running.log
