"""One event loop in the background: what synchronous runs call asynchronous code on, inside a running loop too."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

__all__ = ["in_background"]

T = TypeVar("T")


def in_background(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop and return its result; context variables arrive there."""
    future = asyncio.run_coroutine_threadsafe(coroutine, _loop())
    try:
        return future.result()
    finally:
        future.cancel()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="tocwalk-navigators", daemon=True).start()
    return loop
