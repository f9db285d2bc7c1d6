"""Ending a call of a model from outside."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import TypeVar

__all__ = ["CallCancelled", "Cancellation", "unless_cancelled"]

_LOOK_S = 0.02  # how often the cancellation, which no loop can wait for, is looked at
_FAREWELL_S = 1.0  # how long a call that is being cancelled may take to clean up

T = TypeVar("T")


class Cancellation:
    """A token by which a caller stops a run in the same process; safe to share between threads.

    Hand it over as `config={"configurable": {"cancellation": token}}`.
    """

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask for the run to end; calls in flight are aborted. May be called more than once."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` has been called."""
        return self._event.is_set()


class CallCancelled(Exception):  # noqa: N818 - it is no error: somebody asked for it
    """The run was cancelled before there was an answer; the call in flight has been ended."""


async def unless_cancelled(work: Coroutine[None, None, T], cancellation: Cancellation) -> T:
    """Return what `work` returns; end it when the token is cancelled, or when this task is.

    Raises:
        CallCancelled: The token was cancelled first.
    """
    task = asyncio.ensure_future(work)
    task.add_done_callback(_forget)
    try:
        while not task.done():
            if cancellation.cancelled:
                raise CallCancelled
            await asyncio.wait({task}, timeout=_LOOK_S)
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_FAREWELL_S)


def _forget(task: asyncio.Future[T]) -> None:
    """Take note of how a call ended: one that ends while its waiter is cancelled is looked at by nobody else."""
    if not task.cancelled():
        task.exception()
