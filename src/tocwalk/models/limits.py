"""How many requests are under way at once, over all threads and event loops of this process."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

__all__ = ["Lane", "in_flight"]


@dataclass(eq=False, slots=True)
class _Waiter:
    """Somebody whose turn has not come."""

    limit: int
    loop: asyncio.AbstractEventLoop
    turn: asyncio.Future[None]


class Lane:
    """Counts what is under way; whoever comes when it is full waits for a turn, in order of arrival.

    An `asyncio.Semaphore` serves one event loop; this one serves all.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way = 0
        self._waiting: deque[_Waiter] = deque()

    @asynccontextmanager
    async def slot(self, limit: int) -> AsyncGenerator[None, None]:
        """Wait until fewer than `limit` are under way, and count as one for as long as the context lasts."""
        waiter = self._enter(limit)
        if waiter is not None:
            await self._turn(waiter)
        try:
            yield
        finally:
            self._leave()

    def _enter(self, limit: int) -> _Waiter | None:
        with self._lock:
            if not self._waiting and self._under_way < limit:
                self._under_way += 1
                return None
            loop = asyncio.get_running_loop()
            waiter = _Waiter(limit, loop, loop.create_future())
            self._waiting.append(waiter)
            return waiter

    async def _turn(self, waiter: _Waiter) -> None:
        try:
            await waiter.turn
        except asyncio.CancelledError:
            with self._lock:
                still_waiting = waiter in self._waiting
                if still_waiting:
                    self._waiting.remove(waiter)
            if not still_waiting:
                self._leave()  # its turn had come at the same moment
            raise

    def _leave(self) -> None:
        with self._lock:
            self._under_way -= 1
            called: list[_Waiter] = []
            while self._waiting and self._under_way < self._waiting[0].limit:
                self._under_way += 1
                called.append(self._waiting.popleft())
        for waiter in called:
            try:
                waiter.loop.call_soon_threadsafe(_call, waiter.turn)
            except RuntimeError:  # its event loop was closed
                self._leave()


def _call(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


_in_all = Lane()


@asynccontextmanager
async def in_flight(lane: Lane, *, of_model: int, in_all: int) -> AsyncGenerator[None, None]:
    """Wait until a request to a model may be sent.

    Args:
        lane: The model's own.
        of_model: Requests to it that may be under way at once.
        in_all: Requests to all models of this process that may be under way at once.
    """
    # First the model's own: who waits for a busy model does not keep others from theirs.
    async with lane.slot(of_model), _in_all.slot(in_all):
        yield
