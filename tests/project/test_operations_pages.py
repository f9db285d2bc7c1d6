"""docs/observability.md, docs/production.md and docs/studio.md are true: their programs run, their names exist."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tocwalk.graph import answer_graph, retrieval_graph
from tocwalk.index import TreeIndex
from tocwalk.ingest import read_document

ROOT = Path(__file__).parents[2]
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("observability", "production", "studio")}
SPANS, LOGS = re.findall(r"```python\n(.*?)```", PAGES["observability"], re.DOTALL)
(APPLICATION,) = re.findall(r"```python\n(.*?)```", PAGES["production"], re.DOTALL)
ASK_IT = """
from starlette.testclient import TestClient

client = TestClient(app)
good = client.post("/ask", json={"query": "When is an invoice due?"})
bad = client.post("/ask", json={"query": " "})
print(client.get("/health").json(), good.json()["sections"][0]["title"], bad.status_code, sep="|")
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an index of the supply contract."""
    folder = tmp_path_factory.mktemp("operations")
    with TreeIndex(folder / "index.db") as index:
        contract = ROOT / "examples/documents/legal/supply-contract.txt"
        index.put(read_document(contract, document_id="supply-contract"))
    return folder


def run(program: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of a page in a process of its own, as a reader would; fail if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=home,
        env=os.environ | {"TOCWALK_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def test_spans_are_made_without_leaving_the_machine(home: Path) -> None:
    """The program on OpenTelemetry makes a span for each step of a walk, with the caller's metadata."""
    made = [line.split() for line in run(SPANS, home).stdout.splitlines()]
    assert {"start_walk", "navigator_decide", "emit_landed"} <= {name for name, _ in made}
    assert {team for _, team in made} == {"legal"}


def test_logs_are_lines_of_json(home: Path) -> None:
    """The program on logs writes one JSON object a line, with the facts that the page names for each event."""
    lines = [json.loads(line) for line in run(LOGS, home).stderr.splitlines()]
    assert lines[0]["event"] == "walk_started"
    assert lines[-1]["event"] == "walk_ended"
    for line in lines:
        assert line["level"] == "INFO"
        (row,) = re.findall(rf"`{line['event']}`[^|]*\|(.*)\|", PAGES["observability"])
        assert line.keys() - {"event", "logger", "level"} <= set(re.findall(r"`(\w+)`", row))


def test_the_application_answers(home: Path) -> None:
    """The program without a server answers a question, refuses a blank one, and says that it is well."""
    printed = run(APPLICATION + ASK_IT, home).stdout
    assert printed.strip() == "{'status': 'ok'}|Invoices|400"


def test_nodes_and_settings_of_the_pages_exist() -> None:
    """What the page on Studio says in code is a node, a key of the state or a setting, or a file that is there."""
    nodes = {*retrieval_graph.get_graph().nodes, *answer_graph.get_graph().nodes}
    settings = answer_graph.get_context_jsonschema() or {}
    known = nodes | set(retrieval_graph.channels) | set(settings["properties"])
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", PAGES["studio"]))
    assert named
    assert named - known == set()


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    """Every link to another file of the repository leads to one."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", PAGES[name])
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
