"""The walk through a `RemoteGraph`."""

from __future__ import annotations

import asyncio
import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "remote_graph.py"


async def test_the_example_runs_against_a_real_server(
    server: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Steps are streamed from the server, and the retriever returns documents with their paths."""
    monkeypatch.setenv("TOCWALK_SERVER", server)
    await asyncio.to_thread(runpy.run_path, str(EXAMPLE), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["offer handbook", "decision handbook", "step handbook"]
    assert "1.0 Staff handbook > 1.2 Leave > 1.4 Sick leave" in lines
