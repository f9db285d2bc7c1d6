"""One decision within its time, and what a navigator that misbehaves is to a walk."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from inspect import isawaitable

from tocwalk.errors import ConfigurationError, NavigatorError
from tocwalk.models.cancellation import CallCancelled
from tocwalk.models.retrying import within
from tocwalk.models.usage import Usage
from tocwalk.navigators.protocol import Decision, Navigator, NavigatorRequest
from tocwalk.navigators.received import not_async, said_by, usable_decision, usable_error

__all__ = ["decide_within"]


async def decide_within(navigator: Navigator, request: NavigatorRequest, *, timeout_s: float) -> Decision:
    """Return the navigator's decision, asked for again while the provider is unavailable.

    `tocwalk.models.retrying.within` says when it is asked again.

    Args:
        navigator: Who judges.
        request: The offer; its cancellation ends the call within a fraction of a second. Its ledger holds what calls
            have used, where the navigator notes it, whatever comes of them.
        timeout_s: Seconds of wall clock for all tries together.

    Returns:
        The decision. Where a model was called, the tries that failed count as calls too.

    Raises:
        CallCancelled: `request.cancellation` was cancelled first, or the navigator says so.
        NavigatorError: There is no decision: the navigator's own error of the last try; reason `timeout` if the
            deadline passed; `failed`, with its cause, if the navigator raised anything else, or returned what is no
            decision; `invalid` if it picked too many.
        ConfigurationError: The navigator's own, at once.
    """
    tries = 0

    async def attempt() -> Decision:
        nonlocal tries
        tries += 1
        return await _asked(navigator, request)

    decision = await within(
        attempt,
        timeout_s=timeout_s,
        cancellation=request.cancellation,
        late=f"{_name(navigator, request)!r} gave no decision within {timeout_s:g} s (`decide_timeout_s`): ask again,"
        " or allow more time.",
    )
    return replace(decision, usage=_usage(decision, request, failed=tries - 1))


async def _asked(navigator: Navigator, request: NavigatorRequest) -> Decision:
    """Ask once; what a navigator may not return or raise becomes what it may.

    Other walks share the event loop, so not even SystemExit or KeyboardInterrupt of a navigator's own code may end it.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    try:
        return await _decision(navigator, request)
    except NavigatorError as error:
        usable = usable_error(error)
        if usable is error:
            raise
        raise usable from error
    except (ConfigurationError, CallCancelled):
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


async def _decision(navigator: Navigator, request: NavigatorRequest) -> Decision:
    deciding: object = navigator.decide(request)
    if not isawaitable(deciding):
        raise not_async(_name(navigator, request))
    return usable_decision(await deciding, _name(navigator, request))


def _name(navigator: Navigator, request: NavigatorRequest) -> str:
    """Return the model's name; a navigator that was handed over in code has one of its own."""
    return str(getattr(navigator, "model", request.model))


def _ended_from_outside() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _usage(decision: Decision, request: NavigatorRequest, *, failed: int) -> Usage:
    """Return what all tries have used: as noted, else the decision's own and a call for each that failed."""
    if request.ledger.total.calls:
        return request.ledger.total
    return replace(decision.usage, calls=decision.usage.calls + failed) if decision.usage.calls else decision.usage
