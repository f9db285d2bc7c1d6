"""`openai:MODEL`: OpenAI's models, or those of any server that speaks its protocol, as navigators."""

from __future__ import annotations

import asyncio

from tocwalk.models.openai import server_of
from tocwalk.models.resolving import OPENAI, chat_model
from tocwalk.navigators.protocol import Decision, NavigatorRequest
from tocwalk.state.operator import OperatorSettings

__all__ = ["OpenAINavigator"]


class OpenAINavigator:
    """Asks a model through OpenAI's chat completions."""

    examples = ("openai:gpt-5-mini", "openai:gpt-4.1-mini")
    needs = "OPENAI_API_KEY; for another server than OpenAI's also TOCWALK_OPENAI_BASE_URL"

    def __init__(self, operator: OperatorSettings | None = None) -> None:
        """Take key, address and limits from the operator; None: from the environment."""
        self._operator = operator or OperatorSettings.from_environment()

    def __repr__(self) -> str:
        return f"OpenAINavigator({server_of(self._operator).base_url!r})"

    def supports(self, model: str) -> bool:
        """Whether `model` is "openai:" and a name."""
        return model.startswith(OPENAI) and bool(model.removeprefix(OPENAI).strip())

    def check(self, model: str) -> None:
        """Raise what would else fail with the first call, and import what is slow to import.

        Raises:
            ConfigurationError: See `tocwalk.models.resolving.chat_model`.
        """
        chat_model(model, self._operator)

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Ask the model about one offer; see `tocwalk.navigators.chat.decide_by_chat`."""
        from tocwalk.navigators.chat import decide_by_chat

        # The first import blocks.
        model = await asyncio.to_thread(chat_model, request.model, self._operator)
        return await decide_by_chat(model, request)

    async def aclose(self) -> None:
        """Close the connections of the running event loop; they are also closed when it shuts down."""
        await server_of(self._operator).aclose()
