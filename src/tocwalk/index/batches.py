"""Long lists in pieces that a database takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

__all__ = ["batches"]

_Item = TypeVar("_Item")


def batches(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """Yield the items in order in lists of `size`, the last one shorter; nothing for no items."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch
