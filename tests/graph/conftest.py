"""What tests of the graph share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reference.asking import SmallIndex


@pytest.fixture(scope="session")
def small_index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallIndex]:
    """Return an index for small forests."""
    small = SmallIndex(tmp_path_factory.mktemp("small-index"))
    yield small
    small.index.close()
