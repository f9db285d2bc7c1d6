"""`openai:MODEL`: OpenAI's models, or those of any server that speaks its protocol (vLLM, llama.cpp, Ollama, …)."""

from __future__ import annotations

import asyncio
import importlib
import ipaddress
import os
import ssl
from collections.abc import AsyncGenerator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from pydantic import SecretStr

from tocwalk.errors import CredentialError, SettingsError
from tocwalk.state.operator import OperatorSettings

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

    from tocwalk.models.forms import Parameters

__all__ = ["FORBID_REAL_MODELS", "Server", "on_this_machine", "real_models_are_forbidden", "server_of"]

FORBID_REAL_MODELS = "TOCWALK_FORBID_REAL_MODELS"
"""Environment variable: set to 1, only servers on this machine are asked. For tests."""

_OPENAI = "https://api.openai.com/v1"
_CONNECT_S = 10.0  # to reach the server at all; the answer has the caller's own deadline


class Server(NamedTuple):
    """Where models are served, and the key to it."""

    base_url: str
    key: SecretStr | None

    def check(self, model: str) -> None:
        """Raise what would else fail with the first call, and import what is slow to import.

        Raises:
            CredentialError: There is no key, or none that an HTTP header can carry.
            SettingsError: The address is none, or not one of this machine where only those may be asked.
        """
        if self.key is None:
            raise CredentialError(
                f"{model!r} needs a key: set OPENAI_API_KEY. For a server that asks for none, any word will do."
            )
        if not (self.key.get_secret_value().isascii() and self.key.get_secret_value().isprintable()):
            raise CredentialError(
                f"The key for {model!r} holds characters other than printable ASCII: set OPENAI_API_KEY anew."
            )
        host = _host(self.base_url)
        if real_models_are_forbidden() and not on_this_machine(host):
            raise SettingsError(
                f"{FORBID_REAL_MODELS} is set, so {model!r} at {self.base_url!r} is not asked; unset it, or set"
                " TOCWALK_OPENAI_BASE_URL to a server on this machine."
            )
        importlib.import_module("tocwalk.models.openai_chat")

    async def chat(self, name: str, parameters: Parameters) -> ChatOpenAI:
        """Return LangChain's client for a model on the running event loop, connected as the others of this server."""
        connections = await self._connected()
        return await asyncio.to_thread(connections.chat, name, parameters)

    async def aclose(self) -> None:
        """Close the connections of the running event loop; they are also closed when it shuts down."""
        connections = _open.pop((asyncio.get_running_loop(), self), None)
        if connections:
            await connections.aclose()

    async def _connected(self) -> _Connections:
        """Return the connections of the running event loop: they cannot be used on another."""
        at = (asyncio.get_running_loop(), self)
        if at not in _open:
            for other in list(_open):
                if other[0].is_closed():
                    _open.pop(other, None)
            opened = await asyncio.to_thread(_Connections, self)
            if _open.setdefault(at, opened) is opened:
                await opened.close_with_loop()
        return _open[at]


def server_of(operator: OperatorSettings) -> Server:
    """Return the operator's server."""
    # Named, so that no variable but the operator's own decides where it is.
    return Server(operator.openai_base_url or _OPENAI, operator.openai_api_key)


class _Connections:
    """The connections to a server that are made on one event loop, and closed with it."""

    def __init__(self, server: Server) -> None:
        import openai

        from tocwalk.models.body_limit import UNPACKED, limit_body

        timeout = openai.Timeout(None, connect=_CONNECT_S)
        self._server = server
        self._http = openai.DefaultAsyncHttpxClient(
            timeout=timeout,
            verify=_certificates(),
            headers=UNPACKED,
            # Questions and outlines go to the operator's address, and to none that its server names.
            follow_redirects=False,
            event_hooks={"response": [limit_body]},
        )
        self._chats: dict[tuple[str, Parameters], ChatOpenAI] = {}
        self._lifetime = self._until_the_loop_ends()

    async def close_with_loop(self) -> None:
        """See to it that the connections are closed when the running event loop shuts down."""
        await anext(self._lifetime)

    async def aclose(self) -> None:
        """Close them now."""
        await self._lifetime.aclose()

    def chat(self, name: str, parameters: Parameters) -> ChatOpenAI:
        """Return LangChain's client for a model; slow the first time."""
        from tocwalk.models.openai_chat import TolerantChatOpenAI

        if (name, parameters) not in self._chats:
            self._chats[name, parameters] = TolerantChatOpenAI(
                model=name,
                temperature=parameters.temperature,
                max_completion_tokens=parameters.max_tokens,
                base_url=self._server.base_url,
                api_key=self._server.key,
                http_async_client=self._http,
                timeout=self._http.timeout,
                # Retries are made around the call, inside the caller's deadline.
                max_retries=0,
                # Other servers have no such API, whatever a model is called.
                use_responses_api=False,
                stream_usage=True,
            )
        return self._chats[name, parameters]

    async def _until_the_loop_ends(self) -> AsyncGenerator[None, None]:
        # An event loop that shuts down closes the async generators that were begun on it.
        try:
            yield
        finally:
            await self._http.aclose()


_open: dict[tuple[asyncio.AbstractEventLoop, Server], _Connections] = {}


@cache
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


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


def real_models_are_forbidden() -> bool:
    """Whether only servers on this machine may be asked."""
    return os.environ.get(FORBID_REAL_MODELS, "0") not in ("", "0")


def on_this_machine(host: str) -> bool:
    """Whether a host is this machine, by its name or address alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
