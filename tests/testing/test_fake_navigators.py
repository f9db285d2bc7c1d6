"""Navigators that call no model."""

from __future__ import annotations

import asyncio
import os

import pytest

from tocwalk.errors import NavigatorError
from tocwalk.models.openai import FORBID_REAL_MODELS
from tocwalk.navigators.protocol import Candidate, Decision, Navigator, NavigatorRequest, Pick
from tocwalk.testing import FunctionNavigator, RandomNavigator, ScriptedNavigator, forbid_real_models
from tocwalk.testing.sample_offers import sample_offers

STOP, REJECT = Decision(action="stop"), Decision(action="reject")
DOCUMENTS, LEASE, SECTION, GROUPS, IN_GROUP, *_ = (offer.request("test:scripted") for offer in sample_offers())


def ask(navigator: Navigator, request: NavigatorRequest) -> Decision:
    """Ask once."""
    return asyncio.run(navigator.decide(request))


def picking(*names: str) -> Decision:
    """Return a decision that takes these."""
    return Decision(action="pick", picks=tuple(Pick(ref=name, action="take") for name in names))


def refs(decision: Decision) -> list[str]:
    """Return what was picked."""
    return [pick.ref for pick in decision.picks]


def test_a_script_is_followed_in_order() -> None:
    """Whatever is opened gets the next step; what was asked is remembered."""
    navigator = ScriptedNavigator([STOP, REJECT])

    assert [ask(navigator, LEASE), ask(navigator, DOCUMENTS)] == [STOP, REJECT]
    assert navigator.requests == [LEASE, DOCUMENTS]


def test_a_script_may_be_written_by_place() -> None:
    """Each place has steps of its own, so that calls at once get the right ones; groups are places too."""
    steps = {"": [STOP], "Lease of the mill": [REJECT, STOP], "Lease of the mill[1-12]": [STOP]}
    navigator = ScriptedNavigator(steps)

    assert ask(navigator, LEASE) == REJECT
    assert ask(navigator, IN_GROUP) == STOP
    assert ask(navigator, DOCUMENTS) == STOP
    assert ask(navigator, GROUPS) == STOP


@pytest.mark.parametrize("script", [[], {"": [STOP]}, {"Lease of the mill": []}])
def test_a_script_that_is_over_says_so(script: list[Decision] | dict[str, list[Decision]]) -> None:
    """A question that the script did not expect is an error that names the place."""
    with pytest.raises(NavigatorError, match="'Lease of the mill'"):
        ask(ScriptedNavigator(script), LEASE)


def test_a_script_may_raise() -> None:
    """An exception in the script is raised."""
    with pytest.raises(TimeoutError):
        ask(ScriptedNavigator([TimeoutError("late")]), LEASE)


def test_picks_may_be_named_by_titles() -> None:
    """A pick is a ref or the titles below what is opened; what means nothing, or two things, is kept as it is."""
    named = picking("2.1", "Rent", "Ending the lease/Notice by the landlord", "Nowhere", "Notice by the tenant")

    assert refs(ask(ScriptedNavigator([named]), LEASE)) == ["2.1", "1", "2.2", "Nowhere", "Notice by the tenant"]
    assert refs(ask(ScriptedNavigator([picking("Same title")]), SECTION)) == ["Same title"]


def test_a_function_may_be_plain_or_async() -> None:
    """Both kinds of function are asked."""

    async def later(_request: NavigatorRequest) -> Decision:
        return STOP

    assert ask(FunctionNavigator(lambda _: REJECT), LEASE) == REJECT
    assert ask(FunctionNavigator(later), LEASE) == STOP


def test_chance_is_reproducible_whatever_the_order() -> None:
    """The same seed and offer give the same decision; other seeds, questions and offers give others."""
    offers = [offer.request("test:random") for offer in sample_offers()]
    forwards = RandomNavigator(1)
    backwards = RandomNavigator(1)

    first = [ask(forwards, request) for request in offers]
    second = [ask(backwards, request) for request in reversed(offers)]

    assert first == second[::-1]
    assert first != [ask(RandomNavigator(2), request) for request in offers]


def test_chance_keeps_to_the_rules() -> None:
    """Over many seeds every action occurs, and only what is offered is picked, as it may be."""
    offered: dict[str, Candidate] = {candidate.ref: candidate for candidate in DOCUMENTS.candidates}
    decisions = [ask(RandomNavigator(seed), DOCUMENTS) for seed in range(60)]

    assert {decision.action for decision in decisions} == {"pick", "stop", "reject"}
    for pick in (pick for decision in decisions for pick in decision.picks):
        assert offered[pick.ref].takeable or pick.action == "open"


@pytest.mark.parametrize("navigator", [ScriptedNavigator([]), FunctionNavigator(lambda _: STOP), RandomNavigator()])
def test_fakes_support_their_own_model_only(
    navigator: ScriptedNavigator | FunctionNavigator | RandomNavigator,
) -> None:
    """A fake is a navigator like any other: it answers for one model, whose name can be chosen."""
    assert isinstance(navigator, Navigator)
    assert navigator.supports(navigator.model)
    assert not navigator.supports("openai:gpt-5-mini")
    assert ScriptedNavigator([], model="mine:own").supports("mine:own")


def test_real_models_can_be_forbidden_in_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The function sets the variable that the built-in navigators look at."""
    monkeypatch.setenv(FORBID_REAL_MODELS, "0")

    forbid_real_models()

    assert os.environ[FORBID_REAL_MODELS] == "1"
