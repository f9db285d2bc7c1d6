"""From the name of a model to a model that can be asked."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from tocwalk.errors import NavigatorResolutionError
from tocwalk.models.forms import Manner
from tocwalk.models.model import ChatModel, Known
from tocwalk.models.openai import server_of
from tocwalk.state.operator import OperatorSettings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["OPENAI", "chat_model"]

OPENAI = "openai:"

_known: dict[Hashable, Known] = {}


def chat_model(name: str, operator: OperatorSettings) -> ChatModel:
    """Return the model that a name stands for, checked as far as that is possible without a call. May import: blocks.

    Args:
        name: "openai:MODEL": any server that speaks OpenAI's protocol, at the operator's address.
        operator: Allow-list, address, key, limits.

    Raises:
        NavigatorResolutionError: The operator does not allow the model, or it is of no kind that is known.
        CredentialError: There is no key, or it cannot be one.
        SettingsError: The address is none, or may not be asked.
    """
    if not operator.allows(name):
        raise NavigatorResolutionError(
            f"{name!r} may not be asked: the operator's TOCWALK_MODELS is {operator.models!r}."
        )
    if name.startswith(OPENAI) and name.removeprefix(OPENAI).strip():
        return _openai(name, operator)
    raise NavigatorResolutionError(
        f"No chat model {name!r} is known: name one like `openai:gpt-5-mini` (any server that speaks OpenAI's"
        " protocol, through TOCWALK_OPENAI_BASE_URL), or hand over a LangChain chat model in code."
    )


def _openai(name: str, operator: OperatorSettings) -> ChatModel:
    server = server_of(operator)
    server.check(name)

    async def made(temperature: float | None) -> BaseChatModel:
        return await server.chat(name.removeprefix(OPENAI), temperature)

    return ChatModel(
        name=name,
        advice=f"Look at the model's name, OPENAI_API_KEY and TOCWALK_OPENAI_BASE_URL ({server.base_url!r}).",
        made=made,
        known=_known.setdefault((server.base_url, name), Known(Manner(("schema", "tool", "text")))),
        operator=operator,
    )
