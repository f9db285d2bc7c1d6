"""What was read once and can never change."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

__all__ = ["ListCache"]

T = TypeVar("T")


class ListCache(Generic[T]):
    """Lists by key, of section heads or what is made of them; the least recently used go first. Safe for threads.

    Bounded by what the lists hold in all, since one may be of three or of ten thousand. The newest list is
    kept even where it alone is over the bound: a large corpus must not be read again at every visit.
    """

    def __init__(self, capacity: int) -> None:
        """Make an empty cache of lists that hold up to `capacity` values in all."""
        self._capacity = capacity
        self._held = 0
        self._lists: OrderedDict[Hashable, tuple[T, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> tuple[T, ...] | None:
        """Return the list kept under `key`, or None."""
        with self._lock:
            values = self._lists.get(key)
            if values is not None:
                self._lists.move_to_end(key)
            return values

    def put(self, key: Hashable, values: tuple[T, ...]) -> None:
        """Keep a list, and let go of others until the bound is met."""
        with self._lock:
            if key in self._lists:
                return
            self._lists[key] = values
            self._held += _weight(values)
            while self._held > self._capacity and len(self._lists) > 1:
                _, oldest = self._lists.popitem(last=False)
                self._held -= _weight(oldest)


def _weight(values: tuple[object, ...]) -> int:
    return len(values) + 1  # an empty list takes room too
