"""What logs are told of an indexing run."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest

from tocwalk.graph import build_index_graph
from tocwalk.index import TreeIndex
from tocwalk.state.operator import OperatorSettings

SECRET = "# Confidential plan\n\n## Merger\n\nWe buy the harbour. " + "It is a good harbour. " * 60


def logged(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """Return the facts of all records."""
    return [vars(record)["tocwalk"] for record in caplog.records]


def test_a_run_is_logged_as_facts(
    index: TreeIndex, operator: OperatorSettings, caplog: pytest.LogCaptureFixture
) -> None:
    """Begin, each document and end are logged with ids, counts, cost and time, as JSON values, and no word of texts."""
    graph = build_index_graph(index=index, operator=operator)
    given = {"texts": [{"name": "plan.md", "text": SECRET}], "corpus": "plans"}
    with caplog.at_level(logging.INFO, "tocwalk"):
        graph.invoke(given, {"configurable": {"thread_id": "t-1"}}, context={"summary_model": "openai:writer"})
    begun, document, ended = logged(caplog)
    assert {record.name for record in caplog.records} == {"tocwalk.index"}
    assert (begun["event"], begun["corpus"], begun["documents"]) == ("index_started", "plans", 1)
    assert begun["summary_model"] == "openai:writer"
    assert (document["event"], document["document"], document["status"]) == ("document_done", "plan.md", "stored")
    assert document["sections"] == 3
    assert (ended["event"], ended["stored"], ended["failed"], ended["cancelled"]) == ("index_ended", 1, 0, False)
    assert (ended["model_calls"], ended["input_tokens"], ended["output_tokens"]) == (1, 500, 20)
    assert ended["cost"] == pytest.approx(0.54)
    assert {one["thread_id"] for one in logged(caplog)} == {"t-1"}
    assert all(one["ms"] >= 0 for one in (document, ended))
    written = json.dumps(logged(caplog)) + caplog.text
    assert [word for word in ("Confidential", "Merger", "harbour", "Tells of", "sk-for-tests") if word in written] == []


def test_a_document_that_fails_is_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is logged with a reason of one word; its message, which may quote, is not."""
    (tmp_path / "opened").mkdir()
    (tmp_path / "opened" / "broken.pdf").write_bytes(b"%PDF-1.7 and a secret")
    operator = OperatorSettings(index_roots=(tmp_path / "opened",))
    graph = build_index_graph(index=tmp_path / "index.db", operator=operator)
    with caplog.at_level(logging.WARNING, "tocwalk"):
        graph.invoke({"paths": ["."]})
    (facts,) = logged(caplog)
    assert (facts["event"], facts["document"], facts["status"]) == ("document_failed", "broken.pdf", "failed")
    assert facts["reason"] == "parse_failed"
    assert str(tmp_path) not in caplog.text


def test_the_page_on_logs_names_all_facts(
    index: TreeIndex, operator: OperatorSettings, caplog: pytest.LogCaptureFixture
) -> None:
    """docs/observability.md names every event of a run, and every fact of each."""
    page = (Path(__file__).parents[2] / "docs" / "observability.md").read_text("utf-8")
    given = {"texts": [{"name": name, "text": text} for name, text in (("plan.md", SECRET), ("blank.md", " "))]}
    with caplog.at_level(logging.INFO, "tocwalk"):
        build_index_graph(index=index, operator=operator).invoke(given, context={"summary_model": "openai:writer"})
    assert [facts["event"] for facts in logged(caplog)] == [
        *("index_started", "document_done", "document_failed", "index_ended")
    ]
    for facts in logged(caplog):
        (row,) = re.findall(rf"`{facts['event']}`[^|]*\|(.*)\|", page)
        assert facts.keys() - {"event", "run_id", "thread_id"} <= set(re.findall(r"`(\w+)`", row))


def test_a_name_makes_no_other_record(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A line end or a colour in a file's name does not reach the text of the log, nor the line for people."""
    name = "plan\nERROR all is lost \x1b[31m.md"
    (tmp_path / "opened").mkdir()
    (tmp_path / "opened" / name).write_text("# Plan\n\nWords.\n")
    operator = OperatorSettings(index_roots=(tmp_path / "opened",))
    graph = build_index_graph(index=tmp_path / "index.db", operator=operator)
    with caplog.at_level(logging.INFO, "tocwalk"):
        (event,) = graph.stream({"paths": ["."]}, stream_mode="custom")
    assert all(record.getMessage().isprintable() for record in caplog.records)
    assert logged(caplog)[1]["document"] == name
    assert event["id"] == name
    assert event["summary"].isprintable()
