"""What traces and logs are told of a run: ids and counts, never what was asked or read."""

from __future__ import annotations

import logging
import time

from langchain_core.callbacks import BaseCallbackManager
from langgraph.config import get_config

from tocwalk.logs import Fact, log_event

__all__ = ["label_calls", "log_step", "milliseconds"]


def label_calls(**labels: str) -> None:
    """Give every call inside the running node, a model's above all, metadata by which traces are searched.

    Args:
        **labels: "corpus", "document", "section"; blank ones are left out.
    """
    callbacks = get_config().get("callbacks")
    if isinstance(callbacks, BaseCallbackManager):
        callbacks.add_metadata({name: label for name, label in labels.items() if label})


def log_step(part: str, event: str, *, level: int = logging.INFO, **facts: Fact) -> None:
    """Log an event of the running node, with the ids of run and thread where there are any; see `log_event`."""
    configurable = get_config().get("configurable", {})
    ids = {name: str(configurable.get(name) or "") for name in ("run_id", "thread_id")}
    log_event(part, event, level=level, **facts, **ids)


def milliseconds(begun: float) -> float:
    """Return how long ago `time.perf_counter()` was `begun`."""
    return round((time.perf_counter() - begun) * 1000, 1)
