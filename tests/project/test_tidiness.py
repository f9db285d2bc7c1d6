"""Habits that are easier to keep than to regain."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 45

LONGER: dict[str, int] = {}
"""Files and functions that may be longer, by name ("path" or "path:function"), with their lines and a comment
saying why. An entry that is no longer needed, or that is larger than what it excuses, fails the test."""


def _too_long(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the file and each function in it that is over its limit, with its lines."""
    name, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
    if (lines := len(text.splitlines())) > MAX_FILE_LINES:
        yield name, lines
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_FUNCTION_LINES:
                yield f"{name}:{node.name}", lines


def _tracked() -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode != 0:
        pytest.skip("This copy of the sources is not a git repository, so nothing says which files belong to it.")
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_files_and_functions_stay_short() -> None:
    """A file is one idea and a function does one thing; the list of exceptions only shrinks."""
    assert dict(row for path in SOURCES for row in _too_long(path)) == LONGER


def test_no_tracked_file_knows_a_machine() -> None:
    """Nothing in the repository names a folder of the machine on which it was written."""
    machine = re.compile(r"(?<![\w.])/(?:root|home|Users|work|workspace)/\w")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in _tracked()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if machine.search(line)
    ]
    assert found == []


def test_the_changelog_has_room_for_the_next_change() -> None:
    """CHANGELOG.md begins with an Unreleased section, where a change says what a user can now do."""
    sections = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert sections[0] == "[Unreleased]"
