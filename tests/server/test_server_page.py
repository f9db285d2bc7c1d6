"""The page on servers, whose every example is run against one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from serving import ROOT

PAGE = (ROOT / "docs" / "server.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
PRINTED = [
    "['Sick leave']",
    "opened 1.0 Staff handbook: 8 candidates -> 1.6\nopened 1.6 Pay: 2 candidates -> 1.8\n",
    "[{'ref': '3', 'action': 'open', 'id': 'handbook/pay'}]",
    "car.md stored 3 \n",
    "Sick leave",
]


def test_every_program_is_known() -> None:
    """There is an expectation for each program of the page."""
    assert len(PROGRAMS) == len(PRINTED)


@pytest.mark.parametrize(
    ("program", "printed"), list(zip(PROGRAMS, PRINTED, strict=False)), ids=["ask", "watch", "fork", "index", "mcp"]
)
def test_the_programs_run(server: str, tmp_path: Path, program: str, printed: str) -> None:
    """A program of the page does against a real server what the page says."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"TOCWALK_SERVER": server},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout


def test_the_command_runs(server: str) -> None:
    """What curl prints is the walk's output."""
    (command,) = re.findall(r"```bash\n(curl .*?)```", PAGE, re.DOTALL)
    done = subprocess.run(
        command,
        shell=True,
        env=os.environ | {"TOCWALK_SERVER": server},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert json.loads(done.stdout)["sections"][0]["title"] == "Sick leave"


def test_links_lead_somewhere() -> None:
    """Every file that the page links to is there."""
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", PAGE)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
