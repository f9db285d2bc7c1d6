"""The conformance kit: whether a navigator, whoever wrote it, does what a walk relies on."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeAlias

from tocwalk.navigators.protocol import Candidate, Decision, Navigator, NavigatorRequest
from tocwalk.navigators.registry import check_model
from tocwalk.navigators.retry import decide_within
from tocwalk.testing.sample_offers import sample_offers

__all__ = ["CheckResult", "NavigatorReport", "check_navigator"]

_PROMPTLY_S = 2.0
_QUICK_CALLS, _QUICK_S = 1000, 1.0
_FOREIGN = ("", " ", "no-such-provider:no-such-model", "no-such-provider")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one check."""

    name: str
    passed: bool
    detail: str = ""
    """What was wrong."""


@dataclass(frozen=True, slots=True)
class NavigatorReport:
    """What came of all checks; printed, one line for each."""

    model: str
    results: tuple[CheckResult, ...]

    @property
    def passed(self) -> bool:
        """Whether all checks passed."""
        return all(result.passed for result in self.results)

    def __str__(self) -> str:
        lines = [
            f"{'ok  ' if r.passed else 'FAIL'} {r.name}{f': {r.detail}' if r.detail else ''}" for r in self.results
        ]
        return "\n".join([f"Navigator for {self.model!r}:", *lines])


def check_navigator(navigator: Navigator, *, model: str, timeout_s: float = 60.0) -> NavigatorReport:
    """Try a navigator on offers of every kind and report what a walk could not rely on.

    It makes about 25 decisions, so a model behind the navigator is called as often. It may be called from anywhere,
    inside a running event loop too, and blocks until it is done.

    Args:
        navigator: What is tried.
        model: A model that it supports, and can reach from here.
        timeout_s: Seconds for one decision, retries included.

    Returns:
        One result per check; `report.passed` says whether all are well.
    """
    trial = _Trial(navigator, model, timeout_s)
    limit_s = 4 * timeout_s + 2 * _PROMPTLY_S  # the longest check makes three decisions, one after the other
    return NavigatorReport(model, tuple(_result(name, check, limit_s=limit_s) for name, check in trial.checks()))


_Check: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


class _FaultError(Exception):
    """A check failed; the message says how."""


class _Trial:
    """The checks of one navigator. Each raises what is wrong."""

    def __init__(self, navigator: Navigator, model: str, timeout_s: float) -> None:
        self.navigator = navigator
        self.model = model
        self.timeout_s = timeout_s
        self.requests = [offer.request(model) for offer in sample_offers()]

    def checks(self) -> list[tuple[str, _Check]]:
        """Return the checks with their names, in the order in which they are made."""
        return [
            ("supports its model and no other", self.supports),
            ("supports answers quickly", self.supports_quickly),
            ("is ready to be asked", self.ready),
            *((f"decides: {offer.name}", self.decides(offer.request(self.model))) for offer in sample_offers()),
            ("decides several offers at once", self.several_at_once),
            ("decides on several event loops, one after the other and at once", self.several_loops),
            ("asks no model once the walk is cancelled", self.cancelled_before),
            ("ends promptly when its task is cancelled", self.cancelled_during),
        ]

    async def supports(self) -> None:
        if self.navigator.supports(self.model) is not True:
            raise _FaultError(f"supports({self.model!r}) is not True")
        for foreign in _FOREIGN:
            if self.navigator.supports(foreign) is not False:
                raise _FaultError(f"supports({foreign!r}) is not False")

    async def supports_quickly(self) -> None:
        begun = time.perf_counter()
        for _ in range(_QUICK_CALLS):
            self.navigator.supports(self.model)
        taken = time.perf_counter() - begun
        if taken > _QUICK_S:
            raise _FaultError(f"{_QUICK_CALLS} calls took {taken:.1f} s: it must do no I/O")

    async def ready(self) -> None:
        check_model(self.navigator, self.model)

    def decides(self, request: NavigatorRequest) -> _Check:
        async def check() -> None:
            _verify(await decide_within(self.navigator, request, timeout_s=self.timeout_s), request)

        return check

    async def several_at_once(self) -> None:
        await asyncio.gather(*(self.decides(request)() for request in self.requests))

    async def several_loops(self) -> None:
        check = self.decides(self.requests[1])
        for _ in range(2):
            await asyncio.to_thread(asyncio.run, check())
        await asyncio.gather(*(asyncio.to_thread(asyncio.run, check()) for _ in range(3)))

    async def cancelled_before(self) -> None:
        request = self.requests[1]
        request.cancellation.cancel()
        task = asyncio.ensure_future(self.navigator.decide(request))
        await asyncio.wait({task}, timeout=_PROMPTLY_S)
        if not task.done():
            raise _FaultError(
                f"decide() was still running {_PROMPTLY_S:g} s after it was called with a cancelled token"
            )
        if not task.cancelled() and task.exception() is None and task.result().usage.calls:
            raise _FaultError("decide() called a model though the token was cancelled before")

    async def cancelled_during(self) -> None:
        request = sample_offers()[1].request(self.model)
        task = asyncio.ensure_future(self.navigator.decide(request))
        await asyncio.wait({task}, timeout=0.01)
        request.cancellation.cancel()
        task.cancel()
        await asyncio.wait({task}, timeout=_PROMPTLY_S)
        if not task.done():
            raise _FaultError(f"decide() was still running {_PROMPTLY_S:g} s after its task was cancelled")


def _verify(decision: Decision, request: NavigatorRequest) -> None:
    """Raise unless `decision` is one that the rules allow for this offer."""
    if decision.action not in ("pick", "stop", "reject"):
        raise _FaultError(f"the action is {decision.action!r}, not pick, stop or reject")
    if decision.picks and decision.action != "pick":
        raise _FaultError(f"{decision.action!r} comes with picks: {decision.picks!r}")
    offered = {candidate.ref: candidate for candidate in request.candidates}
    for pick in decision.picks:
        if pick.ref not in offered:
            raise _FaultError(f"picked {pick.ref!r}, which was not offered")
        if not _possible(offered[pick.ref], pick.action):
            raise _FaultError(f"{pick.action!r} of {pick.ref!r}, a {offered[pick.ref].kind}, is not possible")


def _possible(candidate: Candidate, action: str) -> bool:
    return (action == "take" and candidate.takeable) or (action == "open" and candidate.openable)


def _result(name: str, check: _Check, *, limit_s: float) -> CheckResult:
    """Run one check on an event loop of its own, in a thread that is left behind if it never ends."""
    raised: list[BaseException] = []
    ended = threading.Event()

    async def body() -> None:
        try:
            await check()
        except BaseException as error:  # noqa: BLE001 - a stranger's code may raise anything; it is reported
            raised.append(error)
        ended.set()

    threading.Thread(target=asyncio.run, args=(body(),), name="tocwalk-check-navigator", daemon=True).start()
    if not ended.wait(limit_s):
        return CheckResult(name, False, f"it had not ended after {limit_s:g} s")
    return CheckResult(name, not raised, _described(raised[0]) if raised else "")


def _described(error: BaseException) -> str:
    return str(error) if isinstance(error, _FaultError) else f"{type(error).__name__}: {error}"
