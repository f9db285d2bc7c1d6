"""Asking a chat model: one prompt, one answer, asked once more where the answer cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable

from tocwalk.errors import NavigatorError
from tocwalk.navigators.encodable import encodable
from tocwalk.navigators.failures import provider_error
from tocwalk.navigators.parse import parse_decision
from tocwalk.navigators.prompt import ask_again, prompt_of
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Usage
from tocwalk.navigators.retry import DecisionCancelled
from tocwalk.tree import clip, one_line, tokens_of_bytes

__all__ = ["ChatModel", "ChatNavigator", "decide_by_chat"]

ChatModel: TypeAlias = Runnable[LanguageModelInput, AIMessage]
"""A chat model, or one with parameters bound to it."""

_TRIES = 2
_SHOWN_AGAIN = 2000  # characters of an answer that could not be read


class ChatNavigator:
    """Asks a LangChain chat model that was handed over in code. Retries are made around it: its own should be off.

    Attributes:
        model: What it supports: "chat:" with LangChain's word for the type and the model's name, or as given.
    """

    needs = ""

    def __init__(self, chat_model: BaseChatModel, *, model: str | None = None) -> None:
        self._chat_model = chat_model
        self.model = model or _name(chat_model)
        self.examples = (self.model,)

    def __repr__(self) -> str:
        return f"ChatNavigator({self.model!r})"

    def supports(self, model: str) -> bool:
        """Whether `model` is this navigator's."""
        return model == self.model

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Ask the model about one offer; see `decide_by_chat`."""
        return await decide_by_chat(
            self._chat_model,
            request,
            model=self.model,
            advice="Look at how the chat model was made: key, name, address.",
        )


async def decide_by_chat(chat: ChatModel, request: NavigatorRequest, *, model: str, advice: str) -> Decision:
    """Ask a chat model about one offer, a second time and more strictly if its first answer cannot be read.

    Args:
        chat: What is asked.
        request: The offer.
        model: How the model is called in errors.
        advice: What a user sets where key, model or address are wrong, as a sentence.

    Returns:
        The decision, with what both calls used.

    Raises:
        NavigatorError: Reason `invalid` after two unreadable answers, `refused`, or as `provider_error` has it.
        ConfigurationError: The provider refuses the key or the request.
        DecisionCancelled: The walk was cancelled before a call.
    """
    prompt = prompt_of(request)
    messages: list[BaseMessage] = [SystemMessage(prompt.instructions), HumanMessage(prompt.shown)]
    used, fault = Usage(), ""
    for _ in range(_TRIES):
        if request.cancellation.cancelled:
            raise DecisionCancelled
        answer = await _answer(chat, messages, model=model, advice=advice)
        used = _sum(used, _usage(answer, messages))
        text = str(answer.text)
        try:
            return replace(parse_decision(text, request.candidates), usage=used)
        except NavigatorError as error:
            fault = str(error)
        messages += [AIMessage(encodable(clip(text, _SHOWN_AGAIN)) or "(nothing)"), HumanMessage(ask_again(fault))]
    raise NavigatorError(f"Twice no answer of {model!r} could be read: {fault}.", reason="invalid")


async def _answer(chat: ChatModel, messages: Sequence[BaseMessage], *, model: str, advice: str) -> AIMessage:
    """Call the model once.

    Raises:
        TocwalkError: What the provider's exception means; or the model refused.
    """
    try:
        answer = await chat.ainvoke(list(messages))
    except Exception as error:
        raise provider_error(error, model=model, advice=advice) from error
    refusal = answer.additional_kwargs.get("refusal")
    finish = answer.response_metadata.get("finish_reason") or answer.response_metadata.get("stop_reason")
    if refusal or finish in ("content_filter", "refusal"):
        raise NavigatorError(f"{model!r} refused to answer: {one_line(str(refusal or finish), 200)}.", reason="refused")
    return answer


def _usage(answer: AIMessage, messages: Sequence[BaseMessage]) -> Usage:
    """Return what a call used, as the provider says; estimated where it says nothing."""
    said = answer.usage_metadata
    if said is None:
        shown = sum(len(encodable(message.text).encode()) for message in messages)
        written = tokens_of_bytes(len(encodable(answer.text).encode()))
        return Usage(calls=1, input_tokens=tokens_of_bytes(shown), output_tokens=written, estimated=True)
    cached = said.get("input_token_details", {}).get("cache_read") or 0
    return Usage(calls=1, input_tokens=said["input_tokens"], output_tokens=said["output_tokens"], cached_tokens=cached)


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cached_tokens=one.cached_tokens + other.cached_tokens,
        estimated=one.estimated or other.estimated,
    )


def _name(chat_model: BaseChatModel) -> str:
    fields: dict[str, Any] = {name: getattr(chat_model, name, None) for name in ("model_name", "model")}
    names = [value for value in fields.values() if isinstance(value, str) and value]
    return ":".join(["chat", chat_model._llm_type, *names[:1]])  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
