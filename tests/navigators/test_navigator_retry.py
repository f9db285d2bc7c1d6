"""The deadline, the retries inside it, and the end on cancellation; with gates, not with waiting."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offer_building import request_of

from tocwalk.errors import CredentialError, NavigatorError
from tocwalk.models.cancellation import CallCancelled
from tocwalk.models.retrying import pause_before
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick, Usage
from tocwalk.navigators.received import MOST_PICKS
from tocwalk.navigators.retry import _asked, decide_within
from tocwalk.testing import FunctionNavigator, ScriptedNavigator

REJECT = Decision(action="reject")


def unavailable(retry_after: float | None = 0.0) -> NavigatorError:
    """Return the error of a provider that is away for a moment."""
    return NavigatorError("busy", reason="unavailable", retry_after=retry_after)


async def test_a_decision_is_returned_as_it_is() -> None:
    """Where nothing fails, the navigator is asked once and its decision is not touched."""
    navigator = ScriptedNavigator([REJECT])

    assert await decide_within(navigator, request_of(), timeout_s=5) == REJECT


async def test_an_unavailable_provider_is_asked_again_and_counted() -> None:
    """Tries that failed count as calls where a model was called."""
    answer = Decision(action="stop", usage=Usage(calls=1, input_tokens=10))
    navigator = ScriptedNavigator([unavailable(), NavigatorError("late", reason="timeout", retry_after=0), answer])

    decision = await decide_within(navigator, request_of(), timeout_s=5)

    assert decision.usage == Usage(calls=3, input_tokens=10)


async def test_a_navigator_without_a_model_has_no_calls() -> None:
    """A decision that called no model stays free, however often it was asked for."""
    assert await decide_within(ScriptedNavigator([unavailable(), REJECT]), request_of(), timeout_s=5) == REJECT


async def test_an_unavailable_provider_is_asked_for_as_long_as_the_time_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """No number ends the tries, only a pause that would outlast the time; the error of the last try is raised."""
    monkeypatch.setattr("tocwalk.models.retrying.pause_before", lambda retry, error: 0.0 if retry < 20 else 3600.0)
    errors = [unavailable() for _ in range(21)]
    navigator = ScriptedNavigator(errors)

    with pytest.raises(NavigatorError) as caught:
        await decide_within(navigator, request_of(), timeout_s=30)

    assert caught.value is errors[19]
    assert len(navigator.requests) == 20


@pytest.mark.parametrize(("failures", "survived"), [("l", True), ("lul", True), ("ulul", True), ("ll", False)])
async def test_a_connection_may_be_lost_once_in_a_row(
    failures: str, survived: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lost connection is tried again, unless it was the try before that lost it too."""
    monkeypatch.setattr("tocwalk.models.retrying._FIRST_PAUSE_S", 0.001)
    lost = NavigatorError("gone", reason="unavailable", connection_lost=True)
    navigator = ScriptedNavigator([*(lost if kind == "l" else unavailable() for kind in failures), REJECT])

    if survived:
        assert await decide_within(navigator, request_of(), timeout_s=30) == REJECT
    else:
        with pytest.raises(NavigatorError, match="gone"):
            await decide_within(navigator, request_of(), timeout_s=30)


@pytest.mark.parametrize("reason", ["invalid", "refused", "failed"])
async def test_what_stays_wrong_is_not_tried_again(reason: str) -> None:
    """Only an unavailable provider is asked again."""
    navigator = ScriptedNavigator([NavigatorError("no", reason=reason), REJECT])

    with pytest.raises(NavigatorError) as caught:
        await decide_within(navigator, request_of(), timeout_s=5)

    assert caught.value.reason == reason


async def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    """If the provider asks to wait longer than there is time, its error comes at once."""
    navigator = ScriptedNavigator([unavailable(retry_after=3600), REJECT])

    with pytest.raises(NavigatorError, match="busy"):
        await decide_within(navigator, request_of(), timeout_s=5)


async def test_configuration_errors_pass() -> None:
    """A wrong key is raised as it is, at once."""
    wrong_key = CredentialError("no key")

    with pytest.raises(CredentialError) as caught:
        await decide_within(ScriptedNavigator([wrong_key, REJECT]), request_of(), timeout_s=5)

    assert caught.value is wrong_key


async def test_anything_else_is_a_failure_with_its_cause() -> None:
    """An exception that a navigator should not raise becomes one it may, and is not swallowed."""
    bug = KeyError("bug")

    with pytest.raises(NavigatorError, match="KeyError: 'bug'") as caught:
        await decide_within(ScriptedNavigator([bug]), request_of(), timeout_s=5)

    assert caught.value.reason == "failed"
    assert caught.value.__cause__ is bug


async def test_a_time_out_of_the_navigators_own_is_its_failure() -> None:
    """A TimeoutError from inside is not taken for the walk's deadline."""
    with pytest.raises(NavigatorError) as caught:
        await decide_within(ScriptedNavigator([TimeoutError("mine")]), request_of(), timeout_s=5)

    assert caught.value.reason == "failed"


class UnspeakableError(Exception):
    """Its message cannot be had."""

    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize(
    "raised",
    [
        SystemExit(3),
        KeyboardInterrupt(),
        GeneratorExit(),
        BaseException("bare"),
        BaseExceptionGroup("several", [SystemExit(1), ValueError("x")]),
        UnspeakableError(),
        RuntimeError("lone \ud800 surrogate"),
    ],
    ids=lambda raised: type(raised).__name__,
)
async def test_nothing_a_navigator_raises_ends_the_loop(raised: BaseException) -> None:
    """Whatever a navigator's own code raises is its failure, named by its type; other walks go on."""

    def burst(_request: NavigatorRequest) -> Decision:
        raise raised

    with pytest.raises(NavigatorError, match=type(raised).__name__) as caught:
        await decide_within(FunctionNavigator(burst), request_of(), timeout_s=5)

    assert caught.value.reason == "failed"
    assert caught.value.__cause__ is raised
    assert str(caught.value).isascii()


def test_a_call_that_is_thrown_away_raises_nothing() -> None:
    """A coroutine that is closed with its loop ends quietly: nobody is there to be told of a failure."""

    async def wait(_request: NavigatorRequest) -> Decision:
        await asyncio.sleep(0)
        return REJECT

    async def begin() -> None:
        asked.send(None)

    asked = _asked(FunctionNavigator(wait), request_of())
    asyncio.run(begin())
    asked.close()


@pytest.mark.parametrize("reason", ["index_changed", "configuration", "", None, ["timeout"]])
async def test_reasons_of_the_walk_cannot_be_claimed(reason: object) -> None:
    """A reason that no navigator may give is `failed`; the message stays."""
    claimed = NavigatorError("mine", reason=reason)  # type: ignore[arg-type]

    with pytest.raises(NavigatorError, match="mine") as caught:
        await decide_within(ScriptedNavigator([claimed]), request_of(), timeout_s=5)

    assert caught.value.reason == "failed"
    assert caught.value.__cause__ is claimed


@pytest.mark.parametrize("message", ["lone \ud800", UnspeakableError()])
async def test_the_message_of_a_navigators_error_can_be_stored(message: object) -> None:
    """A message that has no bytes, or cannot be had, is replaced; the reason stays."""
    error = NavigatorError(message, reason="refused")  # type: ignore[arg-type]

    with pytest.raises(NavigatorError) as caught:
        await decide_within(ScriptedNavigator([error]), request_of(), timeout_s=5)

    assert caught.value.reason == "refused"
    assert str(caught.value) in ("lone ?", "NavigatorError")


@pytest.mark.parametrize("wait", ["soon", math.nan, True, -1, object()])
async def test_a_pause_that_is_no_number_is_ignored(wait: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider is asked again after our own pause."""
    monkeypatch.setattr("tocwalk.models.retrying._FIRST_PAUSE_S", 0.001)
    error = NavigatorError("busy", reason="unavailable", retry_after=wait)  # type: ignore[arg-type]

    assert await decide_within(ScriptedNavigator([error, REJECT]), request_of(), timeout_s=5) == REJECT


@pytest.mark.parametrize("wait", [math.inf, 10**400])
async def test_a_pause_without_end_is_not_begun(wait: float) -> None:
    """However large the number, it is more than the time there is."""
    with pytest.raises(NavigatorError, match="busy") as caught:
        await decide_within(ScriptedNavigator([unavailable(wait), REJECT]), request_of(), timeout_s=5)

    assert caught.value.reason == "unavailable"


def pick_of(**fields: Any) -> Decision:
    """Return a decision with one pick, of any values."""
    return Decision(action="pick", picks=(Pick(**fields),))


def usage_of(**fields: Any) -> Decision:
    """Return a decision with a usage of any values."""
    return Decision(action="stop", usage=Usage(**fields))


def decision_of(**fields: Any) -> Decision:
    """Return a decision of any values."""
    values: dict[str, Any] = {"action": "pick", **fields}
    return Decision(**values)


@pytest.mark.parametrize(
    "returned",
    [
        decision_of(action="error"),
        decision_of(action="cancelled"),
        decision_of(action=None),
        decision_of(action=["pick"]),
        decision_of(picks=None),
        decision_of(picks="12"),
        decision_of(picks=("1",)),
        decision_of(picks={Pick(ref="1")}),
        decision_of(reasoning=None),
        decision_of(reasoning=b"r"),
        decision_of(usage=None),
        decision_of(usage={"calls": 1}),
        pick_of(ref=1),
        pick_of(ref=None),
        pick_of(ref="1", action="pick"),
        pick_of(ref="1", action=None),
        usage_of(calls=-1),
        usage_of(calls=True),
        usage_of(input_tokens=1.5),
        usage_of(output_tokens=math.inf),
        usage_of(cached_tokens=2**53 + 1),
        usage_of(input_tokens="7"),
        usage_of(estimated="no"),
    ],
    ids=repr,
)
async def test_a_decision_of_other_values_is_a_failure(returned: Decision) -> None:
    """Types are not enforced where strangers make a decision, so each value is looked at."""
    with pytest.raises(NavigatorError, match="returned the ") as caught:
        await decide_within(FunctionNavigator(lambda _: returned), request_of(), timeout_s=5)

    assert caught.value.reason == "failed"


async def test_too_many_picks_are_invalid() -> None:
    """A thousand picks are read; one more is none, and the error says how many there were."""
    picks = [Pick(ref="1")] * MOST_PICKS
    more = [*picks, Pick(ref="2")]

    whole = await decide_within(FunctionNavigator(lambda _: decision_of(picks=picks)), request_of(), timeout_s=5)
    with pytest.raises(NavigatorError, match="1001 picks") as caught:
        await decide_within(FunctionNavigator(lambda _: decision_of(picks=more)), request_of(), timeout_s=5)

    assert whole.picks == tuple(picks)
    assert caught.value.reason == "invalid"


async def test_lone_surrogates_are_replaced() -> None:
    """What a navigator says can be stored: what has no bytes becomes a question mark."""
    returned = decision_of(picks=[Pick(ref="1\ud800", action="take")], reasoning="so \udfff")

    decision = await decide_within(FunctionNavigator(lambda _: returned), request_of(), timeout_s=5)

    assert decision == decision_of(picks=(Pick(ref="1?", action="take"),), reasoning="so ?")


@pytest.mark.parametrize("returned", [None, "2.1", {"action": "reject"}])
async def test_what_is_no_decision_is_a_failure(returned: object) -> None:
    """A navigator that returns something else has failed."""
    with pytest.raises(NavigatorError, match="no `Decision`"):
        await decide_within(FunctionNavigator(lambda _: returned), request_of(), timeout_s=5)  # type: ignore[arg-type,return-value]


async def test_a_navigator_that_cancels_itself_has_failed() -> None:
    """A stray CancelledError does not end the walk as if somebody had cancelled it."""

    async def stray(_request: NavigatorRequest) -> Decision:
        raise asyncio.CancelledError

    with pytest.raises(NavigatorError, match="cancelled itself"):
        await decide_within(FunctionNavigator(stray), request_of(), timeout_s=5)


async def test_the_deadline_ends_a_call_that_never_answers() -> None:
    """Out of time: the call is cancelled and the reason is `timeout`."""
    ended = asyncio.Event()

    async def never(_request: NavigatorRequest) -> Decision:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return REJECT

    with pytest.raises(NavigatorError, match="decide_timeout_s") as caught:
        await decide_within(FunctionNavigator(never), request_of(), timeout_s=0.05)

    assert caught.value.reason == "timeout"
    assert ended.is_set()


async def test_a_cancelled_walk_asks_nobody() -> None:
    """Cancelled before: the navigator is not asked."""
    navigator = ScriptedNavigator([REJECT])
    request = request_of()
    request.cancellation.cancel()

    with pytest.raises(CallCancelled):
        await decide_within(navigator, request, timeout_s=5)

    assert navigator.requests == []


async def cancel_while_it_waits(request: NavigatorRequest, cancel: Callable[[], None]) -> bool:
    """Cancel a decision that waits for a gate; return whether the call was ended."""
    waiting, ended = asyncio.Event(), asyncio.Event()

    async def wait(_request: NavigatorRequest) -> Decision:
        waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return REJECT

    deciding = asyncio.ensure_future(decide_within(FunctionNavigator(wait), request, timeout_s=60))
    await waiting.wait()
    cancel()
    with pytest.raises(CallCancelled):
        await deciding
    return ended.is_set()


async def test_cancellation_ends_the_call_in_flight() -> None:
    """The token ends a call that waits, and the call knows."""
    request = request_of()

    assert await cancel_while_it_waits(request, request.cancellation.cancel)


async def test_cancellation_from_another_thread_ends_the_call_in_flight() -> None:
    """The token may be cancelled from any thread."""
    request = request_of()

    assert await cancel_while_it_waits(request, threading.Thread(target=request.cancellation.cancel).start)


async def test_cancellation_ends_a_pause_between_tries() -> None:
    """A walk that is cancelled while a retry waits does not wait for it."""
    request = request_of()

    def busy(_request: NavigatorRequest) -> Decision:
        request.cancellation.cancel()
        raise unavailable(retry_after=30)

    with pytest.raises(CallCancelled):
        await decide_within(FunctionNavigator(busy), request, timeout_s=60)


async def test_a_failure_after_cancellation_is_the_cancellation() -> None:
    """A navigator that fails because it was cancelled has not failed."""
    request = request_of()

    def give_up(_request: NavigatorRequest) -> Decision:
        request.cancellation.cancel()
        raise RuntimeError("interrupted")

    with pytest.raises(CallCancelled):
        await decide_within(FunctionNavigator(give_up), request, timeout_s=5)


async def test_an_answer_that_came_first_counts() -> None:
    """A decision that was there before the cancellation was seen is returned."""
    request = request_of()

    def last_word(_request: NavigatorRequest) -> Decision:
        request.cancellation.cancel()
        return REJECT

    assert await decide_within(FunctionNavigator(last_word), request, timeout_s=5) == REJECT


async def test_a_cancelled_task_ends_its_call() -> None:
    """Whoever cancels the task, as a server does, cancels the call with it."""
    waiting, ended = asyncio.Event(), asyncio.Event()

    async def wait(_request: NavigatorRequest) -> Decision:
        waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return REJECT

    deciding = asyncio.ensure_future(decide_within(FunctionNavigator(wait), request_of(), timeout_s=60))
    await waiting.wait()
    deciding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await deciding

    assert ended.is_set()


async def test_a_call_that_will_not_end_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A navigator that ignores its cancellation does not hold up the walk, and its later failure is nobody's."""
    monkeypatch.setattr("tocwalk.models.cancellation._FAREWELL_S", 0.01)
    release, ended = asyncio.Event(), asyncio.Event()

    async def stubborn(_request: NavigatorRequest) -> Decision:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        ended.set()
        raise RuntimeError("too late")

    with pytest.raises(NavigatorError) as caught:
        await decide_within(FunctionNavigator(stubborn), request_of(), timeout_s=0.01)
    release.set()
    await ended.wait()

    assert caught.value.reason == "timeout"


@given(retry=st.integers(1, 60))
def test_pauses_grow_and_are_bounded(retry: int) -> None:
    """Without a word from the provider the pause is between half of and all of 0.5 s, doubled up to 8 s."""
    longest = min(8.0, 0.5 * 2 ** (retry - 1))

    assert longest / 2 <= pause_before(retry, unavailable(retry_after=None)) <= longest


@given(seconds=st.floats(0, 1e6), retry=st.integers(1, 10_000))
def test_a_pause_is_at_least_what_the_provider_asks_for(seconds: float, retry: int) -> None:
    """What the provider asks for is waited, and then the pause that there is anyway, so that not all come at once."""
    assert seconds + 0.25 <= pause_before(retry, unavailable(retry_after=seconds)) <= seconds + 8
