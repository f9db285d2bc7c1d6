"""What tests of the index graph share: an index, and a server whose model writes summaries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from summary_model import operator, server
from tocwalk.index import TreeIndex

__all__ = ["index", "operator", "server"]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[TreeIndex]:
    """Return an empty index."""
    with TreeIndex(tmp_path / "index.db") as opened:
        yield opened
