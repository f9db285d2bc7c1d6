"""The image that the Dockerfile describes, built and started by hand: no test has a Docker daemon.

The base image is not tried here, nor PostgreSQL and Redis under the server: its development edition serves.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any

import pytest
from handbook import make_index
from langgraph_sdk import get_client
from mcp import Client
from serving import ROOT, Server, serving

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
IGNORED = (ROOT / ".dockerignore").read_text("utf-8").split()
CONFIG = json.loads((ROOT / "langgraph.json").read_text("utf-8"))
((ADDED, PLACE),) = re.findall(r"^ADD (\S+) (\S+)$", DOCKERFILE, re.MULTILINE)
ENVIRONMENT = dict(re.findall(r"^ENV (\w+)='(.*)'$", DOCKERFILE, re.MULTILINE))

PIP_INSTALL = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]


def left_out(folder: str, names: list[str]) -> list[str]:
    """Return what .dockerignore keeps out of the image, of what is in a folder of the repository."""
    below = PurePath(folder).relative_to(ROOT)
    return [name for name in names if any(_matches(below, name, pattern) for pattern in IGNORED)]


def _matches(below: PurePath, name: str, pattern: str) -> bool:
    if pattern.startswith("**/"):
        return fnmatchcase(name, pattern.removeprefix("**/"))
    return (below / name).as_posix() == pattern


@pytest.fixture(scope="module")
def deps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what the image has at /deps/tocwalk, installed beside it as the image's RUN line does."""
    folder = tmp_path_factory.mktemp("deps") / "tocwalk"
    shutil.copytree(ROOT / ADDED, folder, ignore=left_out)
    subprocess.run(
        [*PIP_INSTALL, "--no-build-isolation", "--target", str(folder.parent / "site"), str(folder)],
        check=True,
        timeout=300,
    )
    return folder


@pytest.fixture(scope="module")
def image(deps: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return the server that starts in it, with the environment of the Dockerfile."""
    folder = tmp_path_factory.mktemp("image")
    make_index(folder)
    environment = {name: value.replace(PLACE, str(deps)) for name, value in ENVIRONMENT.items()}
    environment |= {
        "PYTHONPATH": os.pathsep.join([str(deps.parent / "site"), str(deps)]),
        "TOCWALK_INDEX": str(folder / "index.db"),
        "LANGGRAPH_RUNTIME_EDITION": "inmem",
        "MIGRATIONS_PATH": "__inmem",
        "DATABASE_URI": ":memory:",
        "REDIS_URI": "fake",
    }
    command = [sys.executable, "-m", "uvicorn", "langgraph_api.server:app"]
    with serving(folder, environment, files=iter([]), command=command) as server:
        yield server


def test_what_is_served_is_what_langgraph_json_names() -> None:
    """The graphs and the tools of the image are those of `langgraph.json`, below the folder that is added."""
    graphs = json.loads(ENVIRONMENT["LANGSERVE_GRAPHS"])
    expected = {
        name: {**graph, "path": graph["path"].replace("./", f"{PLACE}/", 1)} for name, graph in CONFIG["graphs"].items()
    }
    assert graphs == expected
    assert json.loads(ENVIRONMENT["LANGGRAPH_HTTP"]) == CONFIG["http"]
    assert f"WORKDIR {PLACE}" in DOCKERFILE


def test_what_is_installed_suits_what_is_tested() -> None:
    """The requirements beside the project are met by the versions that the tests run with."""
    (names,) = re.findall(r"pip install .* -c /api/constraints.txt ((?!-e)\S.*)$", DOCKERFILE, re.MULTILINE)
    assert names.split() == [name for name in CONFIG["dependencies"] if name != "."]
    # Without an index, only what is installed already can satisfy it.
    subprocess.run([*PIP_INSTALL, "--dry-run", *names.split()], check=True, timeout=300)


def test_nothing_private_or_superfluous_is_in_it(deps: Path) -> None:
    """Sources and what builds them are there; keys, indexes, history, tests and environments are not."""
    assert {"graph.py", "langgraph.json", "pyproject.toml", "README.md", "LICENSE", "src"} <= {
        path.name for path in deps.iterdir()
    }
    found = {path.name for path in deps.rglob("*")}
    assert not {".git", ".env", ".venv", "tests", "docs", "__pycache__", ".langgraph_api"} & found
    assert [name for name in found if name.endswith((".db", ".db-wal"))] == []


async def test_it_answers(image: Server) -> None:
    """The server starts from what is in the image alone, and serves walks and tools."""
    async with get_client(url=image.address) as client:
        assert {one["graph_id"] for one in await client.assistants.search()} == set(CONFIG["graphs"])
        found: Any = await client.runs.wait(None, "retrieval", input={"query": "How much sick leave may I take?"})
    assert found["sections"][0]["title"] == "Sick leave"
    async with Client(f"{image.address}/mcp") as tools:
        assert "retrieve" in {tool.name for tool in (await tools.list_tools()).tools}
