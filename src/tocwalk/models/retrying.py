"""The time that something asked for may take: one deadline, and the retries inside it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import TypeVar

from tocwalk.errors import NavigatorError
from tocwalk.models.cancellation import CallCancelled, Cancellation, unless_cancelled

__all__ = ["pause_before", "within"]

# That are survived, in a row: an answer that broke off has been paid for, and a mistyped address is told of at once.
_LOST_CONNECTIONS = 1
_FIRST_PAUSE_S = 0.5
_DOUBLED = 4  # times at most: up to 8 s

T = TypeVar("T")


async def within(
    attempt: Callable[[], Coroutine[None, None, T]], *, timeout_s: float, cancellation: Cancellation, late: str
) -> T:
    """Return what an attempt returns, made again while the provider is unavailable.

    While the provider answers that it cannot, it is made again for as long as the time lasts; after a connection that
    was lost, once. `pause_before` says how long is waited in between. A wait that would outlast the deadline is not
    begun.

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

    Half a second, doubled with every retry up to 8 s, of which a random half is waited at least, so that calls that
    failed together do not come back together; and before that as long as the provider asked for.
    """
    longest = _FIRST_PAUSE_S * 2.0 ** min(_DOUBLED, retry - 1)
    return (error.retry_after or 0.0) + longest * (1 + random.random()) / 2  # noqa: S311 - spreads load, guards nothing


async def _retried(attempt: Callable[[], Coroutine[None, None, T]], deadline: float) -> T:
    """Try until there is a result, the error is final, or no time is left for the pause."""
    failed = lost = 0
    while True:
        try:
            return await attempt()
        except NavigatorError as error:
            failed += 1
            lost = lost + 1 if error.connection_lost else 0
            if error.reason not in ("unavailable", "timeout") or lost > _LOST_CONNECTIONS:
                raise
            pause = pause_before(failed, error)
            if asyncio.get_running_loop().time() + pause >= deadline:
                raise
        await asyncio.sleep(pause)
