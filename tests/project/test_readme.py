"""The README is true: its drawing is the graph's, its commands and examples run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stub_openai import KEY, StubOpenAI, stub_openai
from tocwalk.graph import retrieval_graph

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
WAIT_S = 300


def blocks(language: str) -> list[str]:
    """Return the README's code blocks in a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def commands(program: str) -> list[str]:
    """Return the README's commands that begin with `program`, comments taken off."""
    lines = [line for block in blocks("bash") for line in block.splitlines()]
    return [" ".join(shlex.split(line, comments=True)) and line for line in lines if line.startswith(program)]


@pytest.fixture(scope="module")
def stub() -> Iterator[StubOpenAI]:
    """Return a server that answers in OpenAI's stead."""
    with stub_openai() as server:
        yield server


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, stub: StubOpenAI) -> dict[str, str]:
    """Return an environment with an index of the example documents, and where models are the stub's."""
    home = tmp_path_factory.mktemp("readme")
    variables = os.environ | {
        "TOCWALK_HOME": str(home),
        "TOCWALK_OPENAI_BASE_URL": stub.base_url,
        "OPENAI_API_KEY": KEY,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    run("tocwalk index examples/documents", variables)
    return variables


def run(command: str, environment: dict[str, str]) -> str:
    """Run a command line in the repository's folder and return what it prints; fail if it fails."""
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=WAIT_S, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_drawing_is_the_graph_s() -> None:
    """The README's picture has the nodes and edges of the compiled graph."""
    (drawing,) = blocks("mermaid")
    assert drawing.strip() == retrieval_graph.get_graph().draw_mermaid(with_styles=False).strip()


@pytest.mark.parametrize("command", commands("tocwalk"))
def test_command(command: str, environment: dict[str, str]) -> None:
    """Every command of the README does what it says without an error; the stub's well-behaved model is "good"."""
    assert run(command.replace("gpt-5-mini", "good"), environment)


@pytest.mark.parametrize("example", blocks("python"))
def test_example(example: str, environment: dict[str, str], tmp_path: Path) -> None:
    """Every example of the README runs as it stands."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert bool(done.stdout) == ("print(" in example)


def test_the_four_lines_print_the_section_that_answers(environment: dict[str, str], tmp_path: Path) -> None:
    """The first example finds the clause on invoices, whole."""
    first = blocks("python")[0]
    assert len([line for line in first.splitlines() if line and "import" not in line]) <= 4
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    printed = subprocess.run(
        [sys.executable, "-c", first], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert printed.splitlines()[0].endswith("Invoices")
    assert "invoice" in printed


def test_make_commands_are_targets() -> None:
    """What the README makes, the Makefile has."""
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    made = {command.split()[1] for command in commands("make")}
    assert made == {"demo", "test", "serve"}
    assert made <= set(targets)


def test_make_demo_sets_up_what_the_commands_need(tmp_path: Path) -> None:
    """The environment that `make demo` makes has the extras that the README's other commands use."""
    line = ["make", "--dry-run", f"VENV={tmp_path}/none", "demo"]
    recipe = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "--editable '.[chat,eval]'" in recipe
    assert "pip install '.[chat,eval]'" in README


@pytest.mark.skipif("CI" not in os.environ, reason="sets up .venv anew where make has not made it")
def test_make_demo_shows_landed_sections(environment: dict[str, str]) -> None:
    """`make demo` ends with the sections that answer its two questions."""
    printed = run("make demo", {name: value for name, value in environment.items() if name != "TOCWALK_HOME"})
    assert "Things People Leave Behind" in printed
    assert "Late Payment" in printed
    assert "When the Supplier Is Late" in printed
