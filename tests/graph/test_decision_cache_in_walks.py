"""Kept decisions in walks: what a second walk spends, and whose decisions it uses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reference.trees import Node, to_documents
from tocwalk.graph import WalkGraph, build_retrieval_graph
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick, Usage
from tocwalk.state.operator import OperatorSettings

FOREST = {
    "lease": Node("Lease", sections=(Node("Rent", sections=(Node("Amount"), Node("Dates"))), Node("Repairs"))),
    "farm": Node("Farm", sections=(Node("Cows", sections=(Node("Milk"), Node("Names"))), Node("Barn"))),
}
SPENT = Usage(calls=1, input_tokens=900, output_tokens=100)


class Counting:
    """A navigator whose decisions may be kept: opens what has more below it, else takes the first."""

    def __init__(self) -> None:
        self.asked = 0

    def supports(self, model: str) -> bool:
        """Answer for every model."""
        return True

    async def depends_on(self, request: NavigatorRequest) -> Mapping[str, Any]:
        """Depend on what is shown."""
        return {"query": request.query, "shown": [candidate.title for candidate in request.candidates]}

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Count, and decide."""
        self.asked += 1
        inner = [Pick(ref=c.ref) for c in request.candidates if c.has_children and c.openable]
        first = Pick(ref=next(c.ref for c in request.candidates if c.takeable), action="take")
        return Decision(action="pick", picks=tuple(inner) or (first,), reasoning="As ever.", usage=SPENT)


@pytest.fixture
def location(tmp_path: Path) -> Path:
    """Return an index in which two tenants have the same documents."""
    location = tmp_path / "index.db"
    for tenant in ("default", "other"):
        with TreeIndex(location, tenant=tenant) as index:
            for document in to_documents(FOREST):
                index.put(document, parser_version="1", summaries="none")
    return location


def walk(graph: WalkGraph, user: str | None = None, **context: Any) -> Any:
    """Return what a walk in single levels comes to, for a user whom a server has authenticated."""
    config: Any = {"configurable": {"langgraph_auth_user_id": user}}
    return graph.invoke({"query": "How much?"}, config, context={"offer_levels": 1, **context})


def test_a_second_walk_costs_nothing_and_comes_to_the_same(location: Path) -> None:
    """All but the usage is the same; each visit is still a visit, and says that its decision was kept."""
    navigator = Counting()
    first, second = (walk(build_retrieval_graph(index=location, navigator=navigator)) for _ in range(2))
    assert {**second, "usage": None} == {**first, "usage": None}
    visits = first["usage"]["visits"]
    assert navigator.asked == first["usage"]["model_calls"] == second["usage"]["visits"] == visits
    assert [step["cached_decisions"] for step in second["usage"]["steps"]] == [1] * visits
    assert (second["usage"]["model_calls"], second["usage"]["output_tokens"]) == (0, 0)


def test_other_visits_use_the_same_decisions(location: Path) -> None:
    """How many visits are left is no part of a question: a walk on a smaller budget asks for nothing."""
    navigator = Counting()
    graph = build_retrieval_graph(index=location, navigator=navigator)
    walk(graph)
    asked = navigator.asked
    assert walk(graph, max_visits=2)["usage"]["cached_decisions"] == 2
    assert navigator.asked == asked


def test_users_and_tenants_never_share(location: Path) -> None:
    """What one user of a server, or one tenant, paid for says nothing to another, though the documents are the same."""
    navigator = Counting()
    graph = build_retrieval_graph(index=location, navigator=navigator)
    other = build_retrieval_graph(index=location, tenant="other", navigator=navigator)
    for whose, user, shared in (
        (graph, None, False),
        (graph, "ann", False),
        (graph, "bob", False),
        (other, None, False),
        (other, "ann", False),
        (graph, "ann", True),
        (other, None, True),
    ):
        before = navigator.asked
        walk(whose, user)
        assert (navigator.asked == before) is shared


def test_the_operator_can_do_without(location: Path) -> None:
    """With `decision_cache` off each walk asks, even where decisions are kept from before."""
    navigator = Counting()
    walk(build_retrieval_graph(index=location, navigator=navigator))
    asked = navigator.asked
    off = OperatorSettings(decision_cache=False)
    walk(build_retrieval_graph(index=location, navigator=navigator, operator=off))
    assert navigator.asked == 2 * asked
