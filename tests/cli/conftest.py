"""What tests of the command share: two ways to run it, a model that summarises, and a few documents."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from command_line import CHARTER, HANDBOOK, SCRIPT, Run, Start

from model_server import running_stub, stub
from stub_summaries import SummaryServer, summary_server
from tocwalk.cli.app import cli

__all__ = [
    "indexed",
    "library",
    "other_navigators",
    "run",
    "running_stub",
    "server",
    "shelf",
    "start",
    "stub",
]


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
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[SummaryServer]:
    """Return a server whose model writes the summaries that the command asks for, at a price."""
    with summary_server() as running:
        monkeypatch.setenv("TOCWALK_OPENAI_BASE_URL", running.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-for-tests")
        monkeypatch.setenv("TOCWALK_PRICES", '{"openai:writer": {"input": 1000, "output": 2000}}')
        yield running


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Return a folder with two documents, in two folders."""
    return _made_library(tmp_path)


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with such a library, `library`, and its index, `index.db`: for all tests, to be left as it is."""
    folder = tmp_path_factory.mktemp("shelf")
    arguments = ["index", str(_made_library(folder)), "--index", str(folder / "index.db")]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    return folder


@pytest.fixture
def indexed(shelf: Path) -> Path:
    """Return the library of the shelf, indexed in this test's own TOCWALK_HOME."""
    home = Path(os.environ["TOCWALK_HOME"])
    home.mkdir()
    shutil.copy(shelf / "index.db", home / "index.db")
    return shelf / "library"


def _made_library(folder: Path) -> Path:
    for name, text in (("trams/handbook.md", HANDBOOK), ("ponds/charter.md", CHARTER)):
        path = folder / "library" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    return folder / "library"


@pytest.fixture
def other_navigators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a distribution that brings the navigators of `plugin_navigators`, for this process and its children."""
    info = tmp_path / "site" / "test_navigators-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: test-navigators\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tocwalk.navigators]\ntest = plugin_navigators:Behaving\n")
    monkeypatch.syspath_prepend(str(info.parent))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(info.parent), str(Path(__file__).parent)]))
