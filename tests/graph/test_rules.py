"""The graph against the worked examples and against the reference model of the rules."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.asking import PlaceNavigator, SmallIndex, context_of
from reference.cases import Case, check, load
from reference.compare import assert_same, outcome_of
from reference.model import run
from reference.places import Candidate, Offer, Place, levels_offer
from reference.strategies import Behaviour, behaviours, filters, forests
from reference.strategies import settings as walk_settings
from reference.trees import Forest
from tocwalk.errors import NavigatorError
from tocwalk.state import WalkContext
from tocwalk.walk.items import Item, group_item
from tocwalk.walk.view import WalkView
from tocwalk.walk.window import build_offer

CASES = load()
GROUP = re.compile(r"\[\d+-\d+\]$")
ABSENT = pytest.param(None, marks=pytest.mark.skip("There are no worked examples; set TOCWALK_SHARED to their folder."))


def ask(graph: Any, request: dict[str, Any], context: WalkContext) -> Any:
    """Run the graph; an error of the navigator is a result."""
    try:
        return graph.invoke(request, context=context_of(context))
    except NavigatorError as error:
        return error


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES] or [ABSENT])
def test_case(case: Case, small_index: SmallIndex) -> None:
    """The graph gives every worked example the result it is printed with."""
    script = case.script()
    request = {
        "query": "What does the script say?",
        "corpus": small_index.store(case.forest),
        "visits": case.visits,
        "cancel": case.cancel,
        "only_documents": case.only_documents,
    }
    output = ask(small_index.graph(PlaceNavigator(case.forest, script)), request, case.settings)
    check(case, outcome_of(output), script)


@settings(max_examples=150)
@given(
    forest=forests(tagged=True),
    context=walk_settings(),
    decide=behaviours(),
    wanted=st.one_of(st.none(), filters()),
)
def test_graph_follows_the_rules(
    forest: Forest, context: WalkContext, decide: Behaviour, wanted: dict[str, Any] | None, small_index: SmallIndex
) -> None:
    """Whatever the documents, the settings and the navigator do: graph and model come to the same."""
    expected = run(forest, context, filters=wanted, offer=levels_offer(context), decide=decide)
    request = {"query": "?", "corpus": small_index.store(forest), "filters": wanted}
    assert_same(expected, ask(small_index.graph(PlaceNavigator(forest, decide)), request, context))


@settings(max_examples=100)
@given(
    forest=forests(),
    context=walk_settings(offer_tokens=st.integers(100, 300)),
    decide=behaviours(),
)
def test_graph_follows_the_rules_with_groups(
    forest: Forest, context: WalkContext, decide: Behaviour, small_index: SmallIndex
) -> None:
    """The same where offers are too small for their sections, so that these come in groups."""
    corpus = small_index.store(forest)
    expected = run(forest, context, offer=real_offer(small_index, corpus, context), decide=decide)
    request = {"query": "?", "corpus": corpus}
    assert_same(expected, ask(small_index.graph(PlaceNavigator(forest, decide)), request, context))


@settings(max_examples=25)
@given(forest=forests(60), context=walk_settings(), decide=behaviours(), seed=st.integers(0, 1000))
def test_result_does_not_depend_on_who_answers_first(
    forest: Forest, context: WalkContext, decide: Behaviour, seed: int, small_index: SmallIndex
) -> None:
    """Calls that run at the same time may end in any order: the output is the same, byte for byte."""
    request = {"query": "?", "corpus": small_index.store(forest)}
    late = random.Random(seed)
    jittered = PlaceNavigator(forest, decide, jitter=lambda: late.random() / 200)
    first = ask(small_index.graph(PlaceNavigator(forest, decide)), request, context)
    second = ask(small_index.graph(jittered), request, context)
    if isinstance(first, Exception):
        assert str(first) == str(second)
    else:
        assert first == second


@settings(max_examples=60)
@given(forest=forests(), context=walk_settings(offer_tokens=st.integers(100, 3000)), decide=behaviours())
def test_the_trace_accounts_for_every_section(
    forest: Forest, context: WalkContext, decide: Behaviour, small_index: SmallIndex
) -> None:
    """Whatever comes back was landed by a step on record, in a place that a step on record led to."""
    request = {"query": "?", "corpus": small_index.store(forest)}
    output = ask(small_index.graph(PlaceNavigator(forest, decide)), request, context)
    if isinstance(output, Exception):
        return
    reached, landed = set[str](), set[str]()
    for step in output["trace"]:
        if step["event"] == "start":
            reached.add(step["id"])
            landed |= {step["id"]} if "ended" in step else set()
        elif step["event"] == "open":
            assert step["id"] in reached
            reached |= {pick["id"] for pick in step["chosen"]}
            landed |= {pick["id"] for pick in step["chosen"] if "landed" in pick} | {step.get("landed")}
        elif step["event"] == "end" and step["landed"]:
            assert step["id"] in reached
            landed.add(GROUP.sub("", step["id"]))
    assert {section["id"] for section in output["sections"]} <= landed
    assert all(section["score"] == 1.0 and section["text"] for section in output["sections"])
    spent = output["usage"]["visits"]
    assert spent == sum(step["event"] == "open" for step in output["trace"]) <= context.max_visits
    assert spent + output["remaining_visits"] == context.max_visits


def real_offer(small_index: SmallIndex, corpus: str, context: WalkContext) -> Offer:
    """Return the window that the graph uses, as an offer of the model."""
    view = small_index.view(corpus, max_depth=context.max_depth)
    items = dict(_all_items(view, view.catalog.corpus))

    def offer(place: Place, excluded: frozenset[str]) -> Sequence[Candidate]:
        opened = items[place.id] if place.id in items else _group(view, items, place)
        built = build_offer(
            view,
            opened,
            rejected=[items[id_].place for id_ in sorted(excluded) if id_ in items],
            tokens=context.offer_tokens,
            levels=context.offer_levels,
        )
        return [
            Candidate(ref=entry.candidate.ref, place=entry.item.id, kind=entry.item.kind, range=_range(entry.item))
            for entry in built.entries
        ]

    return offer


def _all_items(view: WalkView, item: Item) -> Sequence[tuple[str, Item]]:
    found: list[tuple[str, Item]] = []
    stack = [item]
    while stack:
        one = stack.pop()
        found.append((one.id, one))
        stack += view.children(one)
    return found


def _group(view: WalkView, items: dict[str, Item], place: Place) -> Item:
    """Return the item of a group, which only an offer makes."""
    assert place.of is not None
    parent = items[place.of.id]
    members = view.children(parent)
    first = next(i for i, member in enumerate(members, 1) if member.id == place.children[0].id)
    last = first + len(place.children) - 1
    return group_item(parent.place, members[first - 1 : last], first=first, last=last)


def _range(item: Item) -> tuple[int, int] | None:
    if item.kind != "group" or item.number is None:
        return None
    first, last = item.number.split("-")
    return int(first), int(last)
