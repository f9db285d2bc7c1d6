"""The files that follow from the code: settings page, example environment, Dockerfile."""

from __future__ import annotations

import io
import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
from dotenv import dotenv_values

from tocwalk.state.operator import OperatorSettings

ROOT = Path(__file__).parents[2]
FILES: dict[str, Callable[[], str]] = runpy.run_path(str(ROOT / "tools/generate.py"))["FILES"]
EXAMPLE = (ROOT / ".env.example").read_text("utf-8")


@pytest.mark.parametrize("name", FILES)
def test_what_is_generated_is_current(name: str) -> None:
    """The file is what the code makes now; else run `make generate`."""
    assert (ROOT / name).read_text("utf-8") == FILES[name]()


def test_every_variable_that_is_read_is_explained() -> None:
    """No variable of the environment is known to the code alone."""
    sources = [path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py")]
    read = {name for text in sources for name in re.findall(r'"((?:TOCWALK|OPENAI)_[A-Z_]+)"', text)}
    assert read <= set(re.findall(r"^# ([A-Z_]+)=", EXAMPLE, re.MULTILINE))


def test_the_example_environment_changes_nothing() -> None:
    """Copied to .env it sets nothing, and with every line of ours made a setting it sets the defaults."""
    assert dotenv_values(stream=io.StringIO(EXAMPLE)) == {}
    ours = re.sub(r"^# ((?:TOCWALK|OPENAI)_[A-Z_]+=)", r"\1", EXAMPLE, flags=re.MULTILINE)
    values = {name: value or "" for name, value in dotenv_values(stream=io.StringIO(ours)).items()}
    assert len(values) > 10
    assert OperatorSettings.from_environment(values) == OperatorSettings()


def test_no_key_gets_into_an_image() -> None:
    """What is copied into an image is neither .env nor an index, nor git's own folder."""
    assert {".git", "**/.env", "**/*.db"} <= set((ROOT / ".dockerignore").read_text("utf-8").split())
