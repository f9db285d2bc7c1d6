"""What is refused before a walk begins, whatever the failure policy; and what counts as input."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reference.asking import SmallIndex
from reference.trees import Node
from tocwalk.errors import (
    ConfigurationError,
    CredentialError,
    InputError,
    NavigatorError,
    NavigatorResolutionError,
    NotFoundError,
    SettingsError,
)
from tocwalk.graph import build_retrieval_graph
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick, Usage
from tocwalk.state import WalkContext
from tocwalk.state.operator import OperatorSettings, Price
from tocwalk.testing.fakes import FunctionNavigator

TWO = Node("Two", sections=(Node("Left", sections=(Node("a"), Node("b"))), Node("Right")))


def take_all(request: NavigatorRequest) -> Decision:
    """Take every leaf, open the rest; each call costs a thousand tokens."""
    picks = [Pick(ref=c.ref, action="open" if c.has_children else "take") for c in request.candidates if c.ref != "0"]
    return Decision(action="pick", picks=tuple(picks), usage=Usage(calls=1, input_tokens=900, output_tokens=100))


@pytest.fixture
def corpus(small_index: SmallIndex) -> str:
    """Return the corpus of a small document."""
    return small_index.store({"two": TWO})


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"query": ""}, "query=''"),
        ({"query": "   "}, "blank"),
        ({"query": None}, "query"),
        ({}, "query"),
        ({"query": "?", "visits": -1}, "visits.*-1"),
        ({"query": "?", "visits": 2.5}, "visits.*2.5"),
        ({"query": "?", "visits": "many"}, "visits.*'many'"),
        ({"query": "?", "visits": True}, "visits.*True"),
        ({"query": "?", "filters": {"a": {"b": 1}}}, "used: filters.a: A filter is text.*'one of', got {'b': 1}"),
        ({"query": "?", "only_documents": "two"}, "only_documents.*'two'"),
        ({"query": "?", "cancel": "yes"}, "cancel.*'yes'"),
        ({"query": "why " * 10_000}, "40000 characters"),
        ({"query": "?", "filters": {f"section.{i}": 1 for i in range(65)}}, "65 filters"),
        ({"query": "?", "filters": {"a": float("nan")}}, "nan"),
    ],
)
def test_input_that_cannot_be_used(small_index: SmallIndex, corpus: str, given: dict[str, Any], named: str) -> None:
    """The error names the key and the value."""
    graph = small_index.graph(FunctionNavigator(take_all))
    with pytest.raises(InputError, match=named):
        graph.invoke({"corpus": corpus, **given}, context={"on_failure": "partial"})


@pytest.mark.parametrize("given", ["When is an invoice due?", ["a question"], 7, "x" * 100_000])
async def test_input_without_keys(small_index: SmallIndex, corpus: str, given: Any) -> None:
    """A question that is handed over alone is refused with the keys there are, in few words, in both ways to call."""
    graph = small_index.graph(FunctionNavigator(take_all))
    with pytest.raises(InputError, match=r"with keys \(query, .*\), got") as refused:
        graph.invoke(given)
    assert len(str(refused.value)) < 400
    with pytest.raises(InputError, match=r"with keys \(query, .*\), got"):
        await graph.ainvoke(given)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"max_depth": -1}, "max_depth"),
        ({"parallel": 0}, "parallel"),
        ({"max_visits": 1001}, "max_visits"),
        ({"decide_timeout_s": float("nan")}, "decide_timeout_s"),
        ({"offer_tokens": 1}, "offer_tokens"),
        ({"max_visits": "3"}, "max_visits"),
        ({"max_tokens": 2**70}, "max_tokens"),
        ({"max_cost": True}, "max_cost"),
        ({"backtrack": "yes"}, "backtrack"),
        ({"step": True}, "checkpointer"),
        ({"max_result": 3}, "max_result"),
    ],
)
def test_settings_out_of_bounds(small_index: SmallIndex, corpus: str, settings: dict[str, Any], named: str) -> None:
    """The error names the setting."""
    graph = small_index.graph(FunctionNavigator(take_all))
    with pytest.raises(SettingsError, match=named):
        graph.invoke({"query": "?", "corpus": corpus}, context=settings)


def test_a_corpus_that_is_not_there(small_index: SmallIndex) -> None:
    """The error names it."""
    with pytest.raises(NotFoundError, match="nowhere"):
        small_index.graph(FunctionNavigator(take_all)).invoke({"query": "?", "corpus": "nowhere"})


@pytest.mark.parametrize(
    ("model", "error"),
    [
        ("", SettingsError),
        ("  ", SettingsError),
        ("nobody:knows", NavigatorResolutionError),
        ("openai:gpt-5-mini", CredentialError),
    ],
)
def test_a_model_that_cannot_be_used(
    small_index: SmallIndex, corpus: str, model: str, error: type[ConfigurationError]
) -> None:
    """It is refused before the first visit, under `partial` too; the errors are ValueErrors."""
    graph = build_retrieval_graph(index=small_index.index, operator=OperatorSettings())
    with pytest.raises(error) as raised:
        graph.invoke({"query": "?", "corpus": corpus}, context={"navigator_model": model, "on_failure": "partial"})
    assert isinstance(raised.value, ValueError)


def test_the_operator_s_allow_list_and_ceiling_count(small_index: SmallIndex, corpus: str) -> None:
    """A context can neither name a model that is not allowed nor raise the budget above the ceiling."""
    graph = build_retrieval_graph(
        index=small_index.index, operator=OperatorSettings(models=("lexical:*",), max_visits=3)
    )
    with pytest.raises(NavigatorResolutionError, match="lexical"):
        graph.invoke({"query": "?", "corpus": corpus}, context={"navigator_model": "openai:gpt-5-mini"})
    output = graph.invoke({"query": "left", "corpus": corpus, "visits": 500}, context={"max_visits": 900})
    assert output["remaining_visits"] + output["usage"]["visits"] == 3


def test_a_navigator_given_in_code_does_not_serve_other_models(small_index: SmallIndex, corpus: str) -> None:
    """A model named in the context that the graph's own navigator does not support is an error, not ignored."""
    graph = small_index.graph(FunctionNavigator(take_all, model="mine"))
    with pytest.raises(NavigatorResolutionError, match="other:model"):
        graph.invoke({"query": "?", "corpus": corpus}, context={"navigator_model": "other:model"})


class _Blocking:
    """A navigator as somebody writes it who has not heard of async, and who gives it no name of a model."""

    def supports(self, model: str) -> bool:
        return model == "mine"

    def decide(self, request: NavigatorRequest) -> Decision:
        if request.query == "fail":
            raise LookupError(request.model)
        return Decision(action="stop")


def test_a_navigator_given_in_code_is_called_by_its_own_name(small_index: SmallIndex, corpus: str) -> None:
    """Errors name its class, not the model that is the default; one whose `decide` is not async is told to be."""
    graph = small_index.graph(_Blocking())
    with pytest.raises(NavigatorError, match="^'_Blocking' decides without being awaited: write `async def decide`"):
        graph.invoke({"query": "?", "corpus": corpus})
    with pytest.raises(NavigatorError, match="^'_Blocking' failed: LookupError: _Blocking"):
        graph.invoke({"query": "fail", "corpus": corpus})


def test_a_walk_that_failed_says_where(small_index: SmallIndex) -> None:
    """Where the first offer was that of the whole corpus, the error names the corpus."""
    corpus = small_index.store({"two": TWO, "three": TWO})
    with pytest.raises(NavigatorError, match=f"no decision on the corpus '{corpus}' "):
        small_index.graph(_Blocking()).invoke({"query": "?", "corpus": corpus}, context={"on_failure": "partial"})


@pytest.mark.parametrize(
    "context",
    [
        None,
        {},
        {"max_results": 1},
        WalkContext(max_results=1),
    ],
)
def test_context_comes_in_every_form(small_index: SmallIndex, corpus: str, context: Any) -> None:
    """None, a mapping or settings: what is left out has its default."""
    output = small_index.graph(FunctionNavigator(take_all)).invoke({"query": "?", "corpus": corpus}, context=context)
    assert len(output["sections"]) == (1 if context else 3)


@pytest.mark.parametrize("context", [5, "x", [], object])
def test_what_cannot_be_a_context_is_refused(context: Any) -> None:
    """It does not silently mean the defaults."""
    with pytest.raises(SettingsError):
        WalkContext.of(context)


@pytest.mark.parametrize("context", [{"max_results": 1, "colour": "red"}, SimpleNamespace(max_results=1, colour="red")])
def test_a_parent_s_own_context_gives_what_it_shares(context: Any) -> None:
    """Of a parent graph's context only the settings of a walk are looked at."""
    assert WalkContext.of(context) == WalkContext(max_results=1)


def test_a_token_budget_ends_the_walk(small_index: SmallIndex, corpus: str) -> None:
    """What the next call is estimated at must still fit; the trace names the limit."""
    graph = small_index.graph(FunctionNavigator(take_all))
    settings = {"max_tokens": 2500, "offer_tokens": 1000, "offer_levels": 1}
    output = graph.invoke({"query": "?", "corpus": corpus}, context=settings)
    assert output["usage"]["input_tokens"] + output["usage"]["output_tokens"] == 1000
    assert output["stop_reason"] == "BUDGET_EXHAUSTED"
    (end,) = [step for step in output["trace"] if step["event"] == "end"]
    assert end == {
        "event": "end",
        "id": "two/left",
        "reason": "BUDGET_EXHAUSTED",
        "landed": True,
        "limit": "max_tokens",
    }


def test_a_money_budget_ends_the_walk(small_index: SmallIndex, corpus: str) -> None:
    """Money is counted by the operator's prices."""
    operator = OperatorSettings(prices={"paid:model": Price(input=1000.0, output=2000.0)})
    navigator = FunctionNavigator(take_all, model="paid:model")
    graph = build_retrieval_graph(index=small_index.index, navigator=navigator, operator=operator)
    settings = {"max_cost": 3.0, "offer_tokens": 1000, "offer_levels": 1, "navigator_model": "paid:model"}
    output = graph.invoke({"query": "?", "corpus": corpus}, context=settings)
    assert output["usage"]["cost"] == pytest.approx(1.1)
    assert output["stop_reason"] == "BUDGET_EXHAUSTED"
    assert output["trace"][-1]["limit"] == "max_cost"


def test_a_money_budget_without_a_price_is_refused(small_index: SmallIndex, corpus: str) -> None:
    """A limit that could not be kept is an error before the walk."""
    navigator = FunctionNavigator(take_all, model="paid:model")
    graph = build_retrieval_graph(index=small_index.index, navigator=navigator, operator=OperatorSettings())
    with pytest.raises(SettingsError, match="TOCWALK_PRICES"):
        graph.invoke({"query": "?", "corpus": corpus}, context={"max_cost": 3.0, "navigator_model": "paid:model"})
