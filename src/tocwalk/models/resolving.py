"""From the name of a model to a model that can be asked."""

from __future__ import annotations

from collections.abc import Hashable
from urllib.parse import urlsplit

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.constants import TAG_NOSTREAM

from tocwalk.errors import NavigatorResolutionError
from tocwalk.models.forms import Asked, Manner, Parameters
from tocwalk.models.home import at_home
from tocwalk.models.model import ChatModel, Known
from tocwalk.models.openai import server_of
from tocwalk.models.providers import check_provider, provider_chat
from tocwalk.state.operator import OperatorSettings
from tocwalk.tree import clip

__all__ = ["chat_model"]

_LONGEST = 500
"""Characters of a name, which errors show and this process keeps: anybody may send one."""

_known: dict[Hashable, Known] = {}


def chat_model(name: str, operator: OperatorSettings) -> ChatModel:
    """Return the model that a name stands for, checked as far as that is possible without a call. May import: blocks.

    Args:
        name: "openai:MODEL": any server that speaks OpenAI's protocol, at the operator's address; or
            "chat:PROVIDER:MODEL": any provider that LangChain has a package for, which reads its own variables.
        operator: Allow-list, address, key, limits.

    Raises:
        NavigatorResolutionError: The operator does not allow the model, it is of no kind that is known, or its name is
            too long.
        CredentialError: There is no key, or it cannot be one.
        SettingsError: The address is none, or may not be asked; or a package is missing.
    """
    if len(name) > _LONGEST:
        raise NavigatorResolutionError(
            f"A model's name has {_LONGEST} characters at most, {clip(name, 60)!r} has {len(name)}; look it up."
        )
    if not operator.allows(name):
        raise NavigatorResolutionError(
            f"{name!r} may not be asked: the operator's TOCWALK_MODELS is {operator.models!r}."
        )
    kind, _, model = name.partition(":")
    provider, _, of_provider = model.partition(":")
    if kind == "openai" and model.strip():
        return _openai(name, model, operator)
    if kind == "chat" and provider.strip() and of_provider.strip():
        return _of_provider(name, provider, of_provider, operator)
    raise NavigatorResolutionError(
        f"No chat model {name!r} is known: name one like `openai:gpt-5-mini` (any server that speaks OpenAI's"
        " protocol, through TOCWALK_OPENAI_BASE_URL) or `chat:anthropic:MODEL` (any provider that LangChain has a"
        " package for), or hand over a LangChain chat model in code."
    )


def _openai(name: str, model: str, operator: OperatorSettings) -> ChatModel:
    server = server_of(operator)
    server.check(name)

    async def made(parameters: Parameters) -> BaseChatModel:
        return await server.chat(model, parameters)

    async def invoke(asked: Asked, messages: list[BaseMessage], config: RunnableConfig) -> AIMessage:
        # Under a graph that streams its messages a call would stream too, though nobody shows what it says.
        quiet = TAG_NOSTREAM in config.get("tags", ())
        return await (asked.bind(stream=False) if quiet else asked).ainvoke(messages, config)

    return ChatModel(
        name=name,
        advice=_advice(server.base_url),
        made=made,
        invoke=invoke,
        known=_known.setdefault((server.base_url, name), Known(Manner(("schema", "tool", "text")))),
        operator=operator,
    )


def _advice(base_url: str) -> str:
    ending = "" if urlsplit(base_url).path.strip("/") else ", and most such addresses end in '/v1'"
    return f"Look at the model's name, OPENAI_API_KEY and TOCWALK_OPENAI_BASE_URL ({base_url!r}{ending})."


def _of_provider(name: str, provider: str, model: str, operator: OperatorSettings) -> ChatModel:
    check_provider(provider, model)

    async def made(parameters: Parameters) -> BaseChatModel:
        return await provider_chat(provider, model, parameters)

    async def invoke(asked: Asked, messages: list[BaseMessage], config: RunnableConfig) -> AIMessage:
        return await at_home(asked.ainvoke(messages, config))

    return ChatModel(
        name=name,
        advice=f"Look at the model's name and at the variables that LangChain's package for {provider!r} reads.",
        made=made,
        invoke=invoke,
        known=_known.setdefault(name, Known(Manner(("tool", "text")))),
        operator=operator,
    )
