"""A chat model that can be asked: what `asking` needs to know of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig

from tocwalk.models.forms import Asked, Manner, Parameters
from tocwalk.models.limits import Lane
from tocwalk.state.operator import OperatorSettings

__all__ = ["ChatModel", "Known", "handed_over"]


@dataclass(frozen=True, slots=True)
class Known:
    """What this process keeps of a model: how it is asked, and what is under way."""

    manner: Manner
    lane: Lane = field(default_factory=Lane)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatModel:
    """A chat model, by name or handed over in code. Safe to use from several threads and event loops."""

    name: str
    """As asked for: "openai:gpt-5-mini"; of a model that was handed over, the name of its type and its own."""
    advice: str
    """What a user sets where key, model or address are wrong, as a sentence."""
    made: Callable[[Parameters], Awaitable[BaseChatModel]]
    """Returns LangChain's model for the running event loop, with parameters; one that was handed over has its own."""
    known: Known
    operator: OperatorSettings
    """Whose limits of calls in flight hold."""
    invoke: Callable[[Asked, list[BaseMessage], RunnableConfig], Awaitable[AIMessage]]
    """Makes one call."""


def handed_over(chat: BaseChatModel, operator: OperatorSettings, *, name: str | None = None) -> ChatModel:
    """Return a LangChain chat model as one that can be asked. Keep it: what is learned of the model is kept in it.

    Retries are made around it: its own should be off.

    Args:
        chat: The model; its temperature, and how much it may write, are its own.
        operator: Whose limits hold.
        name: How it is called; None: "chat:", LangChain's word for its type, and its own name if it has one.
    """

    async def made(_parameters: Parameters) -> BaseChatModel:
        return chat

    return ChatModel(
        name=name or _name(chat),
        advice="Look at how the chat model was made: key, name, address.",
        made=made,
        known=Known(Manner(("tool", "text"))),
        operator=operator,
        invoke=_invoked,
    )


async def _invoked(asked: Asked, messages: list[BaseMessage], config: RunnableConfig) -> AIMessage:
    return await asked.ainvoke(messages, config)


def _name(chat: BaseChatModel) -> str:
    fields = (getattr(chat, name, None) for name in ("model_name", "model"))
    names = [value for value in fields if isinstance(value, str) and value]
    return ":".join(["chat", chat._llm_type, *names[:1]])  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
