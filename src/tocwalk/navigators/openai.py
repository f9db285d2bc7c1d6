"""`openai:MODEL`: OpenAI's models, or those of any server that speaks its protocol (vLLM, llama.cpp, Ollama, …)."""

from __future__ import annotations

import asyncio
import importlib
import ipaddress
import os
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tocwalk.errors import CredentialError, ProviderConfigurationError, SettingsError
from tocwalk.navigators.failures import rejects_parameter
from tocwalk.navigators.parse import answer_schema
from tocwalk.navigators.protocol import Candidate, Decision, NavigatorRequest
from tocwalk.state.operator import OperatorSettings

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

__all__ = ["FORBID_REAL_MODELS", "OpenAINavigator"]

FORBID_REAL_MODELS = "TOCWALK_FORBID_REAL_MODELS"
"""Environment variable: set to 1, only servers on this machine are asked. For tests."""

_PREFIX = "openai:"
_OPENAI = "https://api.openai.com/v1"
_CONNECT_S = 10.0  # to reach the server at all; the answer has the walk's own deadline


class OpenAINavigator:
    """Asks a model through OpenAI's chat completions."""

    examples = ("openai:gpt-5-mini", "openai:gpt-4.1-mini")
    needs = "OPENAI_API_KEY; for another server than OpenAI's also TOCWALK_OPENAI_BASE_URL"

    def __init__(self, operator: OperatorSettings | None = None) -> None:
        """Take key, address and limits from the operator; None: from the environment."""
        self._operator = operator or OperatorSettings.from_environment()
        self._base_url = self._operator.openai_base_url or _OPENAI
        self._connections: dict[asyncio.AbstractEventLoop, _Connections] = {}
        self._without_temperature: set[str] = set()

    def __repr__(self) -> str:
        return f"OpenAINavigator({self._base_url!r})"

    def supports(self, model: str) -> bool:
        """Whether `model` is "openai:" and a name."""
        return model.startswith(_PREFIX) and bool(model.removeprefix(_PREFIX).strip())

    def check(self, model: str) -> None:
        """Raise what would else fail with the first call, and import what is slow to import.

        Raises:
            CredentialError: There is no key, or none that an HTTP header can carry.
            SettingsError: The address is none, or not one of this machine where only those may be asked.
        """
        key = self._operator.openai_api_key
        if key is None:
            raise CredentialError(
                f"{model!r} needs a key: set OPENAI_API_KEY. For a server that asks for none, any word will do."
            )
        if not (key.get_secret_value().isascii() and key.get_secret_value().isprintable()):
            raise CredentialError(
                f"The key for {model!r} holds characters other than printable ASCII: set OPENAI_API_KEY anew."
            )
        host = _host(self._base_url)
        if os.environ.get(FORBID_REAL_MODELS, "0") not in ("", "0") and not _on_this_machine(host):
            raise SettingsError(
                f"{FORBID_REAL_MODELS} is set, so {model!r} at {self._base_url!r} is not asked; unset it, or set"
                " TOCWALK_OPENAI_BASE_URL to a server on this machine."
            )
        importlib.import_module("langchain_openai")

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Ask the model about one offer.

        The temperature is 0; for a model that takes none it is left out from then on.

        Raises:
            NavigatorError: No readable answer, a refusal, or the server is unavailable.
            ConfigurationError: Key, address or model are missing or refused.
            DecisionCancelled: The walk was cancelled before a call.
        """
        # The first import and reading certificates block.
        await asyncio.to_thread(self.check, request.model)
        try:
            return await self._ask(request)
        except ProviderConfigurationError as error:
            cause = error.__cause__
            if request.model in self._without_temperature or not isinstance(cause, Exception):
                raise
            if not rejects_parameter(cause, "temperature"):
                raise
            self._without_temperature.add(request.model)
        return await self._ask(request)

    async def aclose(self) -> None:
        """Close the connections of the running event loop; they are also closed when it shuts down."""
        connections = self._connections.pop(asyncio.get_running_loop(), None)
        if connections:
            await connections.aclose()

    async def _ask(self, request: NavigatorRequest) -> Decision:
        from tocwalk.navigators.chat import decide_by_chat

        connections = await self._opened()
        temperature = None if request.model in self._without_temperature else 0.0
        chat = await asyncio.to_thread(connections.chat, request.model.removeprefix(_PREFIX), temperature)
        async with connections.calls:
            return await decide_by_chat(
                chat.bind(response_format=_response_format(request.candidates)),
                request,
                model=request.model,
                advice=f"Look at the model's name, OPENAI_API_KEY and TOCWALK_OPENAI_BASE_URL ({self._base_url!r}).",
            )

    async def _opened(self) -> _Connections:
        """Return the connections of the running event loop: they cannot be used on another."""
        loop = asyncio.get_running_loop()
        if loop not in self._connections:
            for other in list(self._connections):
                if other.is_closed():
                    self._connections.pop(other, None)
            opened = await asyncio.to_thread(_Connections, self._operator, self._base_url)
            if self._connections.setdefault(loop, opened) is opened:
                await opened.close_with_loop()
        return self._connections[loop]


class _Connections:
    """The connections that are made on one event loop, and closed with it."""

    def __init__(self, operator: OperatorSettings, base_url: str) -> None:
        import openai

        self.calls = asyncio.Semaphore(operator.calls_in_flight)
        self._key = operator.openai_api_key
        self._base_url = base_url
        self._http = openai.DefaultAsyncHttpxClient(timeout=openai.Timeout(None, connect=_CONNECT_S))
        self._chats: dict[tuple[str, float | None], ChatOpenAI] = {}
        self._lifetime = self._until_the_loop_ends()

    async def close_with_loop(self) -> None:
        """See to it that the connections are closed when the running event loop shuts down."""
        await anext(self._lifetime)

    async def aclose(self) -> None:
        """Close them now."""
        await self._lifetime.aclose()

    def chat(self, name: str, temperature: float | None) -> ChatOpenAI:
        """Return LangChain's client for a model; slow the first time."""
        from langchain_openai import ChatOpenAI

        if (name, temperature) not in self._chats:
            self._chats[name, temperature] = ChatOpenAI(
                model=name,
                temperature=temperature,
                base_url=self._base_url,
                api_key=self._key,
                http_async_client=self._http,
                timeout=self._http.timeout,
                # Retries are made around the navigator, inside the walk's deadline.
                max_retries=0,
                # Other servers have no such API, whatever a model is called.
                use_responses_api=False,
                # A walk that is streamed needs no decisions in pieces, and would lose their usage.
                disable_streaming=True,
            )
        return self._chats[name, temperature]

    async def _until_the_loop_ends(self) -> AsyncGenerator[None, None]:
        # An event loop that shuts down closes the async generators that were begun on it.
        try:
            yield
        finally:
            await self._http.aclose()


def _response_format(candidates: Sequence[Candidate]) -> dict[str, Any]:
    schema = {"name": "decision", "strict": True, "schema": answer_schema(candidates)}
    return {"type": "json_schema", "json_schema": schema}


def _host(base_url: str) -> str:
    """Return the host of an address.

    Raises:
        SettingsError: It is no address of a web server.
    """
    try:
        address = urlsplit(base_url)
        host = address.hostname if address.scheme in ("http", "https") and address.port != 0 else None
    except ValueError:  # an open bracket, or a port that is none
        host = None
    if not host:
        raise SettingsError(f"TOCWALK_OPENAI_BASE_URL must be a URL like {_OPENAI!r}, got {base_url!r}.")
    return host


def _on_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
