"""LangChain's client for OpenAI's protocol, made to take what servers send that do not keep to it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Self

from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import model_validator

from tocwalk.models.body_limit import BodyLimitError
from tocwalk.models.replies import LARGEST_REPLY, as_list, as_object
from tocwalk.models.usage import usable_usage

__all__ = ["TolerantChatOpenAI"]


class TolerantChatOpenAI(ChatOpenAI):
    """A usage that cannot be read is none; LangChain's own client loses the answer with it.

    What is overridden here is what LangChain's packages for other servers override too.
    """

    @model_validator(mode="after")
    def _without_warnings(self) -> Self:
        self.async_client = _Completions(self.async_client)
        return self

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        sent = _with_usable_usage(_as_sent(response))
        made = super()._create_chat_result(sent, generation_info)
        for generation, choice in zip(made.generations, sent["choices"], strict=True):
            # As they were written: in what LangChain has parsed, 2.10 is 2.1.
            generation.message.additional_kwargs["tool_calls"] = choice["message"].get("tool_calls")
        return made

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        usable = _with_usable_usage(chunk)
        made = super()._convert_chunk_to_generation_chunk(usable, default_chunk_class, base_generation_info)
        if made is not None and (refusal := _refusal(usable)):
            made.message.additional_kwargs["refusal"] = refusal
        return made


class _Completions:
    """OpenAI's own client, whose parts of a stream are JSON values as they were sent."""

    def __init__(self, completions: Any) -> None:
        self._completions = completions
        self.with_raw_response = completions.with_raw_response

    async def create(self, **payload: Any) -> Any:
        return _parts(await self._completions.create(**payload))


@asynccontextmanager
async def _parts(stream: Any) -> AsyncGenerator[AsyncIterator[Any], None]:
    async with stream:
        yield _bounded(stream)


async def _bounded(stream: Any) -> AsyncIterator[Any]:
    """Yield the parts of a stream until they say more than is read of an answer.

    Whoever shows the answer as it comes, servers among them, may show all that has come again with every part.
    """
    left = LARGEST_REPLY
    async for part in stream:
        sent = _as_sent(part)
        left -= len(str(_delta(sent).get("content") or ""))
        if left < 0:
            raise BodyLimitError(f"the answer has more than {LARGEST_REPLY} characters")
        yield sent


def _as_sent(response: Any) -> Any:
    """Return a response as JSON values, without a warning of those that are not what they should be."""
    dump = getattr(response, "model_dump", None)
    return dump(warnings=False) if callable(dump) else response


def _with_usable_usage(sent: Any) -> Any:
    said = as_object(sent)
    return sent if said is None else {**said, "usage": usable_usage(said.get("usage"))}


def _refusal(part: dict[str, Any]) -> str:
    """Return what a part of a stream says of a refusal, of which LangChain's own takes no notice."""
    said = _delta(part).get("refusal")
    return said if isinstance(said, str) else ""


def _delta(part: Any) -> Mapping[str, Any]:
    """Return what a part of a stream adds to the answer; nothing where it is of another form."""
    choices = as_list((as_object(part) or {}).get("choices"))
    return as_object((as_object(choices[0]) or {}).get("delta")) or {} if choices else {}
