"""One visit as a line, as the custom stream tells it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tocwalk import Decision, NavigatorRequest, Pick, build_retrieval_graph, read_document
from tocwalk.index import TreeIndex
from tocwalk.testing import FunctionNavigator

TEXT = "# Rules\n\n## 4. Supervision\n\nText.\n\n### 4.1 Fees\n\nText.\n\n### 4.2 Banks\n\nText.\n\n## Other\n\nText.\n"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[TreeIndex]:
    """Return an index of one document."""
    path = tmp_path / "rules.md"
    path.write_text(TEXT)
    with TreeIndex(tmp_path / "index.db") as opened:
        opened.put(read_document(path, document_id="rules"))
        yield opened


@pytest.mark.parametrize(
    ("decision", "end"),
    [
        (Decision(action="pick", picks=(Pick(ref="1", action="take"), Pick(ref="2", action="take"))), "-> 4, Other"),
        (
            Decision(action="pick", picks=(Pick(ref="1", action="take"), Pick(ref="9"))),
            "-> 4, 1 not followed (unknown)",
        ),
        (Decision(action="stop"), "-> taken whole"),
        (Decision(action="reject"), "-> nothing here"),
    ],
)
def test_a_visit_is_one_line(index: TreeIndex, decision: Decision, end: str) -> None:
    """The line names what was opened, how much was offered, and what was chosen, by number where there is one."""

    async def decide(_request: NavigatorRequest) -> Decision:
        return decision

    graph = build_retrieval_graph(index=index, navigator=FunctionNavigator(decide))
    stream: Any = graph.stream({"query": "Who?"}, context={"offer_levels": 1}, stream_mode="custom")
    (line,) = [event["summary"] for event in stream if event["event"] == "step"]
    assert line.startswith("opened Rules: 2 candidates ->")
    assert line.endswith(end)
