"""docs/models.md is true: each row of its table is a walk over HTTP, under both policies."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from stub_openai import StubOpenAI
from tocwalk import errors
from tocwalk.errors import NavigatorError
from tocwalk.graph import WalkGraph, build_retrieval_graph
from tocwalk.index import TreeIndex
from tocwalk.ingest import read_document
from tocwalk.models.openai import server_of
from tocwalk.state.operator import OperatorSettings

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")
ROW = re.compile(r"^\| `([^`]+)` \| .+ \| (\d|…) \| (\d) \| (\S+) \| (\S+) \| (\S+) \|$", re.MULTILINE)

LEASE = "# Lease\n\nOf the mill.\n\n## Rent\n\nMonthly.\n\n## Repairs\n\nThe landlord's.\n\n## Schedules\n\nTwo.\n"
CARRIAGE = "# Carriage\n\nOf goods.\n\n## Delay\n\nIs paid for.\n"

IMPATIENT = {"slow", "drip"}
TRIES = 6  # for which the time is made to last, where the page says "…"


class Row(NamedTuple):
    """What the page says of one behaviour."""

    model: str
    calls: int
    visits: int
    reason: str
    under_raise: str
    under_partial: str


ROWS = [
    Row(r[0], TRIES if r[1] == "…" else int(r[1]), int(r[2]), r[3], r[4].strip("`"), r[5].strip("`"))
    for r in ROW.findall(PAGE)
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TreeIndex]:
    """Return an index of two documents; models misbehave when the first of them is opened."""
    folder = tmp_path_factory.mktemp("library")
    with TreeIndex(folder / "index.db") as index:
        for name, text in {"lease.md": LEASE, "carriage.md": CARRIAGE}.items():
            (folder / name).write_text(text)
            document = read_document(folder / name, document_id=name)
            index.put(document, corpus="default", parser_version="1", summaries="none")
        yield index


@pytest.fixture
def graph(library: TreeIndex, operator: OperatorSettings, monkeypatch: pytest.MonkeyPatch) -> WalkGraph:
    """Return the graph whose models are the stub's; the time is up after some tries, between which nobody waits."""

    def pause(retry: int, error: NavigatorError) -> float:
        return 3600.0 if retry == TRIES else error.retry_after or 0.0

    monkeypatch.setattr("tocwalk.models.retrying.pause_before", pause)
    return build_retrieval_graph(index=library, operator=operator)


async def walk(graph: WalkGraph, operator: OperatorSettings, model: str, policy: str) -> dict[str, Any]:
    """Ask; whatever comes of it, no task may be left."""
    before = asyncio.all_tasks()
    context: Any = {
        "navigator_model": f"openai:{model}@Lease",
        "on_failure": policy,
        "offer_levels": 1,
        "decide_timeout_s": 0.5 if model in IMPATIENT else 30,
    }
    try:
        return dict(await graph.ainvoke({"query": "What belongs to the lease?"}, context=context))
    finally:
        await server_of(operator).aclose()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() <= before


def outcome_of(output: dict[str, Any]) -> str:
    """Return why the lease landed: a section of it, or all of it."""
    (reason,) = {section["stop_reason"] for section in output["sections"] if section["document"] == "lease.md"}
    return str(reason)


@pytest.mark.parametrize("row", ROWS, ids=[row.model for row in ROWS])
async def test_a_failing_walk_is_raised(
    graph: WalkGraph, operator: OperatorSettings, stub: StubOpenAI, row: Row
) -> None:
    """Under `raise`: what lands or is raised, after how many calls, and no request goes on."""
    error = getattr(errors, row.under_raise, None)
    if error is None:
        assert outcome_of(await walk(graph, operator, row.model, "raise")) == row.under_raise
    else:
        with pytest.raises(error) as caught:
            await walk(graph, operator, row.model, "raise")
        assert type(caught.value) is error
        assert getattr(caught.value, "reason", "configuration") == row.reason
    assert stub.calls(f"{row.model}@Lease") == row.calls
    assert await asyncio.to_thread(stub.is_idle)


@pytest.mark.parametrize("row", ROWS, ids=[row.model for row in ROWS])
async def test_a_failing_walk_is_survived(
    graph: WalkGraph, operator: OperatorSettings, stub: StubOpenAI, row: Row
) -> None:
    """Under `partial`: what lands, calls and visits counted, the reason recorded, and no request goes on."""
    error = getattr(errors, row.under_partial, None)
    if error is not None:
        with pytest.raises(error):
            await walk(graph, operator, row.model, "partial")
        return
    output = await walk(graph, operator, row.model, "partial")

    assert outcome_of(output) == row.under_partial
    assert [failure["reason"] for failure in output["failures"]] == [row.reason] * (row.reason != "–")
    step = next(step for step in output["usage"]["steps"] if step["id"] == "lease.md/lease")
    assert stub.calls(f"{row.model}@Lease") == step["calls"] == row.calls
    assert [entry["id"] for entry in output["trace"] if entry["event"] == "open"].count("lease.md/lease") == row.visits
    assert output["usage"]["visits"] == row.visits + 2
    assert await asyncio.to_thread(stub.is_idle)


def test_the_table_has_all_behaviours() -> None:
    """Every behaviour of the server that tests use has a row."""
    from stub_openai import BEHAVIOURS

    assert [row.model for row in ROWS] == list(dict.fromkeys(row.model for row in ROWS))
    assert {row.model for row in ROWS} == set(BEHAVIOURS)
