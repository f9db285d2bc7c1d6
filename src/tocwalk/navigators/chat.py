"""Asking a chat model about an offer: one prompt, one answer, asked once more where the answer cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel

from tocwalk.models.asking import converse
from tocwalk.models.forms import Parameters
from tocwalk.models.model import ChatModel, handed_over
from tocwalk.navigators.prompt import PROMPT_VERSION, prompt_of
from tocwalk.navigators.protocol import Decision, NavigatorRequest
from tocwalk.state.operator import OperatorSettings

__all__ = ["ChatNavigator", "decide_by_chat", "depends_on_chat"]


class ChatNavigator:
    """Asks a LangChain chat model that was handed over in code. Retries are made around it: its own should be off.

    Attributes:
        model: What it supports: "chat:" with LangChain's word for the type and the model's name, or as given.
    """

    needs = ""
    prompt_version = PROMPT_VERSION

    def __init__(
        self, chat_model: BaseChatModel, *, model: str | None = None, operator: OperatorSettings | None = None
    ) -> None:
        """Take a model, and limits from the operator; None: from the environment."""
        self._chat = handed_over(chat_model, operator or OperatorSettings.from_environment(), name=model)
        self.model = self._chat.name
        self.examples = (self.model,)

    def __repr__(self) -> str:
        return f"ChatNavigator({self.model!r})"

    def supports(self, model: str) -> bool:
        """Whether `model` is this navigator's."""
        return model == self.model

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Ask the model about one offer; see `decide_by_chat`."""
        return await decide_by_chat(self._chat, request)

    async def depends_on(self, request: NavigatorRequest) -> Mapping[str, Any] | None:
        """Return what a decision depends on; see `depends_on_chat`."""
        return await depends_on_chat(self._chat, request)


async def decide_by_chat(model: ChatModel, request: NavigatorRequest) -> Decision:
    """Ask a chat model about one offer.

    Returns:
        The decision, with what all calls of the request's ledger have used.

    Raises:
        NavigatorError: No readable answer, a refusal, or the provider is unavailable.
        ConfigurationError: The provider refuses the key or the request.
        CallCancelled: The walk was cancelled before a call.
    """
    reply = await converse(model, prompt_of(request), cancellation=request.cancellation, ledger=request.ledger)
    return replace(reply.value, usage=reply.usage)


async def depends_on_chat(model: ChatModel, request: NavigatorRequest) -> Mapping[str, Any] | None:
    """Return all that a chat model's decision depends on: the model, its parameters, where it is served, the prompt.

    The visits left are none of it. None for a model that was not made with temperature 0: its next decision may differ.
    """
    chat = await model.made(Parameters())
    if getattr(chat, "temperature", None) != 0:
        return None
    prompt = prompt_of(replace(request, remaining_visits=0))
    return {
        "model": model.name,
        "made": chat._get_llm_string(),  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - what LangChain's caches use
        "prompt": [prompt.version, prompt.instructions, prompt.shown],
    }
