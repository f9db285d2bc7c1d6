"""What tests of the command share: two ways to run it, and a few documents."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from command_line import CHARTER, HANDBOOK, SCRIPT, Run, Start

from tocwalk.cli.app import cli


@pytest.fixture
def run() -> Run:
    """Run the command in this process, and return exit code, stdout and stderr."""

    def invoke(*arguments: str | Path, code: int | None = 0) -> Result:
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments], prog_name="tocwalk")
        assert code is None or result.exit_code == code, (result.exit_code, result.stdout, result.stderr)
        assert "Traceback" not in result.stderr
        return result

    return invoke


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Start the console script as a process of its own."""

    def popen(*arguments: str | Path, env: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[bytes]:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        return subprocess.Popen(
            [SCRIPT, *map(str, arguments)], env={**os.environ, **(env or {})}, cwd=tmp_path, **{**streams, **options}
        )

    return popen


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Return a folder with two documents, in two folders."""
    folder = tmp_path / "library"
    for name, text in (("trams/handbook.md", HANDBOOK), ("ponds/charter.md", CHARTER)):
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    return folder


@pytest.fixture
def indexed(library: Path, run: Run) -> Path:
    """Return the folder after its documents were indexed."""
    run("index", library)
    return library
