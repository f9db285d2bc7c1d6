"""One decision within its time: the deadline, the retries inside it, and the end on cancellation."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Coroutine
from dataclasses import replace
from typing import TypeVar

from tocwalk.errors import ConfigurationError, NavigatorError
from tocwalk.navigators.protocol import Cancellation, Decision, Navigator, NavigatorRequest
from tocwalk.navigators.received import said_by, usable_decision, usable_error

__all__ = ["TRIES", "DecisionCancelled", "decide_within", "pause_before"]

TRIES = 4
"""How often a navigator is asked at most while it is unavailable."""

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 8.0
_LOOK_S = 0.02  # how often the cancellation, which no loop can wait for, is looked at
_FAREWELL_S = 1.0  # how long a call that is being cancelled may take to clean up

T = TypeVar("T")


class DecisionCancelled(Exception):  # noqa: N818 - it is no error: somebody asked for it
    """The walk was cancelled before the decision was there; the call in flight has been ended."""


async def decide_within(navigator: Navigator, request: NavigatorRequest, *, timeout_s: float) -> Decision:
    """Return the navigator's decision, asked for again while the provider is unavailable.

    Between tries it waits as long as the provider said, else an exponential time with jitter. A wait that would
    outlast the deadline is not begun.

    Args:
        navigator: Who judges.
        request: The offer; its cancellation ends the call within a fraction of a second.
        timeout_s: Seconds of wall clock for all tries together.

    Returns:
        The decision. Where a model was called, the tries that failed count as calls too.

    Raises:
        DecisionCancelled: `request.cancellation` was cancelled first.
        NavigatorError: There is no decision: the navigator's own error of the last try; reason `timeout` if the
            deadline passed; `failed`, with its cause, if the navigator raised anything else, or returned what is no
            decision; `invalid` if it picked too many.
        ConfigurationError: The navigator's own, at once.
    """
    if request.cancellation.cancelled:
        raise DecisionCancelled
    deadline = asyncio.get_running_loop().time() + timeout_s
    try:
        async with asyncio.timeout_at(deadline):
            return await _unless_cancelled(_retried(navigator, request, deadline), request.cancellation)
    except NavigatorError as error:
        if request.cancellation.cancelled:
            raise DecisionCancelled from error
        raise
    except TimeoutError as error:
        raise NavigatorError(
            f"{_name(navigator, request)!r} gave no decision within {timeout_s:g} s (`decide_timeout_s`).",
            reason="timeout",
        ) from error


def pause_before(retry: int, error: NavigatorError) -> float:
    """Return the seconds to wait before the `retry`-th repetition (1-based).

    What the provider asked for counts; else half a second, doubled with every retry up to 8 s, of which a random
    half is waited at least, so that calls that failed together do not come back together.
    """
    if error.retry_after is not None:
        return error.retry_after
    longest = min(_LONGEST_PAUSE_S, math.ldexp(_FIRST_PAUSE_S, retry - 1))
    return longest * (1 + random.random()) / 2  # noqa: S311 - spreads load, guards nothing


async def _retried(navigator: Navigator, request: NavigatorRequest, deadline: float) -> Decision:
    """Ask until there is a decision, the error is final, the tries are spent, or no time is left for the pause."""
    failed = 0
    while True:
        try:
            return _count_failed(await _asked(navigator, request), failed)
        except NavigatorError as error:
            failed += 1
            if error.reason not in ("unavailable", "timeout") or failed == TRIES:
                raise
            pause = pause_before(failed, error)
            if asyncio.get_running_loop().time() + pause >= deadline:
                raise
        await asyncio.sleep(pause)


async def _asked(navigator: Navigator, request: NavigatorRequest) -> Decision:
    """Ask once; what a navigator may not return or raise becomes what it may.

    Other walks share the event loop, so not even SystemExit or KeyboardInterrupt of a navigator's own code may end it.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    try:
        return usable_decision(await navigator.decide(request), _name(navigator, request))
    except NavigatorError as error:
        usable = usable_error(error)
        if usable is error:
            raise
        raise usable from error
    except ConfigurationError:
        raise
    except asyncio.CancelledError as error:
        if _ended_from_outside():
            raise
        raise NavigatorError(f"{_name(navigator, request)!r} cancelled itself.", reason="failed") from error
    except BaseException as error:
        if isinstance(error, GeneratorExit) and asyncio.current_task(loop) is not task:
            raise  # the coroutine is being thrown away, not run
        told = f"{type(error).__name__}: {said_by(error)}"
        raise NavigatorError(f"{_name(navigator, request)!r} failed: {told}", reason="failed") from error


def _name(navigator: Navigator, request: NavigatorRequest) -> str:
    """Return the model's name; a navigator that was handed over in code has one of its own."""
    return str(getattr(navigator, "model", request.model))


def _ended_from_outside() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _count_failed(decision: Decision, failed: int) -> Decision:
    if not failed or not decision.usage.calls:
        return decision
    return replace(decision, usage=replace(decision.usage, calls=decision.usage.calls + failed))


async def _unless_cancelled(work: Coroutine[None, None, T], cancellation: Cancellation) -> T:
    """Return what `work` returns; end it when the token is cancelled, or when this task is."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            if cancellation.cancelled:
                raise DecisionCancelled
            await asyncio.wait({task}, timeout=_LOOK_S)
        return task.result()
    finally:
        if not task.done():
            task.add_done_callback(_forget)
            task.cancel()
            await asyncio.wait({task}, timeout=_FAREWELL_S)


def _forget(task: asyncio.Future[T]) -> None:
    """Take note of how an abandoned call ended, or asyncio reports it as never looked at."""
    if not task.cancelled():
        task.exception()
