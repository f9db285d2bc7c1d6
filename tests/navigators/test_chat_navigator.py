"""A LangChain chat model that is handed over in code."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from offer_building import picked, request_of

from tocwalk.errors import CredentialError, NavigatorError, ProviderConfigurationError, SettingsError, TocwalkError
from tocwalk.models.failures import provider_error
from tocwalk.navigators.chat import ChatNavigator
from tocwalk.navigators.protocol import Usage
from tocwalk.navigators.registry import navigator_of
from tocwalk.testing import ScriptedNavigator

TAKE = '{"reasoning": "r", "action": "pick", "picks": [{"ref": "2.1", "action": "take"}]}'


def chat(*answers: AIMessage | str) -> ChatNavigator:
    """Return a navigator whose model gives these answers."""
    return ChatNavigator(GenericFakeChatModel(messages=iter(answers)))


async def test_any_chat_model_can_be_asked() -> None:
    """It needs no structured output: the prompt asks for JSON, and what comes is read."""
    decision = await chat(f"Here: {TAKE}").decide(request_of())

    assert picked(decision) == [("2.1", "take")]
    assert decision.usage.estimated


async def test_usage_is_taken_from_the_message() -> None:
    """LangChain's usage metadata is the provider's count."""
    said = {"input_tokens": 50, "output_tokens": 5, "total_tokens": 55, "input_token_details": {"cache_read": 40}}

    decision = await chat(AIMessage(TAKE, usage_metadata=said)).decide(request_of())

    assert decision.usage == Usage(calls=1, input_tokens=50, output_tokens=5, cached_tokens=40)


async def test_content_in_blocks_is_read() -> None:
    """Models that answer in blocks, thoughts apart, are read by their text."""
    message = AIMessage([{"type": "reasoning", "reasoning": "stop?"}, {"type": "text", "text": TAKE}])

    assert picked(await chat(message).decide(request_of())) == [("2.1", "take")]


async def test_an_unreadable_answer_is_asked_again_once() -> None:
    """The second answer counts; a third is not asked for."""
    assert picked(await chat("Well, 2 or 3", TAKE).decide(request_of())) == [("2.1", "take")]
    with pytest.raises(NavigatorError, match="Twice no answer") as caught:
        await chat("Well, 2 or 3", "Or 4", TAKE).decide(request_of())
    assert caught.value.reason == "invalid"


async def test_an_answer_with_a_lone_surrogate_is_asked_again_once() -> None:
    """An answer that has no bytes is unreadable, not a failure: it is quoted without what cannot be sent."""
    broken = f"\ud83d {TAKE}"

    assert picked(await chat(broken, TAKE).decide(request_of())) == [("2.1", "take")]
    with pytest.raises(NavigatorError, match="lone surrogates") as caught:
        await chat(broken, broken).decide(request_of())
    assert caught.value.reason == "invalid"


async def test_a_refusal_is_named() -> None:
    """A provider that ends by refusing has refused, whatever text came with it."""
    message = AIMessage("I cannot.", response_metadata={"stop_reason": "refusal"})

    with pytest.raises(NavigatorError) as caught:
        await chat(message).decide(request_of())

    assert caught.value.reason == "refused"


def test_what_is_handed_over_becomes_a_navigator() -> None:
    """A navigator is itself; a chat model is asked by a chat navigator; nothing else will do."""
    navigator = ScriptedNavigator([])
    model = navigator_of(GenericFakeChatModel(messages=iter([])))

    assert navigator_of(navigator) is navigator
    assert isinstance(model, ChatNavigator)
    assert model.supports(model.model)
    assert not model.supports("chat:other")
    for other in (None, "openai:gpt-5-mini", ScriptedNavigator):
        with pytest.raises(SettingsError, match="is not a navigator"):
            navigator_of(other)


class ProviderFailureError(Exception):
    """An exception as providers' packages make them."""

    def __init__(self, status: int, headers: dict[str, str] | None = None, **fields: Any) -> None:
        """Carry a status and a response with headers."""
        super().__init__(f"failed with {status}")
        self.status_code = status
        self.response = type("Response", (), {"headers": headers or {}, "status_code": status})()
        self.__dict__.update(fields)


class APITimeoutError(Exception):
    """Named as providers name it."""


@pytest.mark.parametrize(
    ("error", "kind", "reason"),
    [
        (ProviderFailureError(401), CredentialError, None),
        (ProviderFailureError(403), CredentialError, None),
        (ProviderFailureError(400), ProviderConfigurationError, None),
        (ProviderFailureError(404), ProviderConfigurationError, None),
        (ProviderFailureError(422), ProviderConfigurationError, None),
        (ProviderFailureError(400, code="content_filter"), NavigatorError, "refused"),
        (ProviderFailureError(408), NavigatorError, "unavailable"),
        (ProviderFailureError(429), NavigatorError, "unavailable"),
        (ProviderFailureError(503), NavigatorError, "unavailable"),
        (ProviderFailureError(200), NavigatorError, "invalid"),
        (APITimeoutError(), NavigatorError, "timeout"),
        (ConnectionResetError("gone"), NavigatorError, "unavailable"),
        (TimeoutError(), NavigatorError, "timeout"),
        (KeyError("choices"), NavigatorError, "invalid"),
        (RuntimeError("bug"), NavigatorError, "failed"),
    ],
)
def test_a_providers_exception_says_what_it_means(
    error: Exception, kind: type[TocwalkError], reason: str | None
) -> None:
    """By status, else by name: set up wrongly, away for now, refused, or failed."""
    meant = provider_error(error, model="chat:model", advice="Look here.")

    assert type(meant) is kind
    assert getattr(meant, "reason", None) == reason
    assert "chat:model" in str(meant)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"}, 0.0),
        ({"retry-after": "Sun, 06 Nov 99999999999 08:49:37 GMT"}, None),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:37 +99999999999999999999"}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds or a date; what cannot be read is as if unsaid."""
    meant = provider_error(ProviderFailureError(429, headers), model="m", advice="")

    assert isinstance(meant, NavigatorError)
    assert meant.retry_after == seconds
