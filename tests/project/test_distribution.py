"""What is installed on a user's machine, and with what."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCK = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))


def _canonical(requirement: str) -> str:
    """Return the normalised distribution name of a requirement."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


def _imported_modules(path: Path) -> set[str]:
    """Return the top-level names of all absolute imports in a file, wherever they stand."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def _locked_requirements(table: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return sorted((entry["name"], entry.get("specifier", "")) for entry in table)


def _declared_requirements(requirements: list[str]) -> list[tuple[str, str]]:
    return sorted((_canonical(text), re.sub(r"^[\w.-]+(\[[^]]*\])?", "", text)) for text in requirements)


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Build the wheel, as an installer would, and return the names of the files in it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_installing_shadows_no_module_of_a_user(wheel_names: list[str]) -> None:
    """The wheel installs the package `tocwalk` alone: no top-level graph, nodes, state or tests."""
    tops = {name.partition("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"tocwalk"}


def test_the_wheel_is_whole(wheel_names: list[str]) -> None:
    """Every source file is in the wheel, and with it the marker that the package is typed."""
    sources = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src/tocwalk").rglob("*.py")}
    assert sources <= set(wheel_names)
    assert "tocwalk/py.typed" in wheel_names


def test_every_imported_library_is_a_declared_dependency() -> None:
    """What src imports comes with `pip install tocwalk`, or with the extra that the module says it needs."""
    homes = packages_distributions()
    undeclared = {
        f"{path.relative_to(ROOT)}: {module}"
        for path in (ROOT / "src").rglob("*.py")
        for module in _imported_modules(path) - sys.stdlib_module_names - {"tocwalk"}
        if not _declared_for(path) & {_canonical(home) for home in homes.get(module, ())}
    }
    assert undeclared == set()


def _declared_for(path: Path) -> set[str]:
    """Return the libraries that a module may import: those of the project, and of the extras that it names."""
    named = re.findall(r"Needs the extra `(\w+)`", path.read_text("utf-8"))
    extras = [text for extra in named for text in PROJECT["project"]["optional-dependencies"][extra]]
    return {_canonical(text) for text in [*PROJECT["project"]["dependencies"], *extras]}


def test_the_lock_file_is_of_this_project() -> None:
    """uv.lock was resolved from the requirements that pyproject.toml has now; else run `make lock`."""
    (own,) = [package for package in LOCK["package"] if package["name"] == "tocwalk"]
    locked = own["metadata"]
    extras = [text for extra in PROJECT["project"]["optional-dependencies"].values() for text in extra]
    declared = [*PROJECT["project"]["dependencies"], *extras]
    assert _locked_requirements(locked["requires-dist"]) == _declared_requirements(declared)
    assert _locked_requirements(locked["requires-dev"]["dev"]) == _declared_requirements(
        PROJECT["dependency-groups"]["dev"]
    )
    assert LOCK["requires-python"] == PROJECT["project"]["requires-python"]


def test_the_lock_file_names_public_addresses_only() -> None:
    """Every locked file is fetched from PyPI: no mirror, no folder of the machine that made the lock."""
    packages = [package for package in LOCK["package"] if package["name"] != "tocwalk"]
    files = [file for package in packages for file in [*package.get("wheels", ()), package.get("sdist")] if file]
    hosts = {urlsplit(str(file["url"])).netloc for file in files}
    assert {package["source"].get("registry") for package in packages} == {"https://pypi.org/simple"}
    assert hosts == {"files.pythonhosted.org"}
