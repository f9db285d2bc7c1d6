"""An index that cannot be used."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from command_line import Run

from stub_summaries import SummaryServer

_NOBODY = 65534
COMMANDS = [
    ("ask", "Anything?"),
    ("documents",),
    ("outline", "trams/handbook.md"),
    ("read", "trams/handbook.md"),
    ("remove", "trams/handbook.md"),
]


@pytest.fixture
def protected(indexed: Path) -> Iterator[Path]:
    """Return the folder of an index that this process may read and not write."""
    folder = Path(tempfile.mkdtemp(prefix="protected-"))
    shutil.copy(Path(os.environ["TOCWALK_HOME"], "index.db"), folder)
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:  # who may write everything, and so gives that up
        os.seteuid(_NOBODY)
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_an_index_of_a_newer_version_is_left_alone(command: tuple[str, ...], indexed: Path, run: Run) -> None:
    """An index that a newer tocwalk wrote is an error that says so, and the file stays as it is."""
    path = Path(os.environ["TOCWALK_HOME"], "index.db")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE tocwalk_schema SET version = version + 1")
    before = path.read_bytes()
    assert "newer" in run(*command, code=1).stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_file_that_is_no_index_is_an_error(command: tuple[str, ...], tmp_path: Path, run: Run) -> None:
    """A file of another kind, and a folder, are named as no index, and left alone."""
    other = tmp_path / "notes.txt"
    other.write_text("Notes. " * 1000)
    assert str(other) in run(*command, "--index", other, code=1).stderr
    assert other.read_text() == "Notes. " * 1000
    assert str(tmp_path) in run(*command, "--index", tmp_path, code=1).stderr


def test_a_location_that_cannot_be_is_wrong_usage(library: Path, run: Run) -> None:
    """The URL of a database that is not supported is wrong usage."""
    assert "'oracle'" in run("index", library, "--index", "oracle://somewhere/x", code=2).stderr


def test_a_read_only_index_can_be_read(protected: Path, run: Run) -> None:
    """What only reads works on an index that cannot be written."""
    shown = run("ask", "How long are umbrellas kept?", "--index", protected / "index.db").stdout
    assert "sixty days" in shown


def test_a_read_only_index_cannot_be_changed(protected: Path, indexed: Path, run: Run) -> None:
    """What writes is an error that names the missing right, and the index stays as it is."""
    before = (protected / "index.db").read_bytes()
    new = protected.with_name(f"{protected.name}-new.md")
    new.write_text("# New\n\nText.\n")
    try:
        for command in (("index", new), ("remove", "trams/handbook.md")):
            assert "write permission" in run(*command, "--index", protected / "index.db", code=1).stderr
    finally:
        new.unlink()
    assert (protected / "index.db").read_bytes() == before


def test_no_model_is_asked_where_nothing_can_be_kept(protected: Path, run: Run, server: SummaryServer) -> None:
    """Summaries by a model for an index that cannot be written are refused before one is paid for."""
    long = protected.with_name(f"{protected.name}-long.md")
    long.write_text("# Long\n\n" + "A rule says so. " * 60)
    try:
        refused = run("index", long, "--index", protected / "index.db", "--summaries", "openai:writer", code=1)
    finally:
        long.unlink()
    assert "write permission" in refused.stderr
    assert server.shown == []
