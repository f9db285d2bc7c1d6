"""docs/asking-again.md is true: its commands and its program do what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tocwalk.cli.app import cli

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "asking-again.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """Return the page's code blocks in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def run(command: list[str], folder: Path) -> str:
    """Run a command in a folder that has the examples, and return what it prints."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the example documents."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def test_the_commands_print_the_same_bytes(folder: Path) -> None:
    """The second command prints what the first did."""
    assert CliRunner().invoke(cli, ["index", str(ROOT / "examples" / "documents")]).exit_code == 0
    (commands,) = blocks("bash")
    printed = run(["bash", "-ec", commands], folder)
    assert printed == (folder / "walk.json").read_text("utf-8")
    assert '"invoices"' in printed or "Invoices" in printed


def test_the_program_comes_to_the_same(folder: Path) -> None:
    """The program replays its own walk."""
    (program,) = blocks("python")
    assert run([sys.executable, "-W", "error", "-c", program], folder) == "True\n"
