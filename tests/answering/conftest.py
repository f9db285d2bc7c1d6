"""The library that answers are written from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_chat import LEASE

from tocwalk.index import TreeIndex


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TreeIndex]:
    """Return an index of the lease."""
    path: Path = tmp_path_factory.mktemp("library") / "index.db"
    with TreeIndex(path) as index:
        index.add_langchain(LEASE)
        yield index
