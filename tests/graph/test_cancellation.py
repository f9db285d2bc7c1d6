"""Three ways to cancel a walk, each of which keeps what had landed."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from reference.asking import SmallIndex
from reference.trees import Node
from tocwalk.navigators.protocol import Cancellation, Decision, NavigatorRequest, Pick
from tocwalk.nodes import cancel_run
from tocwalk.testing.fakes import FunctionNavigator

LEAVES = (Node("First"), Node("Second"))
HANDBOOK = Node(
    "Handbook",
    sections=(Node("Summary"), Node("Leave", sections=LEAVES), Node("Pay", sections=LEAVES)),
)


def take_first_open_rest(request: NavigatorRequest) -> Decision:
    """Take the first leaf, open everything that can be opened."""
    picks = [Pick(ref=c.ref) for c in request.candidates if c.has_children]
    leaf = next(c for c in request.candidates if c.ref != "0" and not c.has_children)
    return Decision(action="pick", picks=(Pick(ref=leaf.ref, action="take"), *picks))


@pytest.fixture
def request_(small_index: SmallIndex) -> dict[str, Any]:
    """Return a question on the handbook."""
    return {"query": "?", "corpus": small_index.store({"handbook": HANDBOOK})}


def test_cancelled_in_the_input_nothing_is_asked(small_index: SmallIndex, request_: dict[str, Any]) -> None:
    """With `cancel` in the input no call is made and no visit spent."""
    asked: list[NavigatorRequest] = []

    def decide(request: NavigatorRequest) -> Decision:
        asked.append(request)
        return take_first_open_rest(request)

    output = small_index.graph(FunctionNavigator(decide)).invoke({**request_, "cancel": True})
    assert (output["stop_reason"], output["sections"], output["usage"]["visits"]) == ("CANCELLED", [], 0)
    assert asked == []


class Gated:
    """Answers at the root; below it waits until cancelled, saying when both calls have begun."""

    def __init__(self) -> None:
        """Nothing has begun."""
        self.entered = threading.Event()
        self._waiting: set[str] = set()
        self.aborted: list[str] = []

    def supports(self, model: str) -> bool:
        """Answer for every model."""
        return True

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Decide, or hang."""
        if request.current.kind == "document":
            return take_first_open_rest(request)
        self._waiting.add(request.current.title)
        if self._waiting == {"Leave", "Pay"}:
            self.entered.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.aborted.append(request.current.title)
            raise
        raise AssertionError("unreachable")


def assert_kept_what_had_landed(output: dict[str, Any], navigator: Gated) -> None:
    """The calls in flight were aborted; the landing from before is returned."""
    assert output["stop_reason"] == "CANCELLED"
    assert [section["title"] for section in output["sections"]] == ["Summary"]
    assert sorted(navigator.aborted) == ["Leave", "Pay"]
    assert [step["id"] for step in output["trace"] if step["event"] == "end"] == ["handbook/leave", "handbook/pay"]
    assert output["failures"] == []


async def test_a_token_aborts_calls_in_flight(small_index: SmallIndex, request_: dict[str, Any]) -> None:
    """Cancelling the token while calls are under way ends them, and the walk returns."""
    token, navigator = Cancellation(), Gated()
    graph = small_index.graph(navigator)
    walk = asyncio.create_task(
        graph.ainvoke(request_, {"configurable": {"cancellation": token}}, context={"offer_levels": 1})
    )
    await asyncio.to_thread(navigator.entered.wait)
    token.cancel()
    assert_kept_what_had_landed(await walk, navigator)


def test_a_token_aborts_calls_of_a_blocking_walk(small_index: SmallIndex, request_: dict[str, Any]) -> None:
    """The same for `invoke`, cancelled from another thread."""
    token, navigator = Cancellation(), Gated()
    graph = small_index.graph(navigator)

    def cancel_when_entered() -> None:
        navigator.entered.wait()
        token.cancel()

    canceller = threading.Thread(target=cancel_when_entered)
    canceller.start()
    output = graph.invoke(request_, {"configurable": {"cancellation": token}}, context={"offer_levels": 1})
    canceller.join()
    assert_kept_what_had_landed(output, navigator)


class StoreClient:
    """The part of a server's client that reaches its store, on a store of this process."""

    def __init__(self, store: InMemoryStore) -> None:
        """Write to `store`."""
        self.store = self
        self._store = store

    async def put_item(self, namespace: Any, /, key: str, value: Any) -> None:
        """Write one item."""
        await self._store.aput(tuple(namespace), key, value)


async def test_a_flag_in_the_store_stops_the_next_wave(small_index: SmallIndex, request_: dict[str, Any]) -> None:
    """The flag of a run is seen at the gate: the wave under way is applied, no further one begins."""
    store = InMemoryStore()
    client = StoreClient(store)

    class Flagging(FunctionNavigator):
        async def decide(self, request: NavigatorRequest) -> Decision:
            await cancel_run(client, "run-1")
            return await super().decide(request)

    graph = small_index.graph(Flagging(take_first_open_rest), store=store)
    config: Any = {"configurable": {"thread_id": "thread-1", "run_id": "run-1"}}
    output = await graph.ainvoke(request_, config, context={"offer_levels": 1})
    assert output["stop_reason"] == "CANCELLED"
    assert [section["title"] for section in output["sections"]] == ["Summary"]
    assert output["usage"]["visits"] == 1


@pytest.mark.parametrize("key", ["run-1", "thread-1"])
async def test_a_flag_aborts_calls_in_flight(small_index: SmallIndex, request_: dict[str, Any], key: str) -> None:
    """A flag that is set while models are asked, under the run's id or the thread's, ends those calls and the walk."""
    store, navigator = InMemoryStore(), Gated()
    graph = small_index.graph(navigator, store=store)
    run = {"run_id": "run-1"} if key == "run-1" else {}
    config: Any = {"configurable": {"thread_id": "thread-1", **run}}
    walk = asyncio.create_task(graph.ainvoke(request_, config, context={"offer_levels": 1}))
    await asyncio.to_thread(navigator.entered.wait)
    await cancel_run(StoreClient(store), key)
    assert_kept_what_had_landed(await walk, navigator)
    again = {**request_, "visits": 0}
    next_run: Any = {"configurable": {"thread_id": "thread-1", **({"run_id": "run-2"} if run else {})}}
    assert (await graph.ainvoke(again, next_run))["stop_reason"] == "BUDGET_EXHAUSTED"


def test_a_flag_under_a_thread_does_not_outlive_its_run(small_index: SmallIndex, request_: dict[str, Any]) -> None:
    """In process runs have no id and the flag stands under the thread's; the next run there is not cancelled."""
    store = InMemoryStore()
    asyncio.run(cancel_run(StoreClient(store), "thread-1"))
    graph = small_index.graph(FunctionNavigator(take_first_open_rest), store=store)
    config: Any = {"configurable": {"thread_id": "thread-1"}}
    assert graph.invoke(request_, config)["stop_reason"] == "CANCELLED"
    assert graph.invoke(request_, config)["stop_reason"] == "LEAF"
