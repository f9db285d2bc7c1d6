"""The page on servers, whose every example is run against one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import ROOT, serving

PAGE = (ROOT / "docs" / "server.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
PRINTED = [
    "['Sickness and Return', 'Things People Leave Behind']",
    "opened the corpus: 143 candidates -> Section 3.3\n",
    "[{'ref': '2', 'action': 'open', 'id': 'legal/supply-contract.txt'}]",
    "car.md stored 3 \n",
    "Sickness and Return",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server over the example documents, as `make serve` starts it."""
    folder = tmp_path_factory.mktemp("page")
    environment = {"TOCWALK_INDEX": str(folder / "index.db")}
    command = [str(Path(sys.executable).with_name("tocwalk")), "index", str(ROOT / "examples" / "documents")]
    subprocess.run(command, env=os.environ | environment, capture_output=True, check=True, timeout=120)
    with serving(folder, environment) as running:
        yield running.address


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
    assert json.loads(done.stdout)["sections"][0]["title"] == "Sickness and Return"


def test_links_lead_somewhere() -> None:
    """Every file that the page links to is there."""
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", PAGE)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
