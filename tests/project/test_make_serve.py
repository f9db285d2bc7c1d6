"""`make serve` and `make studio`: servers over the example documents, and what to open."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
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


@pytest.mark.parametrize(("target", "variable"), [("serve", "PORT"), ("studio", "STUDIO_PORT")])
def test_a_port_that_is_taken_is_named(tmp_path: Path, target: str, variable: str) -> None:
    """Where somebody else listens it neither goes to another port unnoticed nor tells of an address, but ends."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        made = _made([target, f"{variable}={port}", f"SERVE_HOME={tmp_path}"])
    assert made.returncode != 0
    assert f"make {target} {variable}={port + 1}" in made.stderr
    assert made.stdout == ""


@pytest.mark.parametrize("target", ["serve", "studio"])
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TOCWALK_MAX_VISITS", "lots"),
        ("TOCWALK_PRICES", "{"),
        ("TOCWALK_MODELS", ","),
        ("TOCWALK_CALLS_IN_FLIGHT", "0"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(
    tmp_path: Path, unused_tcp_port: int, target: str, variable: str, value: str
) -> None:
    """Nothing starts; one line names the variable and its value, and there is no traceback."""
    ports = [f"PORT={unused_tcp_port}", f"STUDIO_PORT={unused_tcp_port}"]
    made = _made([target, *ports, f"SERVE_HOME={tmp_path}"], {variable: value})
    assert made.returncode != 0
    assert f"The environment variable {variable} " in made.stderr
    assert repr(value) in made.stderr
    assert "Traceback" not in made.stderr


def _made(arguments: list[str], variables: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Return what make has done that was to end at once."""
    return subprocess.run(
        [*_MAKE, *arguments],
        cwd=ROOT,
        env={**os.environ, **(variables or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S,
    )


_MAKE = ["make", "--no-print-directory", "-o", ".venv/.dev-installed", f"BIN={Path(sys.executable).parent}"]
"""With the tools of this interpreter instead of those that make would install; quiet also within `make test`."""


def _make_serve(port: int, home: Path) -> list[str]:
    return [*_MAKE, "serve", f"PORT={port}", f"SERVE_HOME={home}"]


def _read_until(lines: IO[str] | None, last: str) -> str:
    """Return what is printed up to the line that ends with `last`; all of it if the program ends before."""
    assert lines is not None
    read: list[str] = []
    for line in lines:
        read.append(line)
        if line.rstrip().endswith(last):
            return "".join(read)
    pytest.fail("".join(read))
