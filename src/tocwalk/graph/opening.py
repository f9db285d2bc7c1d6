"""Where a graph's index is: handed over, named, or where the environment says when a run starts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tocwalk.errors import ReadOnlyIndexError, SettingsError
from tocwalk.index.location import database_path, default_location
from tocwalk.index.reader import TreeReader

if TYPE_CHECKING:
    from tocwalk.index import TreeIndex

__all__ = ["opener", "reader", "writer"]

_DEFAULT_TENANT = "default"
_MOST_OPEN = 200
"""Indexes kept open; one more takes the place of that which was asked for longest ago. Tenants may be many."""

_opened: dict[tuple[Path, str, bool], tuple[tuple[int, int] | None, TreeIndex]] = {}
"""By its file, its tenant and whether it is only read, the index that is open, with device and number of the file."""
_lock = threading.Lock()


def opener(index: TreeReader | str | Path | None, *, tenant: str = _DEFAULT_TENANT) -> Callable[[], TreeReader]:
    """Return what returns the index, to be read.

    One that is named is opened once in a process, read-only, and again when another file has taken its place.

    Raises:
        SettingsError: A tenant is given beside an index that is open already.
    """
    if index is None or isinstance(index, str | Path):
        return reader(index, tenant=tenant)
    _check_tenant(index, tenant)
    return lambda: index


def reader(location: str | Path | None, *, tenant: str = _DEFAULT_TENANT) -> Callable[[], TreeIndex]:
    """Return what returns the index at a location, to be read."""
    return lambda: _open(location, tenant, read_only=True)


def writer(index: TreeIndex | str | Path | None, *, tenant: str = _DEFAULT_TENANT) -> Callable[[], TreeIndex]:
    """Return what returns the index, to be written; one that is named and missing is made when it is first asked for.

    Raises:
        SettingsError: A tenant is given beside an index that is open already.
        ReadOnlyIndexError: The index is open already, but only to be read.
    """
    if index is None or isinstance(index, str | Path):
        return lambda: _open(index, tenant, read_only=False)
    _check_tenant(index, tenant)
    if index.read_only:
        raise ReadOnlyIndexError(
            f"The index {str(index.location)!r} was opened read-only; open it without `read_only`."
        )
    return lambda: index


def _check_tenant(index: object, tenant: str) -> None:
    if tenant != _DEFAULT_TENANT:
        raise SettingsError(f"tenant={tenant!r} is given beside {index!r}, which has one: leave one of them out.")


def _open(location: str | Path | None, tenant: str, *, read_only: bool) -> TreeIndex:
    """Return the index at a location.

    Raises:
        NotFoundError: Its file is not there, or no longer, and is only to be read.
        TocwalkError: As `TreeIndex` raises them.
    """
    from tocwalk.index import TreeIndex

    path = database_path(default_location() if location is None else location)
    key = (path, tenant, read_only)
    with _lock:
        file = _file_at(path)
        kept = _opened.pop(key, None)  # not closed where it is not kept: a walk may be reading it
        if kept is not None and kept[0] == file:
            _opened[key] = kept  # the last, as it was asked for last
            return kept[1]
        index = TreeIndex(path, tenant=tenant, read_only=read_only)
        file = _file_at(path)
        if file is not None:
            _opened[key] = (file, index)
        if len(_opened) > _MOST_OPEN:
            del _opened[next(iter(_opened))]
        return index


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another that has the same path; None where none can be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
