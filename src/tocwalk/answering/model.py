"""The chat model that plans, judges and writes: handed over in code, or the operator's."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from langchain_core.language_models import BaseChatModel

from tocwalk.errors import NavigatorResolutionError, SettingsError
from tocwalk.navigators.openai import OpenAINavigator
from tocwalk.state.operator import OperatorSettings

if TYPE_CHECKING:
    import openai

__all__ = ["AnswerModel", "answer_model"]

_RETRIES = 3  # inside the client: after 429, 5xx and lost connections, as the server says or with growing pauses
_CONNECT_S = 10.0
_OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerModel:
    """A chat model that can be asked."""

    name: str
    """As asked for: "openai:gpt-5-mini"; of a model that was handed over, the name of its type."""
    opened: Callable[[], AbstractAsyncContextManager[BaseChatModel]]
    """Makes the model ready for the running event loop."""
    takes_schema: bool
    """Whether it is sent the JSON schema of its answer in OpenAI's form."""
    advice: str
    """What a user sets where key, model or address are wrong, as a sentence."""


def answer_model(given: BaseChatModel | None, named: str | None, operator: OperatorSettings) -> AnswerModel:
    """Return the model of a run.

    Args:
        given: Handed over in code; goes before all else.
        named: The context's `answer_model`; None: the operator's.
        operator: Allow-list, key, address, and the model for those who name none.

    Raises:
        SettingsError: There is no model: the message says how to set one.
        NavigatorResolutionError: The operator does not allow the model, or nothing here can ask it.
        CredentialError: There is no key.
    """
    if given is not None:
        return _handed_over(given)
    name = named or operator.answer_model
    if not name:
        raise SettingsError(
            "Answers are written by a chat model, and none is set. Set TOCWALK_ANSWER_MODEL=openai:gpt-5-mini and"
            " OPENAI_API_KEY in the environment, or `answer_model` in the context; in code, hand one over:"
            " build_answer_graph(model=...)."
        )
    if not operator.allows(name):
        raise NavigatorResolutionError(
            f"{name!r} may not be asked: the operator's TOCWALK_MODELS is {operator.models!r}."
        )
    provider = OpenAINavigator(operator)
    if not provider.supports(name):
        raise NavigatorResolutionError(
            f"No answering model {name!r} is known: name one like `openai:gpt-5-mini` (any server that speaks OpenAI's"
            " protocol, through TOCWALK_OPENAI_BASE_URL), or hand over a LangChain chat model in code."
        )
    provider.check(name)
    return _openai(name, operator)


def _handed_over(chat: BaseChatModel) -> AnswerModel:
    @asynccontextmanager
    async def opened() -> AsyncGenerator[BaseChatModel, None]:
        yield chat

    advice = "Look at how the chat model was made: key, name, address."
    return AnswerModel(name=type(chat).__name__, opened=opened, takes_schema=False, advice=advice)


def _openai(name: str, operator: OperatorSettings) -> AnswerModel:
    """Return a model of OpenAI's, or of a server that speaks its protocol.

    Connections belong to an event loop, so each call makes its own; what is slow to make, the certificates, is shared.
    """

    @asynccontextmanager
    async def opened() -> AsyncGenerator[BaseChatModel, None]:
        import openai
        from langchain_openai import ChatOpenAI

        timeout = openai.Timeout(None, connect=_CONNECT_S)
        # Certificates and proxies are read from files, and so is what LangChain's client wants to know.
        async with await asyncio.to_thread(_http_client, timeout) as http:
            yield await asyncio.to_thread(
                ChatOpenAI,
                model=name.partition(":")[2],
                # Named, so that no variable but the operator's own decides where it is.
                base_url=operator.openai_base_url or _OPENAI,
                api_key=operator.openai_api_key,
                http_async_client=http,
                timeout=timeout,
                max_retries=_RETRIES,
                # Other servers have no such API, whatever a model is called.
                use_responses_api=False,
                stream_usage=True,
            )

    advice = "Look at the model's name, OPENAI_API_KEY and TOCWALK_OPENAI_BASE_URL."
    return AnswerModel(name=name, opened=opened, takes_schema=True, advice=advice)


def _http_client(timeout: openai.Timeout) -> openai.DefaultAsyncHttpxClient:
    import openai

    return openai.DefaultAsyncHttpxClient(timeout=timeout, verify=_certificates())


@cache
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()
