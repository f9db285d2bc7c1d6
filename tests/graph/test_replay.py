"""Recorded walks, walked again without whoever decided."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.asking import PlaceNavigator, SmallIndex, context_of
from reference.strategies import Behaviour, behaviours, filters, forests
from reference.strategies import settings as walk_settings
from reference.trees import Forest, Node, to_documents
from tocwalk.errors import NavigatorError, ReplayError
from tocwalk.navigators.protocol import Cancellation, Decision, NavigatorRequest, Pick, Usage
from tocwalk.navigators.replay import ReplayNavigator
from tocwalk.state import WalkContext
from tocwalk.testing import FunctionNavigator, OracleNavigator

LEASE: Forest = {
    "lease": Node("Lease", sections=(Node("Rent", sections=(Node("Amount"), Node("Dates"))), Node("Repairs"))),
    "farm": Node("Farm", sections=(Node("Rent", sections=(Node("Amount"), Node("Dates"))), Node("Cows"))),
}


def replayed(small_index: SmallIndex, output: Any, request: dict[str, Any], context: WalkContext) -> Any:
    """Return what the walk of a record comes to; the record has been through JSON."""
    record = json.loads(json.dumps(output))
    return small_index.graph(ReplayNavigator(record)).invoke(request, context=context_of(context))


@settings(max_examples=150)
@given(
    forest=forests(tagged=True),
    context=walk_settings(offer_tokens=st.sampled_from((100, 150, 300, 3000, 100_000))),
    decide=behaviours(),
    wanted=st.one_of(st.none(), filters()),
)
def test_a_replay_gives_the_same_bytes(
    forest: Forest, context: WalkContext, decide: Behaviour, wanted: dict[str, Any] | None, small_index: SmallIndex
) -> None:
    """Whatever was decided, dropped, rejected or survived, in windows and groups, within whatever budget."""
    request = {"query": "?", "corpus": small_index.store(forest), "filters": wanted}
    try:
        output = small_index.graph(PlaceNavigator(forest, decide)).invoke(request, context=context_of(context))
    except NavigatorError:
        return  # there is nothing to record
    assert json.dumps(replayed(small_index, output, request, context)) == json.dumps(output)


@settings(max_examples=50)
@given(forest=forests(), context=walk_settings(), data=st.data(), errors=st.sampled_from((0.0, 0.2, 0.6)))
def test_a_replay_of_an_oracles_walk_gives_the_same_bytes(
    forest: Forest, context: WalkContext, data: st.DataObject, errors: float, small_index: SmallIndex
) -> None:
    """The same of who knows the answer, and of who errs on the way."""
    documents = to_documents(forest)
    ids = [section.id for document in documents for section in document.sections]
    gold = data.draw(st.lists(st.sampled_from(ids), max_size=4))
    oracle = OracleNavigator({"?": gold}, documents, error_rate=errors)
    request = {"query": "?", "corpus": small_index.store(forest)}
    output = small_index.graph(oracle).invoke(request, context=context_of(context))
    assert json.dumps(replayed(small_index, output, request, context)) == json.dumps(output)


def first_two(request: NavigatorRequest) -> Decision:
    """Open the first two candidates that have something below them, or take the first."""
    inner = [Pick(ref=c.ref) for c in request.candidates if c.has_children and c.openable][:2]
    first = next(c.ref for c in request.candidates if c.takeable)
    usage = Usage(calls=1, input_tokens=900, output_tokens=100)
    return Decision(action="pick", picks=tuple(inner) or (Pick(ref=first, action="take"),), usage=usage)


@pytest.fixture
def recorded(small_index: SmallIndex) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a request, and the record of its walk in single levels."""
    request = {"query": "How much?", "corpus": small_index.store(LEASE)}
    return request, small_index.graph(FunctionNavigator(first_two)).invoke(request, context={"offer_levels": 1})


Recorded = tuple[dict[str, Any], dict[str, Any]]


@pytest.mark.parametrize("limit", [{"max_tokens": 9500}, {"max_tokens": 9000, "parallel": 1}, {"max_visits": 2}])
def test_budgets_end_a_replay_where_they_ended_the_walk(limit: dict[str, Any], small_index: SmallIndex) -> None:
    """A replay spends on record what the walk has spent, so that the same budget ends it at the same point."""
    request = {"query": "How much?", "corpus": small_index.store(LEASE)}
    context = {"offer_levels": 1, **limit}
    output = small_index.graph(FunctionNavigator(first_two)).invoke(request, context=context)
    assert output["stop_reason"] == "BUDGET_EXHAUSTED"
    assert small_index.graph(ReplayNavigator(output)).invoke(request, context=context) == output


def test_a_record_can_be_replayed_more_than_once(recorded: Recorded, small_index: SmallIndex) -> None:
    """One navigator serves any number of walks."""
    request, output = recorded
    graph = small_index.graph(ReplayNavigator(output))
    assert [graph.invoke(request, context={"offer_levels": 1}) for _ in range(2)] == [output, output]


async def test_a_failure_is_replayed_at_once(small_index: SmallIndex) -> None:
    """A failure that was survived is survived again, without the pauses of asking again."""
    asked: list[str] = []

    def fails(request: NavigatorRequest) -> Decision:
        asked.append(request.current.title)
        if request.current.title == "Farm":
            raise NavigatorError("gone home", reason="unavailable", connection_lost=True)
        return first_two(request)

    request = {"query": "How much?", "corpus": small_index.store(LEASE)}
    context = {"offer_levels": 1, "on_failure": "partial"}
    output = await small_index.graph(FunctionNavigator(fails)).ainvoke(request, context=context)
    assert asked.count("Farm") == 2
    assert [failure["reason"] for failure in output["failures"]] == ["unavailable"]
    assert await small_index.graph(ReplayNavigator(output)).ainvoke(request, context=context) == output


@pytest.mark.parametrize(
    ("context", "said"),
    [({"offer_levels": 2}, "is not offered as it was recorded"), ({"offer_levels": 1, "max_visits": 9}, "visits left")],
    ids=["other offers", "other budget"],
)
def test_other_settings_do_not_fit(
    context: dict[str, Any], said: str, recorded: Recorded, small_index: SmallIndex
) -> None:
    """With settings that lead elsewhere the replay ends with an error, under the policy `partial` too."""
    request, output = recorded
    with pytest.raises(ReplayError, match=said):
        small_index.graph(ReplayNavigator(output)).invoke(request, context={**context, "on_failure": "partial"})


def test_a_changed_document_does_not_fit(recorded: Recorded, small_index: SmallIndex) -> None:
    """A section that came, went or is called otherwise is noticed where it would have been offered."""
    _, output = recorded
    changed = {**LEASE, "lease": Node("Lease", sections=(Node("Rent per month"), Node("Repairs")))}
    request = {"query": "How much?", "corpus": small_index.store(changed)}
    with pytest.raises(ReplayError, match="What is below the corpus is not offered as it was recorded"):
        small_index.graph(ReplayNavigator(output)).invoke(request, context={"offer_levels": 1})


def test_another_question_does_not_fit(recorded: Recorded, small_index: SmallIndex) -> None:
    """A record that holds its question, as the command prints it, is of that question alone."""
    request, output = recorded
    navigator = ReplayNavigator({**output, "query": "How much?"})
    with pytest.raises(ReplayError, match="'How much\\?', not of 'How many\\?'"):
        small_index.graph(navigator).invoke({**request, "query": "How many?"}, context={"offer_levels": 1})


class Stopping:
    """Opens the first two candidates; at the place with a title it cancels the walk and never answers."""

    def __init__(self, title: str) -> None:
        """Take the title of the place."""
        self.token = Cancellation()
        self._title = title

    def supports(self, model: str) -> bool:
        """Answer for every model."""
        return True

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Decide, or stop the walk."""
        if request.current.title != self._title:
            return first_two(request)
        request.ledger.note(Usage(calls=1, input_tokens=77, estimated=True))
        self.token.cancel()
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("parallel", [1, 4])
@pytest.mark.parametrize("title", ["", "Farm", "Rent"], ids=["corpus", "document", "section"])
def test_a_walk_that_was_cancelled_is_cancelled_again(title: str, parallel: int, small_index: SmallIndex) -> None:
    """Calls that were in flight are cancelled in the replay too; what was answered beside them is applied."""
    corpus = small_index.store(LEASE)
    request = {"query": "How much?", "corpus": corpus}
    navigator = Stopping(title or corpus)
    context = {"offer_levels": 1, "parallel": parallel}
    config: Any = {"configurable": {"cancellation": navigator.token}}
    output = small_index.graph(navigator).invoke(request, config, context=context)
    assert (output["stop_reason"], output["usage"]["estimated"]) == ("CANCELLED", True)
    assert small_index.graph(ReplayNavigator(output)).invoke(request, context=context) == output


def test_a_walk_that_was_cancelled_between_steps_says_so(small_index: SmallIndex) -> None:
    """Cancelled in the same way it comes to the same; else the replay ends with an error that says why."""
    request = {"query": "How much?", "corpus": small_index.store(LEASE)}
    output = small_index.graph(FunctionNavigator(first_two)).invoke({**request, "cancel": True})
    graph = small_index.graph(ReplayNavigator(output))
    assert graph.invoke({**request, "cancel": True}) == output
    with pytest.raises(ReplayError, match="cancelled between two steps"):
        graph.invoke(request)


def _without(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda output: {name: value for name, value in output.items() if name != key}


def _with_step(**changes: Any) -> Callable[[dict[str, Any]], Any]:
    def changed(output: dict[str, Any]) -> dict[str, Any]:
        return {**output, "trace": [{**step, **changes} for step in copy.deepcopy(output["trace"])]}

    return changed


@pytest.mark.parametrize(
    "changed",
    [
        lambda output: output["trace"],
        lambda output: None,
        _without("trace"),
        _without("failures"),
        _with_step(decision="shrug"),
        _with_step(visits_left="3"),
        _with_step(offer=None),
        _with_step(chosen=[{"ref": 1}]),
        _with_step(decision="error"),
        lambda output: {**output, "stop_reason": "INDEX_CHANGED"},
    ],
    ids=["list", "nothing", "no trace", "no failures", "decision", "visits", "offer", "pick", "error", "index"],
)
def test_what_is_no_record_is_refused(changed: Callable[[dict[str, Any]], Any], recorded: Recorded) -> None:
    """What no run has returned, and what ended because its index had changed, is refused before any walk."""
    with pytest.raises(ReplayError, match=r"is no record of a walk|had changed \(INDEX_CHANGED\)"):
        ReplayNavigator(changed(recorded[1]))
