"""What `make serve` runs: `langgraph dev` over the example documents, in a folder of its own, without a network."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from starting import BIN, HOST, ROOT, check_port_and_settings, index_examples, options, server_environment

QUESTION = "How far ahead of its running card may a bus be?"


def main() -> int:
    """Index the examples, start the server, say what to open, and wait until somebody ends it."""
    given = options(__doc__, port=2024)
    home: Path = given.home
    address = f"http://{HOST}:{given.port}"
    environment = server_environment(home)
    # `langgraph dev` would go to another port, and only mention it.
    check_port_and_settings(given.port, environment, other_port="make serve PORT=")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    index_examples(environment)
    with subprocess.Popen(_langgraph_dev(home, given.port), cwd=home, env=environment) as server:
        try:
            if _ready(address, server):
                print(_what_to_open(address), flush=True)
            return server.wait()
        except KeyboardInterrupt:
            return 0  # the server was told by the same Ctrl-C
        finally:
            server.terminate()


def _config(home: Path) -> Path:
    """Write `langgraph.json` for a server that is started elsewhere; `.env` is read already, and less of it."""
    home.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "langgraph.json").read_text("utf-8").replace('"./', f'"{ROOT.as_posix()}/')
    config = {**json.loads(text), "dependencies": [str(ROOT)]}
    config.pop("env", None)
    path = home / "langgraph.json"
    path.write_text(json.dumps(config, indent=2), "utf-8")
    return path


def _langgraph_dev(home: Path, port: int) -> list[str]:
    where = ["--config", str(_config(home)), "--host", HOST, "--port", str(port)]
    return [str(BIN / "langgraph"), "dev", *where, "--no-browser", "--no-reload", "--n-jobs-per-worker", "10"]


def _ready(address: str, server: subprocess.Popen[bytes]) -> bool:
    """Wait until the server answers; False if it has ended instead."""
    direct = build_opener(ProxyHandler({}))
    while server.poll() is None:
        try:
            with direct.open(f"{address}/ok", timeout=60):
                return True
        except URLError:
            _wait(server)
    return False


def _wait(server: subprocess.Popen[bytes]) -> None:
    try:
        server.wait(timeout=0.1)
    except subprocess.TimeoutExpired:
        return


def _what_to_open(address: str) -> str:
    body = json.dumps({"assistant_id": "retrieval", "input": {"query": QUESTION}})
    return f"""
The graphs are served at {address}, over examples/documents.

  LangGraph Studio   https://smith.langchain.com/studio/?baseUrl={address}
                     (its page comes from the internet, its data from here; docs/studio.md)
  Without internet   `make studio` steps through the retrieval graph in a page of this machine
  The API            {address}/docs, as JSON {address}/openapi.json
  A question         curl -s {address}/runs/wait -H 'content-type: application/json' \\
                       -d '{body}'

The graph `answer` needs a chat model: TOCWALK_ANSWER_MODEL and its key, in the environment or in .env (.env.example).
LOG_LEVEL=INFO shows each step. Ctrl-C ends the server.
"""


if __name__ == "__main__":
    sys.exit(main())
