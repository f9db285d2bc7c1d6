"""One budget for all walks of a run and for the answering model: visits, tokens, money, rounds, and failures."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from lease_graph import graph_of, script, take_named
from scripted_chat import ScriptedChat, draft, plan_for, section, verdict

from tocwalk.errors import NavigatorError
from tocwalk.graph import WalkGraph, build_answer_graph
from tocwalk.index import TreeIndex
from tocwalk.models.usage import Usage
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.nodes.cancelling import CANCEL_NAMESPACE
from tocwalk.state.operator import OperatorSettings
from tocwalk.testing import FunctionNavigator

UNPROVED = draft(("Rent is due weekly.", "S1", "Rent is due weekly, on the first working day"))


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return an index of a document whose every section has three more below it, four levels deep."""

    def below(parent: str, levels: int) -> list[Any]:
        own = [section(f"{parent}/{i}", f"Part {i}", f"Part {i}\nThis is part {i}.\n") for i in range(3)]
        return [*own, *(one for i in range(3) if levels for one in below(f"{parent}/{i}", levels - 1))]

    with TreeIndex(tmp_path_factory.mktemp("deep") / "index.db") as index:
        index.add_langchain([section("deep", "Deep", "Deep\n"), *below("deep", 3)])
        yield index


class Counting:
    """Opens all that can be opened, and counts how often it was asked; safe to be asked at the same time."""

    def __init__(self) -> None:
        """Begin at none."""
        self._lock = threading.Lock()
        self.asked = 0

    def __call__(self, request: NavigatorRequest) -> Decision:
        """Decide."""
        with self._lock:
            self.asked += 1
        picks = tuple(Pick(ref=c.ref) for c in request.candidates if c.has_children)
        leaves = tuple(Pick(ref=c.ref, action="take") for c in request.candidates if not c.has_children)
        return Decision(action="pick", picks=picks or leaves)


@pytest.mark.parametrize("visits", [0, 1, 2, 3, 7, 20])
@pytest.mark.parametrize("questions", [1, 3, 4])
async def test_visits_are_shared_by_all_walks(deep: TreeIndex, visits: int, questions: int) -> None:
    """However many questions are walked for at once and asked again, the navigator is asked no more than allowed."""
    asks = [f"question {i}" for i in range(questions)]
    again = [verdict(*(f"{turn} again {i}" for i in range(questions))) for turn in range(4)]
    navigate = Counting()
    context = {"offer_levels": 1, "max_rounds": 5, "max_visits": 50}
    graph = graph_of(deep, script(plan=plan_for(*asks), judge=again, write=draft()), navigate)
    output = await graph.ainvoke({"question": "?", "visits": visits}, context=context)
    assert navigate.asked == output["usage"]["visits"] <= visits
    assert output["remaining_visits"] == visits - navigate.asked
    assert visits == 0 or navigate.asked > 0


def test_a_spent_token_budget_ends_judging_and_rewriting(library: TreeIndex) -> None:
    """What a call would take over the budget is not asked, and the trace says so; an answer is written all the same."""
    chat = script(write=UNPROVED)
    output = graph_of(library, chat).invoke({"question": "When?"}, context={"max_tokens": 1_600, "offer_tokens": 100})
    assert chat.steps == ["plan", "write"]
    left_out = [(entry["step"], entry["limit"]) for entry in output["trace"] if entry["event"] == "budget"]
    assert left_out == [("judge", "max_tokens"), ("rewrite", "max_tokens")]
    assert [one["text"] for one in output["dropped"]] == ["Rent is due weekly."]


def test_a_money_budget_holds_for_the_answering_model(library: TreeIndex) -> None:
    """Priced at what a call may cost, judging again and rewriting stop where the money ends."""
    prices: Any = {"chat:scripted": {"input": 1000.0, "output": 1000.0}}
    chat = script(judge=[verdict(f"again {i}") for i in range(9)], write=UNPROVED)
    navigator = FunctionNavigator(take_named)
    graph = build_answer_graph(index=library, model=chat, navigator=navigator, operator=OperatorSettings(prices=prices))
    rich = graph.invoke({"question": "When?"}, context={"max_cost": 1000.0, "max_rounds": 9, "max_visits": 99})
    calls, cost = len(chat.steps), rich["usage"]["cost"]
    assert "rewrite" in chat.steps
    chat.shown.clear()
    poor = graph.invoke({"question": "When?"}, context={"max_cost": cost / 2, "max_rounds": 9, "max_visits": 99})
    assert len(chat.steps) < calls
    assert poor["usage"]["cost"] < cost
    assert chat.steps[-1] == "write"


QUESTIONS = ("rent", "repairs", "parties")


def failing(at: str, *, times: int = 99) -> Any:
    """Return a navigator that fails for one question so many times."""
    left = [times]

    def navigate(request: NavigatorRequest) -> Decision:
        if at in request.query and left[0] > 0:
            left[0] -= 1
            if request.ledger is not None:
                request.ledger.note(Usage(calls=1, input_tokens=70_000))
            raise NavigatorError("The provider is down.", reason="refused")
        return take_named(request)

    return navigate


@pytest.mark.parametrize("at", QUESTIONS)
def test_one_of_three_walks_may_fail(library: TreeIndex, at: str) -> None:
    """Under `partial` the other two are answered from, the failure is listed, and what it has cost is counted."""
    graph = graph_of(library, script(plan=plan_for(*QUESTIONS)), failing(at))
    output = graph.invoke({"question": "?", "visits": 6}, context={"on_failure": "partial"})
    assert {one["id"] for one in output["sections"]} == {
        name for word, name in zip(QUESTIONS, ("lease/2", "lease/3", "lease/1"), strict=True) if word != at
    }
    assert [(one["reason"], one["section"]) for one in output["failures"]] == [
        ("refused", f"q{QUESTIONS.index(at) + 1}")
    ]
    assert output["remaining_visits"] == 6 - 3
    assert output["usage"]["input_tokens"] > 70_000


def test_all_three_walks_may_fail(library: TreeIndex) -> None:
    """Under `partial` with nothing found, the documents do not answer, and three failures say why."""
    graph = graph_of(library, script(plan=plan_for("rent a", "rent b", "rent c")), failing("rent"))
    output = graph.invoke({"question": "?"}, context={"on_failure": "partial", "max_rounds": 1})
    assert output["answer"] == "The documents do not answer this. No section on it was found."
    assert len(output["failures"]) == 3


@pytest.mark.parametrize("at", QUESTIONS)
def test_one_of_three_walks_is_resumed(library: TreeIndex, at: str) -> None:
    """Under `raise` the run ends with the failure, and goes on from there with no walk and no visit repeated."""
    graph = graph_of(library, script(plan=plan_for(*QUESTIONS)), failing(at, times=1), checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    with pytest.raises(NavigatorError, match="down"):
        graph.invoke({"question": "?", "visits": 6}, thread)
    output = graph.invoke(None, thread)
    assert len(output["sections"]) == 3
    assert output["remaining_visits"] == 3


def looping(tmp_path: Any) -> TreeIndex:
    """Return an index of sections that send the reader round and round, to themselves, to several and to none."""
    index = TreeIndex(tmp_path / "index.db")
    index.add_langchain(
        [
            section("loop", "Loop", "Loop\n"),
            section("loop/3", "Start", "Note 3 Start\nFor all of this see Note 12 and Note 3.\n", number="Note 3"),
            section("loop/12", "Middle", "Note 12 Middle\nSee Note 3, Note 5 and Note 99 on it.\n", number="Note 12"),
            section("loop/5a", "First", "Note 5 First\nSee Note 12 and Note 5.\n", number="Note 5"),
            section("loop/5b", "Second", "Note 5 Second\nSee Note 12.\n", number="Note 5"),
        ]
    )
    return index


def test_references_that_go_round_end(tmp_path: Any) -> None:
    """Each section is read once, however the notes refer to each other; what leads to several or none is not shown."""
    with looping(tmp_path) as index:
        chat = script(plan=plan_for("start"), judge=verdict(follow=["R1", "R2", "R1"]), write=draft())
        graph = graph_of(index, chat)
        output = graph.invoke({"question": "?"}, context={"max_rounds": 20, "max_references": 50})
    assert [one["id"] for one in output["sections"]] == ["loop/3", "loop/12"]
    assert [entry["event"] for entry in output["trace"]].count("reference") == 1
    assert chat.steps.count("judge") <= 3


class Flagging(ScriptedChat):
    """Sets the flag that ends the run while it answers at one step."""

    store: Any
    at: str

    def _next(self, messages: Any) -> str:
        text = super()._next(messages)
        if self.steps[-1] == self.at:
            self.store.put(CANCEL_NAMESPACE, "1", {"cancelled": True})
        return text


@pytest.mark.parametrize(
    ("at", "steps"), [("plan", ["plan"]), ("judge", ["plan", "judge"]), ("write", ["plan", "judge", "judge", "write"])]
)
def test_the_flag_in_the_store_ends_a_run_at_every_step(library: TreeIndex, at: str, steps: list[str]) -> None:
    """Set while the model plans, judges or writes, no further call is made, and the run ends with what there is."""
    store = InMemoryStore()
    chat = Flagging(script=script(judge=verdict("parties"), write=UNPROVED).script, store=store, at=at)
    graph: WalkGraph = graph_of(library, chat, checkpointer=InMemorySaver(), store=store)
    output = graph.invoke({"question": "When?"}, {"configurable": {"thread_id": "1"}})
    assert chat.steps == steps
    assert output["answer"].startswith("The question was cancelled.")


def test_the_flag_of_a_run_ends_all_of_its_walks(deep: TreeIndex) -> None:
    """Set while three walks are under way, none of them opens another wave."""
    store, navigate = InMemoryStore(), Counting()

    def flagging(request: NavigatorRequest) -> Decision:
        store.put(CANCEL_NAMESPACE, "run-1", {"cancelled": True})
        return navigate(request)

    graph = graph_of(deep, script(plan=plan_for("a", "b", "c")), flagging, store=store)
    context = {"offer_levels": 1, "max_visits": 99, "parallel": 1}
    output = graph.invoke({"question": "?"}, {"configurable": {"run_id": "run-1"}}, context=context)
    assert output["answer"].startswith("The question was cancelled.")
    assert navigate.asked <= 3
