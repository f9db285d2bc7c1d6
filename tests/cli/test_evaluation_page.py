"""docs/evaluation.md is true: its cases are cases, its commands run, its names are those of the outcome."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stub_openai import KEY, stub_openai
from tocwalk.evals import BASELINES, read_cases
from tocwalk.evals.metrics import QUALITY
from tocwalk.evals.scoring import COST
from tocwalk.state import WalkContext

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "evaluation.md").read_text("utf-8")
CASES, OF_PAGES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
(COMMANDS,) = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[subprocess.CompletedProcess[str]]]:
    """Run the page's commands one after the other, as a reader would; the stub's well-behaved model is "good"."""
    folder = tmp_path_factory.mktemp("evaluation")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "cases.jsonl").write_text(CASES, "utf-8")
    with stub_openai() as stub:
        variables = os.environ | {
            "TOCWALK_HOME": str(folder),
            "TOCWALK_OPENAI_BASE_URL": stub.base_url,
            "OPENAI_API_KEY": KEY,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        }
        yield [
            subprocess.run(
                ["bash", "-c", command.replace("gpt-5-mini", "good")],
                cwd=folder,
                env=variables,
                capture_output=True,
                text=True,
                check=False,
                timeout=300,
            )
            for command in COMMANDS.splitlines()
        ]


def test_the_commands_run(printed: list[subprocess.CompletedProcess[str]]) -> None:
    """Each ends well, and none says that gold of the page's cases is not to be found."""
    assert [done.stderr for done in printed if done.returncode] == []
    assert not [done.stderr for done in printed if "Gold" in done.stderr or "Left out" in done.stderr]


def test_people_get_tables_and_programs_json(printed: list[subprocess.CompletedProcess[str]]) -> None:
    """Without --json there are tables of the page's four cases; with it the names that the page gives."""
    assert printed[0].stdout.startswith("4 cases, asked each of its document alone")
    (outcome,) = (json.loads(done.stdout) for done in printed if done.stdout.startswith("{"))
    table = PAGE.partition("## Reading the figures")[2].partition("## ")[0]
    columns = "".join(line.split("|")[2] for line in table.splitlines() if line.startswith("| "))
    named = set(re.findall(r"`(\w+)`", columns))
    assert {"section_recall", "token_density", "visits"} <= named
    assert named <= outcome["metrics"].keys()
    assert named - {*QUALITY, *COST} == set()


def test_pages_count_from_the_number_that_the_case_says(tmp_path: Path) -> None:
    """The page's case of pages means the 15th and 16th page of the file."""
    path = tmp_path / "pages.jsonl"
    path.write_text(OF_PAGES, "utf-8")
    (case,) = read_cases(path)
    assert case.pages(case.gold[0]) == {15, 16}


def test_every_baseline_is_explained() -> None:
    """The table of baselines has all there are."""
    table = PAGE.partition("## What it is compared with")[2].partition("## ")[0]
    named = {name.partition(":")[0] for name in re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)}
    assert named == set(BASELINES)


def test_the_defaults_of_the_page_are_those_of_the_walk() -> None:
    """What the page gives reasons for is what holds."""
    given = dict(re.findall(r"^\| `(\w+)` \| ([\w,]+) \|", PAGE.partition("## The defaults")[2], re.MULTILINE))
    defaults = WalkContext().model_dump(mode="json")
    assert given
    assert given == {name: f"{defaults[name]:,}".lower() if name != "backtrack" else "true" for name in given}
    assert defaults["backtrack"] is True


def test_links_lead_somewhere() -> None:
    """Every link to another file of the repository leads to one."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", PAGE)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
