"""tocwalk index --summaries MODEL on a full disk, on a damaged file, and from two processes at once."""

from __future__ import annotations

import os
import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command_line import Run, Start, json_of

from manuals import write_manuals
from stub_summaries import SummaryServer

MODEL = ("--summaries", "openai:writer")
DOCUMENTS, RULES = 3, 12
CALLS = DOCUMENTS * (RULES + 1)
IN_FLIGHT = 4


@pytest.fixture
def manuals(tmp_path: Path) -> Path:
    """Return a folder with three documents of twelve sections, all of which need a model."""
    write_manuals(tmp_path / "manuals", documents=DOCUMENTS, rules=RULES)
    return tmp_path / "manuals"


def _small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


def test_a_full_disk_stops_the_spending(manuals: Path, start: Start, run: Run, server: SummaryServer) -> None:
    """Once a summary cannot be kept no more are paid for, which is told, and a run with room goes on from there."""
    process = start("index", manuals, *MODEL, preexec_fn=_small_files)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert b"No more were asked for: summaries cannot be kept: The index" in said
    assert b"Traceback" not in said
    paid = len(server.shown)
    assert IN_FLIGHT < paid < CALLS
    result = run("index", manuals, *MODEL)
    assert result.stdout == "3 documents stored\n"
    assert len(server.shown) <= CALLS + IN_FLIGHT


def test_summaries_that_are_damaged_end_the_spending(manuals: Path, run: Run, server: SummaryServer) -> None:
    """Damage where summaries are kept is told, at most what is in flight is paid for, and all else goes on."""
    run("index", manuals, *MODEL)
    _damage(Path(os.environ["TOCWALK_HOME"], "index.db"))
    (manuals / "0.md").write_text((manuals / "0.md").read_text().replace("says", "tells"))
    server.shown.clear()
    refused = run("index", manuals, *MODEL, code=1)
    assert "is no index, or a damaged one" in refused.stderr
    assert len(server.shown) <= IN_FLIGHT
    assert run("index", manuals).stdout == "0 documents stored, 3 replaced\n"


def _damage(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'summary'").fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_two_processes_agree(manuals: Path, start: Start, run: Run, server: SummaryServer) -> None:
    """Two at once both succeed with the same summaries, and afterwards nothing is left to be paid for."""
    processes = [start("index", manuals, *MODEL) for _ in range(2)]
    results = [(process.communicate(timeout=120)[1], process.returncode) for process in processes]
    assert [code for _, code in results] == [0, 0], results
    assert CALLS <= len(server.shown) <= 2 * CALLS
    server.shown.clear()
    assert run("index", manuals, *MODEL).stdout == "0 documents stored, 3 unchanged\n"
    sections = json_of(run("outline", "1.md", "--json"))["sections"]
    assert all(section["summary"].startswith("Tells of ") for section in sections)
    assert server.shown == []
