"""One event loop in the background: what synchronous runs call asynchronous code on, inside a running loop too."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

__all__ = ["in_background"]

T = TypeVar("T")

_on_the_loop: contextvars.ContextVar[bool] = contextvars.ContextVar("tocwalk_on_the_loop", default=False)


def in_background(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop and return its result; context variables arrive there.

    Called from what already runs there (a navigator that walks synchronously itself), it uses a loop of its own: the
    shared one waits for its caller.
    """
    if _on_the_loop.get():
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(contextvars.copy_context().run, asyncio.run, coroutine).result()
    future = asyncio.run_coroutine_threadsafe(_marked(coroutine), _loop())
    try:
        return future.result()
    finally:
        future.cancel()


async def _marked(coroutine: Coroutine[Any, Any, T]) -> T:
    _on_the_loop.set(True)
    return await coroutine


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="tocwalk-navigators", daemon=True).start()
    return loop


# A forked process has the loop but not the thread that runs it.
os.register_at_fork(after_in_child=_loop.cache_clear)
