"""The walk through a `RemoteGraph`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "remote_graph.py"


def test_the_example_runs_against_a_real_server(server: str) -> None:
    """Steps are streamed from the server, and the retriever returns documents with their paths."""
    # In a process of its own: a remote graph keeps its connections until it ends.
    printed = subprocess.run(
        [sys.executable, str(EXAMPLE)],
        env=os.environ | {"TOCWALK_SERVER": server},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout
    lines = printed.splitlines()
    assert lines[:3] == ["offer handbook", "decision handbook", "step handbook"]
    assert "1.0 Staff handbook > 1.2 Leave > 1.4 Sick leave" in lines
