"""What a navigator handed back, checked once: it is strangers' code, and the state keeps what it says."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import TypeVar, cast

from tocwalk.errors import NavigatorError
from tocwalk.models.encodable import encodable
from tocwalk.navigators.protocol import Action, Decision, Pick, PickAction, Usage

__all__ = ["MOST_PICKS", "REASONS", "not_async", "said_by", "usable_decision", "usable_error"]

MOST_PICKS = 1000
"""Picks of a decision at most."""

REASONS = ("timeout", "unavailable", "invalid", "refused", "failed")
"""Why a navigator may give no decision. The walk has reasons of its own, which no navigator may claim."""

_ACTIONS: tuple[Action, ...] = ("pick", "stop", "reject")
_PICK_ACTIONS: tuple[PickAction, ...] = ("open", "take")
_COUNTS = tuple(field.name for field in fields(Usage) if field.name != "estimated")
_LARGEST_COUNT = 2**53  # beyond it JSON readers lose digits
_LONGEST_WAIT_S = 1e9  # what is longer than any deadline, and still a number to add to a time

Word = TypeVar("Word", bound=str)


def usable_decision(returned: object, name: str) -> Decision:
    """Return a decision of plain values, lone surrogates in its texts replaced.

    Args:
        returned: What the navigator returned.
        name: How the navigator is called in errors.

    Raises:
        NavigatorError: Reason `invalid`: more than `MOST_PICKS` picks; `failed`: it is not of the form of a decision.
    """
    if not isinstance(returned, Decision):
        raise _failed(name, "", returned, "which is no `Decision`")
    action = _one_of(returned.action, _ACTIONS)
    if action is None:
        raise _failed(name, "the action ", returned.action, f"which is none of {', '.join(_ACTIONS)}")
    if not isinstance(returned.reasoning, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _failed(name, "the reasoning ", returned.reasoning, "which is no text")
    picks = tuple(_pick(pick, name) for pick in _listed(returned.picks, name))
    return Decision(
        action=action, picks=picks, reasoning=encodable(returned.reasoning), usage=_usage(returned.usage, name)
    )


def not_async(name: str) -> NavigatorError:
    """Return the error for a navigator, called `name`, whose `decide` is no coroutine function."""
    return NavigatorError(f"{name!r} decides without being awaited: write `async def decide`.", reason="failed")


def usable_error(error: NavigatorError) -> NavigatorError:
    """Return the error itself, or where its message, reason or pause cannot be used one with those that can.

    A reason that no navigator may give is `failed`; a `retry_after` that is no number of seconds is none.
    """
    said = said_by(error)
    given: object = getattr(error, "reason", None)
    wait: object = getattr(error, "retry_after", None)
    lost: object = getattr(error, "connection_lost", False)
    reason, seconds = _one_of(given, REASONS) or "failed", _seconds(wait)
    if error.args == (said,) and given == reason and wait == seconds and isinstance(lost, bool):
        return error
    return NavigatorError(said, reason=reason, retry_after=seconds, connection_lost=lost is True)


def said_by(error: BaseException) -> str:
    """Return the message of an exception, or the name of its type where the message itself raises one."""
    try:
        return encodable(str(error))
    except BaseException:  # noqa: BLE001 - the exception is being told, and may be of any make
        return type(error).__name__


def _listed(picks: object, name: str) -> Sequence[object]:
    if not isinstance(picks, Sequence) or isinstance(picks, str | bytes):
        raise _failed(name, "the picks ", picks, "which are no sequence of `Pick`")
    listed = cast("Sequence[object]", picks)
    if len(listed) > MOST_PICKS:
        raise NavigatorError(f"{name!r} returned {len(listed)} picks; at most {MOST_PICKS} are read.", reason="invalid")
    return listed


def _pick(pick: object, name: str) -> Pick:
    if not isinstance(pick, Pick):
        raise _failed(name, "the pick ", pick, "which is no `Pick`")
    action = _one_of(pick.action, _PICK_ACTIONS)
    if not isinstance(pick.ref, str) or action is None:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _failed(name, "the pick ", pick, "whose ref is no text, or whose action is neither open nor take")
    return Pick(ref=encodable(pick.ref), action=action)


def _usage(usage: object, name: str) -> Usage:
    if not isinstance(usage, Usage):
        raise _failed(name, "the usage ", usage, "which is no `Usage`")
    counts: Iterable[object] = (getattr(usage, name) for name in _COUNTS)
    if type(usage.estimated) is not bool or not all(map(_is_count, counts)):
        raise _failed(name, "the usage ", usage, "whose counts must be whole numbers from 0 to 2**53")
    return usage


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST_COUNT


def _one_of(value: object, words: Iterable[Word]) -> Word | None:
    return next((word for word in words if isinstance(value, str) and value == word), None)


def _seconds(wait: object) -> float | None:
    if isinstance(wait, bool) or not isinstance(wait, int | float) or not wait >= 0:
        return None
    return float(min(wait, _LONGEST_WAIT_S))


def _failed(name: str, part: str, value: object, fault: str) -> NavigatorError:
    return NavigatorError(encodable(f"{name!r} returned {part}{reprlib.repr(value)}, {fault}."), reason="failed")
