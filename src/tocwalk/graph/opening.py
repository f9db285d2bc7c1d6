"""Where a graph's index is: handed over, named, or where the environment says when a run starts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tocwalk.index.location import database_path, default_location
from tocwalk.index.reader import TreeReader

__all__ = ["opener"]

_opened: dict[Path, tuple[tuple[int, int], TreeReader]] = {}
"""By its file the index that is open, with the device and number of the file."""
_lock = threading.Lock()


def opener(index: TreeReader | str | Path | None) -> Callable[[], TreeReader]:
    """Return what returns the index.

    One that is named is opened once in a process, read-only, and again when another file has taken its place.
    """
    if index is None:
        return lambda: _open(default_location())
    if isinstance(index, str | Path):
        return partial(_open, index)
    return lambda: index


def _open(location: str | Path) -> TreeReader:
    """Return the index at a location.

    Raises:
        NotFoundError: Its file is not there, or no longer.
        TocwalkError: As `TreeIndex` raises them.
    """
    from tocwalk.index import TreeIndex

    path = database_path(location)
    with _lock:
        file = _file_at(path)
        kept = _opened.get(path)
        if kept is not None and kept[0] == file:
            return kept[1]
        _opened.pop(path, None)  # not closed: a walk may be reading it
        index = TreeIndex(location, read_only=True)
        if file is not None:
            _opened[path] = (file, index)
        return index


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another that has the same path; None where none can be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
