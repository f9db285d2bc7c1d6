"""Asking the answering model: one prompt, one JSON object, asked once more where it cannot be read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.constants import TAG_NOSTREAM

from tocwalk.answering.model import AnswerModel
from tocwalk.answering.replies import UnreadableReplyError, read_object
from tocwalk.errors import NavigatorError, ProviderConfigurationError
from tocwalk.navigators.failures import provider_error, rejects_parameter
from tocwalk.navigators.protocol import Usage
from tocwalk.tree import clip, tokens_of_bytes

__all__ = ["Prompt", "Reply", "ask"]

T = TypeVar("T")

_SHOWN_AGAIN = 2000  # characters of a reply that could not be read


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Generic[T]):
    """What the model is asked, and how its answer is read."""

    name: str
    """Of the step: "plan", "judge", "write", "rewrite"."""
    version: str
    instructions: str
    shown: str
    schema: Mapping[str, Any]
    key: str
    """A key that the answer's object must have."""
    read: Callable[[Mapping[str, Any]], T]
    """Returns what the object says; raises `UnreadableReplyError`."""
    streamed: bool = False
    """Whether its tokens are part of a run's messages stream."""


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """What the model said, and what it has used."""

    value: T
    usage: Usage


async def ask(model: AnswerModel, prompt: Prompt[T], *, timeout_s: float) -> Reply[T]:
    """Ask the model, a second time and more strictly if its first answer cannot be read.

    Raises:
        NavigatorError: Reason `invalid` after two unreadable answers, `timeout`, `refused`, or `unavailable`.
        ConfigurationError: The provider refuses the key or the request.
    """
    messages: list[BaseMessage] = [SystemMessage(_sendable(prompt.instructions)), HumanMessage(_sendable(prompt.shown))]
    used = Usage()
    try:
        async with asyncio.timeout(timeout_s), model.opened() as chat:
            while True:
                answer = await _answer(chat, messages, model=model, prompt=prompt)
                used = _sum(used, _usage(answer, messages))
                text = str(answer.text)
                try:
                    return Reply(prompt.read(read_object(text, prompt.key)), used)
                except UnreadableReplyError as error:
                    if used.calls > 1:
                        raise NavigatorError(
                            f"Twice no answer of {model.name!r} to {prompt.name!r} could be read: {error}.",
                            reason="invalid",
                        ) from error
                    messages += [AIMessage(clip(text, _SHOWN_AGAIN) or "(nothing)"), HumanMessage(_again(str(error)))]
    except TimeoutError as error:
        raise NavigatorError(
            f"{model.name!r} gave no answer to {prompt.name!r} within {timeout_s:g} s (`answer_timeout_s`).",
            reason="timeout",
        ) from error


async def _answer(
    chat: Runnable[LanguageModelInput, AIMessage], messages: list[BaseMessage], *, model: AnswerModel, prompt: Prompt[T]
) -> AIMessage:
    """Call the model once; without the schema where a server takes none."""
    config = RunnableConfig(
        run_name=f"answer_{prompt.name}",
        tags=[] if prompt.streamed else [TAG_NOSTREAM],
        metadata={"step": prompt.name, "prompt_version": prompt.version},
    )
    if model.takes_schema:
        schema = {"name": prompt.name, "strict": True, "schema": prompt.schema}
        bound = chat.bind(response_format={"type": "json_schema", "json_schema": schema})
        try:
            return await _called(bound, messages, config, model=model)
        except ProviderConfigurationError as error:
            cause = error.__cause__
            if not isinstance(cause, Exception) or not rejects_parameter(cause, "response_format"):
                raise
    return await _called(chat, messages, config, model=model)


async def _called(
    chat: Runnable[LanguageModelInput, AIMessage],
    messages: list[BaseMessage],
    config: RunnableConfig,
    *,
    model: AnswerModel,
) -> AIMessage:
    try:
        answer = await chat.ainvoke(list(messages), config)
    except Exception as error:
        raise provider_error(error, model=model.name, advice=model.advice) from error
    refusal = answer.additional_kwargs.get("refusal")
    finish = answer.response_metadata.get("finish_reason") or answer.response_metadata.get("stop_reason")
    if refusal or finish in ("content_filter", "refusal"):
        raise NavigatorError(
            f"{model.name!r} refused to answer: {clip(str(refusal or finish), 200)}.", reason="refused"
        )
    return answer


def _again(fault: str) -> str:
    return (
        f"Your answer could not be used: {fault}. Answer again, with one JSON object of the form asked for and nothing"
        " else: no other text, no code fence."
    )


def _usage(answer: AIMessage, messages: list[BaseMessage]) -> Usage:
    """Return what a call used, as the provider says; estimated where it says nothing."""
    if (said := answer.usage_metadata) is not None:
        cached = said.get("input_token_details", {}).get("cache_read") or 0
        return Usage(
            calls=1, input_tokens=said["input_tokens"], output_tokens=said["output_tokens"], cached_tokens=cached
        )
    # Streamed with a schema, langchain-openai leaves the provider's counts here alone.
    raw: Mapping[str, Any] = answer.response_metadata.get("token_usage") or {}
    if "prompt_tokens" in raw and "completion_tokens" in raw:
        details: Mapping[str, Any] = raw.get("prompt_tokens_details") or {}
        cached = details.get("cached_tokens") or 0
        return Usage(
            calls=1, input_tokens=raw["prompt_tokens"], output_tokens=raw["completion_tokens"], cached_tokens=cached
        )
    shown = sum(len(str(message.text).encode()) for message in messages)
    written = tokens_of_bytes(len(str(answer.text).encode()))
    return Usage(calls=1, input_tokens=tokens_of_bytes(shown), output_tokens=written, estimated=True)


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cached_tokens=one.cached_tokens + other.cached_tokens,
        estimated=one.estimated or other.estimated,
    )


def _sendable(text: str) -> str:
    """Replace what cannot be encoded: a lone surrogate would fail in the middle of a request."""
    return text.encode(errors="replace").decode()
