"""Asynchronous walks never block the loop they run on; synchronous ones work inside a running loop."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from langgraph.store.memory import InMemoryStore

from reference.asking import SmallIndex
from reference.trees import Node
from tocwalk.graph import build_retrieval_graph
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.state.operator import OperatorSettings
from tocwalk.testing.fakes import FunctionNavigator

WIDE = Node("Wide", sections=tuple(Node(f"Part {i}", sections=(Node("a"), Node("b"))) for i in range(12)))


def open_three(request: NavigatorRequest) -> Decision:
    """Open the first three candidates."""
    return Decision(action="pick", picks=tuple(Pick(ref=c.ref) for c in request.candidates if c.ref != "0")[:3])


async def test_nothing_in_a_walk_blocks_the_loop(small_index: SmallIndex) -> None:
    """Files, sockets, sleeps and SQLite are never used on the event loop's thread."""
    corpus = small_index.store({"wide": WIDE})
    graph = small_index.graph(FunctionNavigator(open_three))
    with blockbuster_ctx():
        output = await graph.ainvoke({"query": "?", "corpus": corpus}, context={"offer_levels": 1})
    assert len(output["sections"]) == 6


async def test_the_loop_is_free_while_the_index_is_slow(small_index: SmallIndex) -> None:
    """Other tasks go on while a walk waits for a slow index: even its shortest read lets them run."""
    corpus = small_index.store({"wide": WIDE})
    waiting: list[bool] = []

    class SlowIndex:
        def __getattr__(self, name: str) -> Any:
            read = getattr(small_index.index, name)

            def slowly(*args: Any, **kwargs: Any) -> Any:
                before = ticks
                deadline = time.monotonic() + 10
                # A read that held the loop would see no tick pass.
                while ticks == before and time.monotonic() < deadline:
                    time.sleep(0.001)
                waiting.append(ticks > before)
                return read(*args, **kwargs)

            return slowly

    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    graph = build_retrieval_graph(index=SlowIndex(), navigator=FunctionNavigator(open_three))
    await graph.ainvoke({"query": "?", "corpus": corpus}, context={"offer_levels": 1})
    ticking.cancel()
    assert len(waiting) > 5
    assert all(waiting)


async def test_nothing_blocks_while_a_model_is_asked(small_index: SmallIndex, operator: OperatorSettings) -> None:
    """Asking a model for the first time, keeping its decision and finding it again leave the loop free."""
    request = {"query": "?", "corpus": small_index.store({"wide": WIDE})}
    graph = build_retrieval_graph(index=small_index.index, operator=operator)
    context = {"navigator_model": "openai:good", "offer_levels": 1}
    with blockbuster_ctx():
        asked = await graph.ainvoke(request, context=context)
        found = await graph.ainvoke(request, context=context)
    assert asked["usage"]["model_calls"] == 1
    assert (found["usage"]["model_calls"], found["usage"]["cached_decisions"]) == (0, 1)


async def test_the_loop_is_free_while_the_store_is_slow(small_index: SmallIndex) -> None:
    """Other tasks go on while the flag of a run is looked for, before a wave and while a model is asked."""
    looked = asyncio.Event()
    loop = asyncio.get_running_loop()
    ticks = 0
    waited: list[bool] = []

    class SlowStore(InMemoryStore):
        def get(self, *args: Any, **kwargs: Any) -> Any:
            before = ticks
            deadline = time.monotonic() + 10
            # A look that held the loop would see no tick pass.
            while ticks == before and time.monotonic() < deadline:
                time.sleep(0.001)
            waited.append(ticks > before)
            if len(waited) == 3:
                loop.call_soon_threadsafe(looked.set)
            return super().get(*args, **kwargs)

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    async def wait_for_looks(request: NavigatorRequest) -> Decision:
        await looked.wait()
        return open_three(request)

    ticking = asyncio.create_task(tick())
    graph = small_index.graph(FunctionNavigator(wait_for_looks), store=SlowStore())
    request = {"query": "?", "corpus": small_index.store({"wide": WIDE})}
    await graph.ainvoke(request, {"configurable": {"thread_id": "1"}})
    ticking.cancel()
    assert len(waited) >= 3
    assert all(waited)


async def test_invoke_works_inside_a_running_loop(small_index: SmallIndex) -> None:
    """A notebook's loop is running; `invoke` there gives what `ainvoke` gives."""
    corpus = small_index.store({"wide": WIDE})
    graph = small_index.graph(FunctionNavigator(open_three))
    request = {"query": "?", "corpus": corpus}
    assert graph.invoke(request) == await graph.ainvoke(request)


def test_a_navigator_may_walk_itself(small_index: SmallIndex) -> None:
    """A navigator that invokes another walk, synchronously, from within its decision does not wait for itself."""
    corpus = small_index.store({"wide": WIDE})
    request = {"query": "?", "corpus": corpus}
    inner = small_index.graph(FunctionNavigator(open_three))

    def walk_first(asked: NavigatorRequest) -> Decision:
        assert inner.invoke(request) == expected
        return open_three(asked)

    expected = inner.invoke(request)
    assert small_index.graph(FunctionNavigator(walk_first)).invoke(request) == expected


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_may_walk(small_index: SmallIndex) -> None:
    """Servers that load first and fork then serve walks as well."""
    request = {"query": "?", "corpus": small_index.store({"wide": WIDE})}
    graph = small_index.graph(FunctionNavigator(open_three))
    expected = graph.invoke(request)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if graph.invoke(request) == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_every_loop_may_ask(small_index: SmallIndex) -> None:
    """One graph serves walks on several loops, one after the other."""
    corpus = small_index.store({"wide": WIDE})
    graph = small_index.graph(FunctionNavigator(open_three))
    request = {"query": "?", "corpus": corpus}
    first, second = (asyncio.run(graph.ainvoke(request)) for _ in range(2))
    assert first == second
