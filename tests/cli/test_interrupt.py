"""Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
from pathlib import Path

import pytest
from command_line import Run, Start, json_of

QUESTION = "Where does it say so?"
ASK = ("ask", QUESTION, "--offer-levels", "1", "--parallel", "1")


def _until(descriptor: int, words: bytes) -> bytes:
    """Read until something that matches was said, and return what was read."""
    said = b""
    while not re.search(words, said):
        chunk = os.read(descriptor, 4096)
        assert chunk, said
        said += chunk
    return said


def _waiting(process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    """Return the process once its navigator has begun to keep it waiting."""
    assert process.stderr is not None
    _until(process.stderr.fileno(), b"waiting\n")
    return process


@pytest.mark.usefixtures("other_navigators")
class TestAsking:
    """During a walk whose second document keeps its navigator waiting for ever."""

    def test_what_landed_is_printed(self, indexed: Path, start: Start) -> None:
        """Ctrl-C ends the call in flight; what had landed is printed, with the reason, and the exit code is 130."""
        process = _waiting(start(*ASK, "--navigator", "test:wait"))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert b"Ducks may cross first." in out
        assert b"Stopped before the end." in out
        assert b"Ctrl-C again ends at once" in err
        assert b"Traceback" not in err

    def test_what_landed_is_printed_as_json(self, indexed: Path, start: Start, run: Run, tmp_path: Path) -> None:
        """With --json the outcome is the same document as ever, with the stop reason CANCELLED, and can be replayed."""
        process = _waiting(start(*ASK, "--navigator", "test:wait", "--json"))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 130
        outcome = json.loads(out)
        assert outcome["stop_reason"] == "CANCELLED"
        assert [section["title"] for section in outcome["sections"]] == ["Ducks"]
        (tmp_path / "walk.json").write_bytes(out)
        assert run("ask", "--replay", tmp_path / "walk.json", "--json").stdout.encode() == out

    def test_a_second_one_ends_at_once(self, library: Path, tmp_path: Path, start: Start) -> None:
        """A navigator that blocks for ever cannot keep the process: a second Ctrl-C ends it, and leaves no file."""
        (tmp_path / "tmp").mkdir()
        process = start(*ASK, "--navigator", "test:block", "--in", library, env={"TMPDIR": str(tmp_path / "tmp")})
        _waiting(process).send_signal(signal.SIGINT)
        assert process.stderr is not None
        _until(process.stderr.fileno(), b"Ctrl-C again ends at once")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out) == (130, b"")
        assert b"Traceback" not in err
        assert list((tmp_path / "tmp").iterdir()) == []


def test_what_was_indexed_stays(tmp_path: Path, start: Start, run: Run) -> None:
    """Ctrl-C while indexing keeps what is stored, ends the parsers, says how far it came, and gives 130."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(3000):
        (folder / f"{number:04}.md").write_text(f"# Document {number}\n\nText.\n")
    ours, theirs = pty.openpty()
    process = start("index", folder, "--jobs", "2", stdout=theirs, stderr=theirs, env={"TERM": "xterm"})
    os.close(theirs)
    _until(ours, rb"[1-9]\d*/3000")
    parsers = _children(process.pid)
    process.send_signal(signal.SIGINT)
    shown = _until(ours, b"Stopped.")
    assert process.wait(timeout=60) == 130
    os.close(ours)
    assert b"before the end" in shown
    stored = [row["id"] for row in json_of(run("documents", "--json"))["documents"]]
    assert 1 <= len(stored) < 3000
    assert stored == [f"{number:04}.md" for number in range(len(stored))]
    assert parsers
    assert not any(Path(f"/proc/{pid}").exists() for pid in parsers)


def _children(pid: int) -> list[int]:
    """Return the ids of a process's children."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]
