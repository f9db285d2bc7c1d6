"""Chat models that are named, as navigators: `openai:MODEL` and `chat:PROVIDER:MODEL`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from tocwalk.navigators.protocol import Decision, NavigatorRequest
from tocwalk.state.operator import OperatorSettings

__all__ = ["NamedChatNavigator", "OpenAINavigator", "ProviderNavigator"]


class NamedChatNavigator:
    """Asks the chat model that a name stands for. Its kinds say which names, and what people are told."""

    examples: tuple[str, ...]
    needs: str
    prefix: str
    """The first word of the names, with its colon."""
    words: int
    """How many more a name has at least."""

    def __init__(self, operator: OperatorSettings | None = None) -> None:
        """Take key, address and limits from the operator; None: from the environment."""
        self.operator = operator or OperatorSettings.from_environment()

    @property
    def prompt_version(self) -> str:
        """The version of the prompt by which it asks."""
        from tocwalk.navigators.prompt import PROMPT_VERSION

        return PROMPT_VERSION

    def supports(self, model: str) -> bool:
        """Whether `model` is a name of this kind."""
        words = model.removeprefix(self.prefix).split(":", self.words - 1)
        return model.startswith(self.prefix) and len(words) == self.words and all(map(str.strip, words))

    def check(self, model: str) -> None:
        """Raise what would else fail with the first call, and import what is slow to import.

        Raises:
            ConfigurationError: See `tocwalk.models.resolving.chat_model`.
        """
        from tocwalk.models.resolving import chat_model

        chat_model(model, self.operator)

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Ask the model about one offer; see `tocwalk.navigators.chat.decide_by_chat`."""
        from tocwalk.models.resolving import chat_model
        from tocwalk.navigators.chat import decide_by_chat

        # The first import blocks.
        model = await asyncio.to_thread(chat_model, request.model, self.operator)
        return await decide_by_chat(model, request)

    async def depends_on(self, request: NavigatorRequest) -> Mapping[str, Any] | None:
        """Return what a decision depends on; see `tocwalk.navigators.chat.depends_on_chat`."""
        from tocwalk.models.resolving import chat_model
        from tocwalk.navigators.chat import depends_on_chat

        model = await asyncio.to_thread(chat_model, request.model, self.operator)
        return await depends_on_chat(model, request)


class OpenAINavigator(NamedChatNavigator):
    """Models of OpenAI, or of any server that speaks its protocol (vLLM, llama.cpp, Ollama, …)."""

    examples = ("openai:gpt-5-mini", "openai:gpt-4.1-mini")
    needs = "OPENAI_API_KEY; for another server than OpenAI's also TOCWALK_OPENAI_BASE_URL"
    prefix = "openai:"
    words = 1

    async def aclose(self) -> None:
        """Close the connections of the running event loop; they are also closed when it shuts down."""
        from tocwalk.models.openai import server_of

        await server_of(self.operator).aclose()


class ProviderNavigator(NamedChatNavigator):
    """Models of every provider that LangChain has a package for."""

    examples = ("chat:anthropic:claude-sonnet-4-5", "chat:ollama:qwen3:8b")
    needs = "the extra `chat`, LangChain's package for the provider, and what that package reads its key from"
    prefix = "chat:"
    words = 2
