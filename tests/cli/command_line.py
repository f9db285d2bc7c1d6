"""What tests of the command call things by."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from click.testing import Result

SCRIPT = Path(sys.executable).with_name("tocwalk")
"""The installed console script."""

Run: TypeAlias = Callable[..., Result]
Start: TypeAlias = Callable[..., "subprocess.Popen[bytes]"]

HANDBOOK = """# Tram Handbook

Everything a tram driver needs.

## Signals

A driver stops at red.

### Bells

Two rings of the bell mean go.

## Found Umbrellas

Umbrellas are kept for sixty days.
"""

CHARTER = """# Charter of Ponds

## Ducks

Ducks may cross first.

## Frogs

Frogs are counted in spring.
"""


def json_of(result: Result) -> Any:
    """Return the one JSON document that stdout must be."""
    return json.loads(result.stdout)
