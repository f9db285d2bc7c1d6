"""What tests of the evaluation share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lease_documents import CHARTER, LEASE, indexed

from tocwalk.index import TreeIndex


@pytest.fixture
def index(tmp_path: Path) -> Iterator[TreeIndex]:
    """Return an index with a lease, which has pages, and a charter in a folder, which has none."""
    with indexed(tmp_path / "index.db", lease=LEASE, town__charter=CHARTER) as opened:
        yield opened
