"""What tests of summaries share: a server, and a cache in a real file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from summary_model import operator, server
from tocwalk.index import SummaryCache

__all__ = ["cache", "operator", "server"]


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[SummaryCache]:
    """Return an empty cache."""
    with SummaryCache(tmp_path / "cache.db") as opened:
        yield opened
