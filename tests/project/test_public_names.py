"""What the package offers by name, and the front doors at the root of the repository."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import tocwalk

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"


def _defines_nothing(path: Path) -> bool:
    """Whether a file holds its docstring alone, as the `__init__` of some packages does."""
    return len(ast.parse(path.read_text("utf-8")).body) <= 1


MODULES = sorted(
    ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")
    for path in SRC.rglob("*.py")
    if path.name != "__main__.py" and not _defines_nothing(path)
)


def _order(name: str) -> tuple[int, list[str | int]]:
    """Sort as ruff's RUF022 does: CONSTANTS, Classes, functions; numbers by value."""
    rank = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return rank, [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _front_door(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"front_door_{name}", ROOT / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", MODULES)
def test_every_module_lists_its_public_names_in_order(name: str) -> None:
    """Every module has an `__all__`, sorted and without repeats, of names that are really there."""
    module = importlib.import_module(name)
    names = module.__all__
    assert names == sorted(set(names), key=_order)
    assert [missing for missing in names if not hasattr(module, missing)] == []


@pytest.mark.parametrize("name", ["graph", "nodes", "state"])
def test_a_front_door_re_exports_its_package_exactly(name: str) -> None:
    """graph.py, nodes.py and state.py at the root offer what their packages offer: the same names, the same objects."""
    door = _front_door(name)
    package = importlib.import_module(f"tocwalk.{name}")
    assert door.__all__ == package.__all__
    assert {n for n in vars(door) if not n.startswith("_")} == set(package.__all__)
    assert all(getattr(door, n) is getattr(package, n) for n in package.__all__)


def test_the_library_shows_its_names_before_they_are_imported() -> None:
    """Completion in a shell lists every public name of `tocwalk`, and its version."""
    assert {*tocwalk.__all__, "__version__"} <= set(dir(tocwalk))
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", tocwalk.__version__)


def test_a_name_the_library_does_not_have_is_an_attribute_error() -> None:
    """A misspelt name fails as on any module, and is named."""
    with pytest.raises(AttributeError, match="'TreeIndexes'"):
        _ = tocwalk.TreeIndexes
