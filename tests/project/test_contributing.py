"""What CONTRIBUTING.md tells people to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tocwalk.testing import check_navigator

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_the_navigator_it_shows_passes_the_conformance_kit() -> None:
    """The navigator printed there works as it stands: copied, it passes every check."""
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    report = check_navigator(names["FirstCandidate"](), model="first:candidate")
    assert report.passed, str(report)


def test_it_names_every_make_target() -> None:
    """Each target that `make help` shows is explained, and each that is explained exists."""
    targets = set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"^\| `make ([a-z]+)`", TEXT, re.MULTILINE)) == targets - {"help", "clean"}
