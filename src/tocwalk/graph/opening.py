"""Where a graph's index is: handed over, named, or where the environment says when a run starts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from tocwalk.index.location import default_location
from tocwalk.index.reader import TreeReader

__all__ = ["opener"]


def opener(index: TreeReader | str | Path | None) -> Callable[[], TreeReader]:
    """Return what returns the index. One that is named is opened once in a process, read-only."""
    if index is None:
        return lambda: _opened(str(default_location()))
    if isinstance(index, str | Path):
        return partial(_opened, str(index))
    return lambda: index


@cache
def _opened(location: str) -> TreeReader:
    from tocwalk.index import TreeIndex

    return TreeIndex(location, read_only=True)
