"""What was read once and can never change."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

from tocwalk.tree import SectionHead

__all__ = ["HeadCache"]


class HeadCache:
    """Lists of section heads by key; the least recently used go first. Safe for threads.

    Bounded by the heads held in all, since one list may be of three or of ten thousand. The newest list is
    kept even where it alone is over the bound: a large corpus must not be read again at every visit.
    """

    def __init__(self, capacity: int) -> None:
        """Make an empty cache that holds up to `capacity` heads."""
        self._capacity = capacity
        self._held = 0
        self._lists: OrderedDict[Hashable, tuple[SectionHead, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> tuple[SectionHead, ...] | None:
        """Return the list kept under `key`, or None."""
        with self._lock:
            heads = self._lists.get(key)
            if heads is not None:
                self._lists.move_to_end(key)
            return heads

    def put(self, key: Hashable, heads: tuple[SectionHead, ...]) -> None:
        """Keep a list, and let go of others until the bound is met."""
        with self._lock:
            if key in self._lists:
                return
            self._lists[key] = heads
            self._held += _weight(heads)
            while self._held > self._capacity and len(self._lists) > 1:
                _, oldest = self._lists.popitem(last=False)
                self._held -= _weight(oldest)


def _weight(heads: tuple[SectionHead, ...]) -> int:
    return len(heads) + 1  # an empty list takes room too
