"""A real `langgraph dev`, started once in a folder of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from reference.trees import Node, to_documents
from tocwalk.index import TreeIndex

ROOT = Path(__file__).parents[2]
WAIT_S = 60


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server that serves `langgraph.json` over an index of one handbook."""
    folder = tmp_path_factory.mktemp("server")
    with TreeIndex(folder / "index.db") as index:
        for document in to_documents({"handbook": handbook()}):
            index.put(document, parser_version="1", summaries="none")
    # The server keeps its threads in the folder it is started in, and looks for the graph there too.
    for name in ("langgraph.json", "graph.py"):
        (folder / name).symlink_to(ROOT / name)
    port = free_port()
    log = folder / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                str(Path(sys.executable).with_name("langgraph")),
                "dev",
                *("--host", "127.0.0.1", "--port", str(port)),
                *("--no-browser", "--no-reload", "--n-jobs-per-worker", "10"),
            ],
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=os.environ | {"TOCWALK_INDEX": str(folder / "index.db"), "LANGGRAPH_NO_VERSION_CHECK": "true"},
        )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_ready(address, process, log)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=WAIT_S)


@pytest.fixture
async def client(server: str) -> AsyncIterator[LangGraphClient]:
    """Return a client of the server."""
    async with get_client(url=server) as opened:
        yield opened


def handbook() -> Node:
    """Return a document whose titles alone tell where an answer is."""
    leave = Node("Leave", sections=(Node("Annual leave"), Node("Sick leave"), Node("Parental leave")))
    pay = Node("Pay", sections=(Node("Overtime rates"), Node("Pension")))
    return Node("Staff handbook", sections=(Node("Purpose"), leave, pay))


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_ready(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the server answers; fail with its log if it does not."""
    with httpx.Client(timeout=WAIT_S) as http:
        for _ in range(WAIT_S * 10):
            if process.poll() is not None:
                break
            try:
                if http.get(f"{address}/ok").is_success:
                    return
            except httpx.ConnectError:
                process_wait(process)
    pytest.fail(f"The server did not start:\n{log.read_text(errors='replace')[-4000:]}")


def process_wait(process: subprocess.Popen[bytes]) -> None:
    """Give the server a moment, or notice that it has ended."""
    try:
        process.wait(timeout=0.1)
    except subprocess.TimeoutExpired:
        return
