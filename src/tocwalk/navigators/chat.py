"""Asking a chat model about an offer: one prompt, one answer, asked once more where the answer cannot be read."""

from __future__ import annotations

from dataclasses import replace

from langchain_core.language_models import BaseChatModel

from tocwalk.models.asking import converse
from tocwalk.models.model import ChatModel, handed_over
from tocwalk.navigators.prompt import prompt_of
from tocwalk.navigators.protocol import Decision, NavigatorRequest
from tocwalk.state.operator import OperatorSettings

__all__ = ["ChatNavigator", "decide_by_chat"]


class ChatNavigator:
    """Asks a LangChain chat model that was handed over in code. Retries are made around it: its own should be off.

    Attributes:
        model: What it supports: "chat:" with LangChain's word for the type and the model's name, or as given.
    """

    needs = ""

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
