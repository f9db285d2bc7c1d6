"""docs/summaries.md is true: its command and its program run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from stub_summaries import SummaryServer

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "summaries.md").read_text("utf-8")


@pytest.fixture
def environment(server: SummaryServer, tmp_path: Path) -> dict[str, str]:
    """Return an environment in which models are the server's; the working directory has the examples."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    scripts = Path(sys.executable).parent
    return os.environ | {
        "TOCWALK_OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "sk-for-tests",
        "PATH": os.pathsep.join([str(scripts), os.environ["PATH"]]),
    }


def _run(arguments: list[str], environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, text=True, check=True)


def test_the_command(environment: dict[str, str], server: SummaryServer, tmp_path: Path) -> None:
    """The command of the page summarises the examples within its budget, and says what that has cost."""
    (command,) = re.findall(r"^\$ (tocwalk .*)$", PAGE, re.MULTILINE)
    done = _run(["bash", "-c", command], environment, tmp_path)
    assert done.stdout == "3 documents stored\n"
    assert done.stderr.startswith(f"Summaries: {len(server.shown)} summaries written")


def test_the_program(environment: dict[str, str], server: SummaryServer, tmp_path: Path) -> None:
    """The program of the page stores a document with the model's summaries, and prints how they came to be."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    done = _run([sys.executable, "-W", "error", "-c", program], environment, tmp_path)
    assert done.stdout.startswith(f"{{'written': {len(server.shown)}, 'text': ")
