"""The event loop of clients that outlive every other one.

LangChain's packages share the HTTP connections of a provider among all that is made in a process, though a connection
works only on the event loop that made it: on a second one calls fail with "Event loop is closed". So those calls are
made on one loop that never ends.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

__all__ = ["at_home"]

T = TypeVar("T")


async def at_home(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns on the loop that never ends; context variables arrive there, cancellation too."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, _loop()))


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="tocwalk-models", daemon=True).start()
    return loop


# A forked process has the loop but not the thread that runs it.
os.register_at_fork(after_in_child=_loop.cache_clear)
