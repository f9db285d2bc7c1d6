"""The conformance kit passes what a walk can rely on, and names what it cannot."""

from __future__ import annotations

import asyncio
import time

import pytest

from stub_openai import KEY, stub_openai
from tocwalk.errors import CredentialError
from tocwalk.navigators.lexical import LexicalNavigator
from tocwalk.navigators.named import OpenAINavigator
from tocwalk.navigators.protocol import Decision, Navigator, NavigatorRequest, Pick, Usage
from tocwalk.state.operator import OperatorSettings
from tocwalk.testing import NavigatorReport, RandomNavigator, check_navigator

REJECT = Decision(action="reject")


class Good:
    """A navigator that does everything right; its faulty kin below do one thing wrong each."""

    def supports(self, model: str) -> bool:
        """Answer for one model."""
        return model == "test:model"

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Reject."""
        return REJECT


class Greedy(Good):
    """Claims every model."""

    def supports(self, model: str) -> bool:
        """Answer for all."""
        return True


class Slow(Good):
    """Does something slow to find out."""

    def supports(self, model: str) -> bool:
        """Take a while."""
        time.sleep(0.002)
        return super().supports(model)


class Unready(Good):
    """Has no key."""

    def check(self, model: str) -> None:
        """Say so."""
        raise CredentialError("no key")


class Inventive(Good):
    """Picks what was not offered."""

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Pick 99."""
        return Decision(action="pick", picks=(Pick(ref="99"),))


class FolderTaker(Good):
    """Takes whatever is first."""

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Take it."""
        return Decision(action="pick", picks=(Pick(ref=request.candidates[0].ref, action="take"),))


class TwoMinded(Good):
    """Rejects, with picks."""

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Do both."""
        return Decision(action="reject", picks=(Pick(ref="1"),))


class Loopy(Good):
    """Is bound to the event loop that it was first used on."""

    def __init__(self) -> None:
        """Know no loop yet."""
        self._loop: asyncio.AbstractEventLoop | None = None

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Insist on the first loop."""
        self._loop = self._loop or asyncio.get_running_loop()
        if self._loop is not asyncio.get_running_loop():
            raise RuntimeError("bound to a different event loop")
        return REJECT


class OneAtATime(Good):
    """Cannot be asked twice at once."""

    busy = False

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Refuse while busy."""
        if self.busy:
            raise RuntimeError("busy")
        self.busy = True
        await asyncio.sleep(0)
        self.busy = False
        return REJECT


class Heedless(Good):
    """Calls its model though the walk was cancelled."""

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Call."""
        return Decision(action="reject", usage=Usage(calls=1))


class Stubborn(Good):
    """Goes on when it is told to end."""

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Wait for ever."""
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                continue


def failed(report: NavigatorReport) -> list[str]:
    """Return the names of the checks that failed."""
    return [result.name for result in report.results if not result.passed]


@pytest.mark.parametrize(
    ("navigator", "model"),
    [(Good(), "test:model"), (LexicalNavigator(), "lexical:outline"), (RandomNavigator(), "test:random")],
)
def test_good_navigators_pass(navigator: Navigator, model: str) -> None:
    """What keeps to the protocol passes every check, and the report says so line by line."""
    report = check_navigator(navigator, model=model)

    assert report.passed, str(report)
    assert str(report).count("\nok") == len(report.results)


def test_a_model_over_http_passes() -> None:
    """The navigator for OpenAI's protocol passes against a server that answers well."""
    with stub_openai() as stub:
        operator = OperatorSettings.from_environment({"OPENAI_BASE_URL": stub.base_url, "OPENAI_API_KEY": KEY})
        report = check_navigator(OpenAINavigator(operator), model="openai:good")

    assert report.passed, str(report)


@pytest.mark.parametrize(
    ("navigator", "names", "said"),
    [
        (Greedy(), "supports its model and no other", "is not False"),
        (Slow(), "supports answers quickly", "no I/O"),
        (Unready(), "is ready to be asked", "CredentialError: no key"),
        (Inventive(), "decides: groups", "'99'"),
        (FolderTaker(), "decides: documents and folders", "folder"),
        (TwoMinded(), "decides: groups", "with picks"),
        (Loopy(), "decides: groups", "different event loop"),
        (OneAtATime(), "decides several offers at once", "busy"),
        (Heedless(), "asks no model once the walk is cancelled", "cancelled before"),
    ],
)
def test_faults_are_named(navigator: Navigator, names: str, said: str) -> None:
    """Each fault fails the check that is about it, with what was wrong."""
    report = check_navigator(navigator, model="test:model", timeout_s=5)

    details = {result.name: result.detail for result in report.results if not result.passed}
    assert said in details[names]
    assert not report.passed
    assert f"FAIL {names}" in str(report)


def test_a_navigator_that_never_ends_does_not_hold_up_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks of a navigator that ignores its cancellation are given up."""
    monkeypatch.setattr("tocwalk.testing.check._PROMPTLY_S", 0.05)
    monkeypatch.setattr("tocwalk.models.cancellation._FAREWELL_S", 0.05)

    report = check_navigator(Stubborn(), model="test:model", timeout_s=0.05)

    assert "ends promptly when its task is cancelled" in failed(report)


async def test_it_may_be_called_inside_a_running_loop() -> None:
    """A notebook or an async test can call it as it is."""
    assert check_navigator(Good(), model="test:model").passed
