"""Where there is nowhere to print to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command_line import SCRIPT

COMMANDS = [
    "--version",
    "--help",
    "parse --help",
    "navigators",
    "parse {file}",
    "parse {file} --json",
    "outline {file}",
]


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    """Return a small document."""
    path = tmp_path / "a.md"
    path.write_text("# A\n\nx\n", encoding="utf-8")
    return path


def run_in_shell(command: str) -> tuple[int, str]:
    """Return the exit code of a shell's command and what it wrote to standard error."""
    ended = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_told(command: str, file: Path) -> None:
    """A result that does not go into the file it is sent to is an error, told in a line."""
    code, told = run_in_shell(f"'{SCRIPT}' {command.format(file=file)} >/dev/full")
    assert (code, told) == (
        1,
        "Error: What there is to print cannot be written: No space left on device. Send it somewhere else.\n",
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_output_is_told(command: str, file: Path) -> None:
    """Without a standard output nothing is done, and a line says so."""
    code, told = run_in_shell(f"'{SCRIPT}' {command.format(file=file)} >&-")
    assert code == 1
    assert told.startswith("Error: Standard output is closed")
    assert told.count("\n") == 1
