"""How many requests are under way at once, over threads and event loops."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tocwalk.models.limits import Lane, in_flight


async def test_who_comes_when_it_is_full_waits_in_order() -> None:
    """With a limit of two the third enters when one has left, and the fourth after it."""
    lane, entered, gates = Lane(), list[int](), [asyncio.Event() for _ in range(4)]

    async def go(number: int) -> None:
        async with lane.slot(2):
            entered.append(number)
            await gates[number].wait()

    tasks = [asyncio.ensure_future(go(number)) for number in range(4)]
    await asyncio.sleep(0)
    assert entered == [0, 1]
    gates[1].set()
    await tasks[1]
    await asyncio.sleep(0)
    assert entered == [0, 1, 2]
    for gate in gates:
        gate.set()
    await asyncio.gather(*tasks)
    assert entered == [0, 1, 2, 3]


async def test_a_place_is_not_lost_with_who_waited_for_it() -> None:
    """Cancelled while waiting, and at the very moment its turn came, a waiter leaves its place to the next."""
    lane, inside = Lane(), asyncio.Event()

    async def hold() -> None:
        async with lane.slot(1):
            await inside.wait()

    async def pass_through() -> str:
        async with lane.slot(1):
            return "entered"

    holder = asyncio.ensure_future(hold())
    await asyncio.sleep(0)
    waiting, called, last = (asyncio.ensure_future(pass_through()) for _ in range(3))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait({waiting})
    holder.cancel()
    await asyncio.wait({holder})
    called.cancel()

    assert await last == "entered"
    assert await pass_through() == "entered"


def test_event_loops_share_the_limit() -> None:
    """Threads with loops of their own never exceed the limit together."""
    lane, lock = Lane(), threading.Lock()
    now, most = 0, 0

    async def call() -> None:
        nonlocal now, most
        async with lane.slot(3):
            with lock:
                now += 1
                most = max(most, now)
            await asyncio.sleep(0)
            with lock:
                now -= 1

    async def calls() -> None:
        await asyncio.gather(*(call() for _ in range(50)))

    threads = [threading.Thread(target=asyncio.run, args=(calls(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (now, most) == (0, 3)


async def test_a_busy_model_keeps_nobody_from_another() -> None:
    """Who waits for a busy model takes no place from the requests to others."""
    busy, other, gate = Lane(), Lane(), asyncio.Event()

    async def call(lane: Lane) -> str:
        async with in_flight(lane, of_model=1, in_all=2):
            if lane is busy:
                await gate.wait()
            return "answered"

    waiting = [asyncio.ensure_future(call(busy)) for _ in range(3)]
    await asyncio.sleep(0)
    assert await call(other) == "answered"
    gate.set()
    assert await asyncio.gather(*waiting) == ["answered"] * 3


async def test_a_failing_call_leaves_its_place() -> None:
    """An exception inside frees the place."""
    lane = Lane()
    for _ in range(3):
        with pytest.raises(ValueError, match="inside"):
            async with lane.slot(1):
                raise ValueError("inside")
