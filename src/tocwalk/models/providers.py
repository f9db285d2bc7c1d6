"""`chat:PROVIDER:MODEL`: the models of every provider that LangChain has a package for."""

from __future__ import annotations

import asyncio
import importlib
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tocwalk.errors import NavigatorResolutionError, SettingsError
from tocwalk.models.forms import Parameters
from tocwalk.models.openai import FORBID_REAL_MODELS, on_this_machine, real_models_are_forbidden

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["check_provider", "provider_chat"]

_EXTRA = "pip install 'tocwalk[chat]'"
_ADDRESSES = ("openai_api_base", "azure_endpoint", "anthropic_api_url", "base_url", "endpoint")


def check_provider(provider: str, model: str) -> None:
    """Raise what would else fail with the first call, and import what is slow to import.

    Raises:
        SettingsError: LangChain or the provider's package is missing, or the package says what else is; or only models
            on this machine may be asked.
        NavigatorResolutionError: LangChain knows no such provider.
    """
    chat = _made(provider, model, Parameters())
    hosts = [urlsplit(address).hostname for name in _ADDRESSES if isinstance(address := getattr(chat, name, None), str)]
    if real_models_are_forbidden() and not any(map(on_this_machine, filter(None, hosts))):
        raise SettingsError(
            f"{FORBID_REAL_MODELS} is set, so 'chat:{provider}:{model}' is not asked; unset it, or give the provider's"
            " package the address of a server on this machine."
        )


async def provider_chat(provider: str, model: str, parameters: Parameters) -> BaseChatModel:
    """Return LangChain's model; see `check_provider` for what it raises."""
    return await asyncio.to_thread(_made, provider, model, parameters)


@cache
def _made(provider: str, model: str, parameters: Parameters) -> BaseChatModel:
    name = f"chat:{provider}:{model}"
    try:
        make: Any = importlib.import_module("langchain.chat_models").init_chat_model
    except ImportError as error:
        raise SettingsError(f"{name!r} needs LangChain, which is not installed: {_EXTRA}.") from error
    try:
        # Retries are made around the call, inside the caller's deadline.
        chat: BaseChatModel = make(model, model_provider=provider, max_retries=0, **parameters.given())
    except ImportError as error:
        raise SettingsError(f"{name!r} needs the provider's package: {error}") from error
    except Exception as error:
        # Whatever the package raises where a key or an address is missing.
        if "Unsupported provider" in str(error) or "Unsupported model" in str(error):
            raise NavigatorResolutionError(f"LangChain knows no provider {provider!r} ({name!r}): {error}") from error
        raise SettingsError(
            f"{name!r} cannot be used as it is set up: {type(error).__name__}: {error}. Look at the variables that the"
            " provider's LangChain package reads its key and address from."
        ) from error
    return chat
