"""Opening the index that a command is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tocwalk.index import TreeIndex

__all__ = ["open_index"]


def open_index(location: str | None, *, read_only: bool) -> TreeIndex:
    """Return the index at `location`, or where the environment says; a context manager.

    Raises:
        NotFoundError: There is none and `read_only` forbids to make one.
        IndexStoreError: It cannot be opened.
    """
    from tocwalk.index import TreeIndex, default_location

    return TreeIndex(default_location() if location is None else location, read_only=read_only)
