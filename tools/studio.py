"""What `make studio` runs: a page, served whole by this machine, that steps through the retrieval graph."""

from __future__ import annotations

import os
from pathlib import Path

from starting import BIN, HOST, ROOT, check_port_and_settings, index_examples, options, server_environment


def main() -> None:
    """Index the examples, say what to open, and become the server of the page."""
    given = options(__doc__, port=2025)
    environment = server_environment(given.home) | _page_settings(given.home)
    check_port_and_settings(given.port, environment, other_port="make studio STUDIO_PORT=")
    index_examples(environment)
    print(f"Open http://{HOST}:{given.port} (docs/studio.md); Ctrl-C ends it.", flush=True)
    where = ["--host", HOST, "--port", str(given.port), "--log-level", "warning", "--timeout-graceful-shutdown", "1"]
    uvicorn = str(BIN / "uvicorn")
    os.execve(uvicorn, [uvicorn, "windhover.server:app", *where], environment)


def _page_settings(home: Path) -> dict[str, str]:
    return {
        "LANGSMITH_TRACING": "false",
        "WINDHOVER_GRAPH": "retrieval=step_through:graph",
        "WINDHOVER_GRAPH_DIR": str(ROOT / "tools"),
        "WINDHOVER_DB": str(home / "windhover.db"),
    }


if __name__ == "__main__":
    main()
