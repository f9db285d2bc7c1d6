"""Real `langgraph dev` processes, each in a folder of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

__all__ = ["LANGGRAPH_DEV", "ROOT", "Server", "free_port", "serving"]

ROOT = Path(__file__).parents[2]
LANGGRAPH_DEV = (
    str(Path(sys.executable).with_name("langgraph")),
    *("dev", "--no-browser", "--no-reload", "--n-jobs-per-worker", "10"),
)
_WAIT_S = 60


@dataclass(kw_only=True)
class Server:
    """A server that can be killed and started again."""

    folder: Path
    environment: Mapping[str, str]
    address: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        """What the server has printed so far."""
        return (self.folder / "server.log").read_text(errors="replace")

    def start(self) -> None:
        """Start, and return when it answers."""
        with (self.folder / "server.log").open("ab") as out:
            self.process = subprocess.Popen(
                [*self.command, "--host", "127.0.0.1", "--port", self.address.rpartition(":")[2]],
                cwd=self.folder,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "LANGGRAPH_NO_VERSION_CHECK": "true", **self.environment},
            )
        self._wait_until_ready(self.process)

    def stop(self) -> None:
        """End it, and wait until it has ended."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=_WAIT_S)

    def kill(self) -> None:
        """End it with SIGKILL."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(timeout=_WAIT_S)

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        with httpx.Client(timeout=_WAIT_S) as http:
            for _ in range(_WAIT_S * 10):
                if process.poll() is not None:
                    break
                try:
                    if http.get(f"{self.address}/ok").is_success:
                        return
                except httpx.ConnectError:
                    _pause(process)
        pytest.fail(f"The server did not start:\n{self.log[-4000:]}")


@contextmanager
def serving(
    folder: Path,
    environment: Mapping[str, str],
    *,
    files: Iterator[Path] | None = None,
    command: Sequence[str] = LANGGRAPH_DEV,
) -> Generator[Server]:
    """Run a server in a folder, which keeps its threads, for as long as the context lasts.

    Args:
        folder: Links to what it serves are put there.
        environment: Beside that of the tests.
        files: `langgraph.json` and what it names; by default the repository's.
        command: What serves, to which host and port are added.
    """
    for file in files or (ROOT / name for name in ("langgraph.json", "graph.py")):
        (folder / file.name).symlink_to(file)
    server = Server(folder=folder, environment=environment, address=f"http://127.0.0.1:{free_port()}", command=command)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _pause(process: subprocess.Popen[bytes]) -> None:
    """Give the server a moment, or notice that it has ended."""
    try:
        process.wait(timeout=0.1)
    except subprocess.TimeoutExpired:
        return
