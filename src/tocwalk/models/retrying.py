"""The time that something asked for may take: one deadline, and the retries inside it."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable, Coroutine
from typing import TypeVar

from tocwalk.errors import NavigatorError
from tocwalk.models.cancellation import CallCancelled, Cancellation, unless_cancelled

__all__ = ["TRIES", "pause_before", "within"]

TRIES = 4
"""How often is asked at most while a provider is unavailable."""

_LOST_CONNECTIONS = 1  # that are survived: what is lost twice in a row is not there
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 8.0

T = TypeVar("T")


async def within(
    attempt: Callable[[], Coroutine[None, None, T]], *, timeout_s: float, cancellation: Cancellation, late: str
) -> T:
    """Return what an attempt returns, made again while the provider is unavailable.

    After a connection that was lost it is made again once, after other failures up to `TRIES` times in all. Between
    attempts it waits as long as the provider said, else an exponential time with jitter. A wait that would
    outlast the deadline is not begun.

    Args:
        attempt: What is tried; raises NavigatorError where it fails.
        timeout_s: Seconds of wall clock for all attempts together.
        cancellation: Ends the attempt under way within a fraction of a second.
        late: The message of the error when the deadline passes.

    Raises:
        CallCancelled: `cancellation` was cancelled first.
        NavigatorError: That of the last attempt; reason `timeout` if the deadline passed.
    """
    if cancellation.cancelled:
        raise CallCancelled
    deadline = asyncio.get_running_loop().time() + timeout_s
    try:
        async with asyncio.timeout_at(deadline):
            return await unless_cancelled(_retried(attempt, deadline), cancellation)
    except NavigatorError as error:
        if cancellation.cancelled:
            raise CallCancelled from error
        raise
    except TimeoutError as error:
        raise NavigatorError(late, reason="timeout") from error


def pause_before(retry: int, error: NavigatorError) -> float:
    """Return the seconds to wait before the `retry`-th repetition (1-based).

    What the provider asked for counts; else half a second, doubled with every retry up to 8 s, of which a random
    half is waited at least, so that calls that failed together do not come back together.
    """
    if error.retry_after is not None:
        return error.retry_after
    longest = min(_LONGEST_PAUSE_S, math.ldexp(_FIRST_PAUSE_S, retry - 1))
    return longest * (1 + random.random()) / 2  # noqa: S311 - spreads load, guards nothing


async def _retried(attempt: Callable[[], Coroutine[None, None, T]], deadline: float) -> T:
    """Try until there is a result, the error is final, the tries are spent, or no time is left for the pause."""
    failed = lost = 0
    while True:
        try:
            return await attempt()
        except NavigatorError as error:
            failed += 1
            lost += error.connection_lost
            if error.reason not in ("unavailable", "timeout") or failed == TRIES or lost > _LOST_CONNECTIONS:
                raise
            pause = pause_before(failed, error)
            if asyncio.get_running_loop().time() + pause >= deadline:
                raise
        await asyncio.sleep(pause)
