"""An event loop in a thread of its own, for as long as something blocking needs one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

__all__ = ["EventLoop"]

T = TypeVar("T")


class EventLoop:
    """Runs coroutines for callers that block, from any thread, one inside a running event loop too."""

    def __init__(self) -> None:
        """Start nothing yet: the thread starts with the first coroutine."""
        self._lock = threading.Lock()
        self._closed = False
        self._running: tuple[asyncio.AbstractEventLoop, asyncio.Event, threading.Thread] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return what a coroutine returns.

        Raises:
            RuntimeError: It is closed.
            concurrent.futures.CancelledError: It was closed in the meantime.
        """
        with self._lock:
            if self._closed:
                coroutine.close()
                raise RuntimeError("This event loop is closed.")
            self._running = self._running or self._started()
            future = asyncio.run_coroutine_threadsafe(self._known(coroutine), self._running[0])
        try:
            return future.result()
        finally:
            future.cancel()

    def close(self) -> None:
        """Cancel what is under way and end the thread. A second call does nothing."""
        with self._lock:
            self._closed = True
            running, self._running = self._running, None
        if running:
            loop, stop, thread = running
            loop.call_soon_threadsafe(stop.set)
            thread.join()

    async def _known(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if task := asyncio.current_task():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await coroutine

    def _started(self) -> tuple[asyncio.AbstractEventLoop, asyncio.Event, threading.Thread]:
        started: Future[asyncio.AbstractEventLoop] = Future()
        stop = asyncio.Event()

        async def until_stopped() -> None:
            started.set_result(asyncio.get_running_loop())
            await stop.wait()
            # What it was asked to run cancels what it began itself, and is left to count what that has cost:
            # `asyncio.run` would cancel all at the same time.
            under_way = set(self._tasks)
            for task in under_way:
                task.cancel()
            if under_way:
                await asyncio.wait(under_way)

        thread = threading.Thread(target=asyncio.run, args=[until_stopped()], name="tocwalk-summaries", daemon=True)
        thread.start()
        return started.result(), stop, thread
