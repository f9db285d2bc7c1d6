"""`chat:PROVIDER:MODEL`: LangChain's own packages, here that for OpenAI against a server on this machine."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from stub_openai import StubOpenAI
from tocwalk.errors import ConfigurationError, NavigatorError, NavigatorResolutionError, SettingsError
from tocwalk.models import providers
from tocwalk.models.asking import Prompt, Reply, ask
from tocwalk.models.cancellation import CallCancelled, Cancellation
from tocwalk.models.replies import object_reader, object_schema
from tocwalk.models.resolving import chat_model
from tocwalk.state.operator import OperatorSettings

OUTLINE = "Opened: document Lease\n\nOutline:\n[1] Rent\n[3] Schedules\nEnd of the outline."
PROMPT: Prompt[Any] = Prompt(
    name="decision",
    version="1",
    instructions="Pick a section.",
    shown=OUTLINE,
    schema=object_schema(picks={"type": "array", "items": object_schema(ref={"type": "string"})}),
    read=object_reader("picks", lambda said: said["picks"][0]["ref"]),
)


async def reply_of(model: str, **fields: Any) -> Reply[str]:
    """Ask a model of the stub through LangChain's package."""
    return await ask(chat_model(f"chat:openai:{model}", OperatorSettings()), PROMPT, **{"timeout_s": 20, **fields})


@pytest.mark.usefixtures("provider")
async def test_a_model_is_asked_to_call_a_function(stub: StubOpenAI) -> None:
    """The form of the answer is a function's parameters, which every provider's package knows how to send."""
    reply = await reply_of("tools-only")

    assert reply.value == "3"
    assert stub.bodies[0]["tools"][0]["function"]["parameters"] == PROMPT.schema
    assert stub.bodies[0]["temperature"] == 0
    assert (reply.usage.input_tokens, reply.usage.cached_tokens, reply.usage.reasoning_tokens) == (1000, 900, 15)


@pytest.mark.usefixtures("provider")
async def test_a_provider_without_functions_is_asked_in_text_from_then_on(stub: StubOpenAI) -> None:
    """A request that is refused for its function is made again without, once."""
    assert [(await reply_of("text-only")).value for _ in range(2)] == ["3", "3"]
    assert ["tools" in body for body in stub.bodies] == [True, False, False]


@pytest.mark.usefixtures("provider")
async def test_a_model_without_temperature_is_asked_without(stub: StubOpenAI) -> None:
    """As with `openai:`, a temperature that is refused is left out from then on."""
    await reply_of("no-temperature")

    assert ["temperature" in body for body in stub.bodies] == [True, False]


@pytest.mark.usefixtures("provider")
@pytest.mark.parametrize(("model", "bounds"), [("good", [16_384]), ("small-context", [16_384, None])])
async def test_what_a_provider_s_model_may_write_is_bounded(
    stub: StubOpenAI, model: str, bounds: list[int | None]
) -> None:
    """The package is told how many tokens may be written; a provider that refuses so many is asked without."""
    await reply_of(model)

    assert [body.get("max_completion_tokens") for body in stub.bodies] == bounds


@pytest.mark.usefixtures("provider")
def test_one_model_serves_several_event_loops(stub: StubOpenAI) -> None:
    """The connections that LangChain shares among event loops survive the end of the first."""
    assert [asyncio.run(reply_of("good")).value for _ in range(3)] == ["3", "3", "3"]
    assert stub.calls("good") == 3


@pytest.mark.usefixtures("provider")
async def test_failures_are_named_and_tried_again(stub: StubOpenAI) -> None:
    """The package's own retries are off: ours are made, inside the deadline."""
    assert (await reply_of("500-then-good")).usage.calls == 3
    with pytest.raises(NavigatorError) as refused:
        await reply_of("refusal")
    with pytest.raises(ConfigurationError, match="package for 'openai'"):
        await reply_of("401")

    assert refused.value.reason == "refused"
    assert stub.calls("401") == 1


@pytest.mark.usefixtures("provider")
@pytest.mark.parametrize("cancelled", [True, False])
async def test_a_call_in_flight_is_aborted(stub: StubOpenAI, *, cancelled: bool) -> None:
    """Cancellation and deadline end the request, on whatever loop it is made, and it is counted."""
    token = Cancellation()
    model = chat_model("chat:openai:slow", OperatorSettings())
    asking = asyncio.ensure_future(ask(model, PROMPT, timeout_s=30 if cancelled else 0.5, cancellation=token))
    await asyncio.to_thread(stub.arrived.wait, 10)
    if cancelled:
        token.cancel()

    with pytest.raises(CallCancelled if cancelled else NavigatorError):
        await asking
    assert await asyncio.to_thread(stub.abandoned.wait, 10)


def test_without_langchain_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lacks LangChain is told what to install."""
    providers._made.cache_clear()
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)

    with pytest.raises(SettingsError, match=r"pip install 'tocwalk\[chat\]'"):
        chat_model("chat:openai:gpt-5-mini", OperatorSettings())


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("chat:anthropic:claude-sonnet-4-5", SettingsError, "langchain-anthropic"),
        ("chat:nobody:model", NavigatorResolutionError, "no provider 'nobody'"),
        ("chat:openai:gpt-5-mini", SettingsError, "OPENAI_API_KEY"),
        ("chat:openai", NavigatorResolutionError, "chat:anthropic:MODEL"),
    ],
)
def test_what_is_missing_is_found_before_a_call(name: str, error: type[Exception], said: str) -> None:
    """A package, a provider or a key that is missing is named."""
    providers._made.cache_clear()

    with pytest.raises(error, match=said):
        chat_model(name, OperatorSettings())


def test_real_models_can_be_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """With TOCWALK_FORBID_REAL_MODELS set no provider is asked that is not plainly on this machine."""
    providers._made.cache_clear()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-real")

    with pytest.raises(SettingsError, match="TOCWALK_FORBID_REAL_MODELS"):
        chat_model("chat:openai:gpt-5-mini", OperatorSettings())


@pytest.mark.parametrize("kind", ["openai:", "chat:openai:"])
def test_an_endless_name_is_no_model_s(kind: str) -> None:
    """A name may come from anybody: what is longer than any model's is neither shown nor kept."""
    with pytest.raises(NavigatorResolutionError, match="characters at most") as caught:
        chat_model(kind + "x" * 100_000, OperatorSettings())
    assert len(str(caught.value)) < 200


def test_the_operator_s_list_holds_for_providers() -> None:
    """A model that is not on TOCWALK_MODELS is not even made."""
    with pytest.raises(NavigatorResolutionError, match="TOCWALK_MODELS"):
        chat_model("chat:openai:gpt-5-mini", OperatorSettings(models=("lexical:*",)))
