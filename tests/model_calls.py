"""What a tracer is told of the calls of models."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import BaseCallbackHandler

__all__ = ["Calls"]


class Calls(BaseCallbackHandler):
    """Writes down what a tracer is told of every call of a model."""

    def __init__(self) -> None:
        """Begin with none."""
        self.seen: list[dict[str, Any]] = []

    def on_chat_model_start(self, serialized: Any, messages: Any, **told: Any) -> None:
        """Take note."""
        self.seen.append(told)
