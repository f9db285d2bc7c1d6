"""Whether an indexing run is to end early."""

from __future__ import annotations

import threading
import time
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tocwalk.nodes.cancelling import is_cancelled, token_of

__all__ = ["Ending"]

_ASKED_EVERY_S = 1.0
"""The server's store, which is asked over and over, may be on another machine."""


class Ending:
    """Asks whoever may end a run: who started it in this process, the server, or a flag in its store."""

    def __init__(self, config: RunnableConfig, runtime: Runtime[Any]) -> None:
        self._config = config
        self._runtime = runtime
        self._token = token_of(config)
        self._ended = threading.Event()
        self._asked_at = -_ASKED_EVERY_S

    def end(self) -> None:
        """End it; from any thread."""
        self._ended.set()

    def __call__(self) -> bool:
        """Whether it is to end; for one thread, which blocks."""
        now = time.monotonic()
        if not self._ended.is_set() and now - self._asked_at >= _ASKED_EVERY_S:
            self._asked_at = now
            if is_cancelled(self._config, self._runtime):
                self.end()
        return self._ended.is_set() or self._token.cancelled
