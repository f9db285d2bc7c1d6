"""`make serve`: a server over the example documents, and what to open."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import httpx
import pytest

ROOT = Path(__file__).parents[2]
WAIT_S = 60


@pytest.fixture
def making(tmp_path: Path, unused_tcp_port: int) -> Iterator[subprocess.Popen[str]]:
    """Return `make serve` on a free port, started with an index of the user's that it must leave alone."""
    with subprocess.Popen(
        _make_serve(unused_tcp_port, tmp_path / "home"),
        cwd=ROOT,
        env=os.environ | {"TOCWALK_INDEX": str(tmp_path / "mine.db")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)


def test_it_says_what_to_open_answers_and_ends(making: subprocess.Popen[str], tmp_path: Path) -> None:
    """Asked nothing, it prints Studio's address and a command that answers a question; Ctrl-C ends all of it."""
    printed = _read_until(making.stdout, "Ctrl-C ends the server.")
    (address,) = re.findall(r"served at (\S+),", printed)
    assert f"https://smith.langchain.com/studio/?baseUrl={address}" in printed
    assert f"{address}/docs" in printed

    (command,) = re.findall(r"curl .*\\\n.*", printed)
    _, _, url, _, header, _, body = shlex.split(command.replace("\\\n", " "))
    name, _, value = header.partition(": ")
    with httpx.Client(timeout=WAIT_S) as http:
        answer = http.post(url, content=body, headers={name: value}).json()
        graphs = http.post(f"{address}/assistants/search", json={}).json()
    assert answer["sections"][0]["title"] == "Departure and Running Times"
    assert {"retrieval", "answer"} <= {one["graph_id"] for one in graphs}
    assert not (tmp_path / "mine.db").exists()

    os.killpg(making.pid, signal.SIGINT)
    making.communicate(timeout=WAIT_S)
    with pytest.raises(ProcessLookupError):
        os.killpg(making.pid, 0)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/ok")


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    """Where somebody else listens it does not go to another port unnoticed, but ends and says what to do."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        made = subprocess.run(
            _make_serve(port, tmp_path), cwd=ROOT, capture_output=True, text=True, check=False, timeout=WAIT_S
        )
    assert made.returncode != 0
    assert f"make serve PORT={port + 1}" in made.stderr


def _make_serve(port: int, home: Path) -> list[str]:
    """Return the command, with the tools of this interpreter instead of those that make would install."""
    tools = ["-o", ".venv/.dev-installed", f"BIN={Path(sys.executable).parent}"]
    return ["make", *tools, "serve", f"PORT={port}", f"SERVE_HOME={home}"]


def _read_until(lines: IO[str] | None, last: str) -> str:
    """Return what is printed up to the line that ends with `last`; all of it if the program ends before."""
    assert lines is not None
    read: list[str] = []
    for line in lines:
        read.append(line)
        if line.rstrip().endswith(last):
            return "".join(read)
    pytest.fail("".join(read))
