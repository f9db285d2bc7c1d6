"""The chat model that plans, judges and writes: handed over in code, or the operator's."""

from __future__ import annotations

from tocwalk.errors import SettingsError
from tocwalk.models.model import ChatModel
from tocwalk.models.resolving import chat_model
from tocwalk.state.operator import OperatorSettings

__all__ = ["answer_model"]


def answer_model(named: str | None, operator: OperatorSettings) -> ChatModel:
    """Return the model of a run that was handed none over.

    Args:
        named: The context's `answer_model`; None: the operator's.
        operator: Allow-list, key, address, and the model for those who name none.

    Raises:
        SettingsError: There is no model: the message says how to set one.
        ConfigurationError: See `tocwalk.models.resolving.chat_model`.
    """
    name = named or operator.answer_model
    if not name:
        raise SettingsError(
            "Answers are written by a chat model, and none is set. Set TOCWALK_ANSWER_MODEL=openai:gpt-5-mini and"
            " OPENAI_API_KEY in the environment, or `answer_model` in the context; in code, hand one over:"
            " build_answer_graph(model=...)."
        )
    return chat_model(name, operator)
