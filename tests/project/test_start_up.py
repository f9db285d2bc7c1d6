"""What is loaded before there is anything to do."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ["langchain_core", "langchain_openai", "langgraph", "openai", "pydantic", "sqlalchemy"]

IMPORT = "import tocwalk"
HELP = """
import contextlib, io, sys
sys.argv = ["tocwalk", "--help"]
from tocwalk.cli import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as shown:
    main()
assert "Usage" in shown.getvalue(), shown.getvalue()
"""


@pytest.mark.parametrize("code", [pytest.param(IMPORT, id="import"), pytest.param(HELP, id="help")])
def test_starting_loads_no_heavy_library(code: str) -> None:
    """`import tocwalk` and `tocwalk --help` load no graph, model, database or validation library."""
    report = f"{code}\nimport json, sys\nprint(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    run = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == []
