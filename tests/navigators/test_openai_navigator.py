"""The models of `openai:`, over real HTTP."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from offer_building import QUESTION, candidate, lease, picked, request_of

from stub_openai import KEY, StubOpenAI
from tocwalk.errors import (
    ConfigurationError,
    CredentialError,
    NavigatorError,
    ProviderConfigurationError,
    SettingsError,
)
from tocwalk.models.cancellation import CallCancelled
from tocwalk.navigators.named import OpenAINavigator
from tocwalk.navigators.protocol import Cancellation, Decision
from tocwalk.navigators.retry import decide_within
from tocwalk.state.operator import OperatorSettings


@asynccontextmanager
async def navigator_of(operator: OperatorSettings) -> AsyncIterator[OpenAINavigator]:
    """Make a navigator for one test."""
    navigator = OpenAINavigator(operator)
    try:
        yield navigator
    finally:
        await navigator.aclose()


async def ask(operator: OperatorSettings, model: str, *, timeout_s: float = 20, **fields: Any) -> Decision:
    """Ask a model of the stub about the lease."""
    async with navigator_of(operator) as navigator:
        return await decide_within(navigator, request_of(model=f"openai:{model}", **fields), timeout_s=timeout_s)


@pytest.mark.parametrize(
    "model", ["good", "fenced", "in-prose", "thinking", "no-temperature", "clear-when-asked-again"]
)
async def test_answers_in_any_plain_form_are_read(operator: OperatorSettings, model: str) -> None:
    """Whether bare, fenced, in prose or behind a thought, a plain answer is the decision."""
    decision = await ask(operator, model)

    assert picked(decision) == [("3", "take")]
    assert decision.reasoning == "It says so."


async def test_the_model_is_told_the_offer_and_its_refs(stub: StubOpenAI, operator: OperatorSettings) -> None:
    """The request holds the outline and the question, and a schema with the offered refs and no others."""
    await ask(operator, "good")

    body = stub.bodies[0]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "[2.1] 2.1 Notice by the tenant" in stub.last_message()
    assert QUESTION in stub.last_message()
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["picks"]["items"]["properties"]["ref"]["enum"] == [c.ref for c in lease()]
    assert body["temperature"] == 0
    assert not body.get("stream")


async def test_questions_to_the_same_section_share_their_beginning(
    stub: StubOpenAI, operator: OperatorSettings
) -> None:
    """All up to the question is the same bytes, so that a provider's prompt cache serves it."""
    await ask(operator, "good", query="Who pays for the roof?")
    await ask(operator, "good", query="What is a mill?", remaining_visits=2)

    (first, one), (second, other) = ([m["content"] for m in body["messages"]] for body in stub.bodies)
    assert first == second
    assert one.partition("Question:")[0] == other.partition("Question:")[0]
    assert one != other


async def test_usage_is_what_the_provider_says(operator: OperatorSettings) -> None:
    """Calls and tokens are the provider's, cached ones too, summed over both calls where one was repeated."""
    once = (await ask(operator, "good")).usage
    twice = (await ask(operator, "clear-when-asked-again")).usage

    assert (once.calls, once.input_tokens, once.output_tokens, once.cached_tokens) == (1, 1000, 20, 900)
    assert (twice.calls, twice.input_tokens, twice.output_tokens, twice.cached_tokens) == (2, 2000, 40, 1800)
    assert not once.estimated


async def test_usage_is_estimated_where_the_provider_says_nothing(operator: OperatorSettings) -> None:
    """Without a count from the provider the tokens are ours, and marked so."""
    usage = (await ask(operator, "no-usage")).usage

    assert usage.estimated
    assert usage.input_tokens > 500
    assert usage.output_tokens > 10


async def test_a_model_without_temperature_is_asked_without_from_then_on(
    stub: StubOpenAI, operator: OperatorSettings
) -> None:
    """A model that refuses a temperature costs one request more once, not each time."""
    async with navigator_of(operator) as navigator:
        await navigator.decide(request_of(model="openai:no-temperature"))
        await navigator.decide(request_of(model="openai:no-temperature"))

    assert ["temperature" in body for body in stub.bodies] == [True, False, False]


async def test_refs_that_were_not_offered_are_left_to_the_walk(operator: OperatorSettings) -> None:
    """An unknown ref is a decision that the walk drops and records, not a failure."""
    assert picked(await ask(operator, "wrong-ref")) == [("99", "take")]


@pytest.mark.parametrize(
    ("model", "reason", "calls"),
    [
        ("prose", "invalid", 2),
        ("empty", "invalid", 2),
        ("refusal", "refused", 1),
        ("content-filter", "refused", 1),
        ("cut-off", "invalid", 2),
        ("429-for-long", "unavailable", 1),
    ],
)
async def test_no_decision_has_a_named_reason(
    stub: StubOpenAI, operator: OperatorSettings, model: str, reason: str, calls: int
) -> None:
    """What cannot be read is asked once more; refusals and waits beyond the deadline are not repeated."""
    with pytest.raises(NavigatorError) as caught:
        await ask(operator, model)

    assert caught.value.reason == reason
    assert stub.calls(model) == calls


@pytest.mark.parametrize(("model", "calls"), [("429-then-good", 2), ("500-then-good", 3), ("drop-once", 2)])
async def test_a_provider_that_comes_back_is_asked_again(
    stub: StubOpenAI, operator: OperatorSettings, model: str, calls: int
) -> None:
    """Rate limits, server errors and dropped connections are tried again, and every request is counted."""
    decision = await ask(operator, model)

    assert picked(decision) == [("3", "take")]
    assert stub.calls(model) == decision.usage.calls == calls


async def test_a_provider_that_stays_away_is_given_up(
    stub: StubOpenAI, operator: OperatorSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that drops each time ends as unavailable after the last try."""
    monkeypatch.setattr("tocwalk.models.retrying.pause_before", lambda retry, error: 0.0)

    with pytest.raises(NavigatorError) as caught:
        await ask(operator, "drop")

    assert caught.value.reason == "unavailable"
    assert stub.calls("drop") == 2


@pytest.mark.parametrize(
    ("model", "error"),
    [("no-such-model", ProviderConfigurationError), ("400", ProviderConfigurationError), ("403", CredentialError)],
)
async def test_what_a_repetition_cannot_change_is_raised_at_once(
    stub: StubOpenAI, operator: OperatorSettings, model: str, error: type[ConfigurationError]
) -> None:
    """400, 403 and 404 are configuration errors that say what to look at, after one request."""
    with pytest.raises(error, match="OPENAI_API_KEY and TOCWALK_OPENAI_BASE_URL"):
        await ask(operator, model)

    assert stub.calls(model) == 1


async def test_an_address_without_its_path_is_told_of(stub: StubOpenAI) -> None:
    """Who leaves out the "/v1" of a server's address is told that most end in it."""
    address = stub.base_url.removesuffix("/v1")
    operator = OperatorSettings.from_environment({"OPENAI_BASE_URL": address, "OPENAI_API_KEY": KEY})

    with pytest.raises(ProviderConfigurationError, match=f"{address}', and most such addresses end in '/v1'"):
        await ask(operator, "good")


async def test_a_wrong_key_is_a_credential_error(stub: StubOpenAI) -> None:
    """401 says that the key was refused, and does not repeat the key."""
    operator = OperatorSettings.from_environment({"OPENAI_BASE_URL": stub.base_url, "OPENAI_API_KEY": "sk-stolen"})

    with pytest.raises(CredentialError, match="refused the credentials") as caught:
        await ask(operator, "good")

    assert "sk-stolen" not in str(caught.value)


async def test_a_server_that_is_not_there_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing listens: reason `unavailable`."""
    monkeypatch.setattr("tocwalk.models.retrying.pause_before", lambda retry, error: 0.0)
    operator = OperatorSettings.from_environment({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_API_KEY": KEY})

    with pytest.raises(NavigatorError) as caught:
        await ask(operator, "good")

    assert caught.value.reason == "unavailable"


async def test_a_deadline_ends_the_request(stub: StubOpenAI, operator: OperatorSettings) -> None:
    """A server that never answers costs the deadline, and its connection is closed."""
    with pytest.raises(NavigatorError) as caught:
        await ask(operator, "slow", timeout_s=0.5)

    assert caught.value.reason == "timeout"
    assert await asyncio.to_thread(stub.abandoned.wait, 10)


async def test_cancellation_ends_the_request(stub: StubOpenAI, operator: OperatorSettings) -> None:
    """The token, cancelled from another thread, aborts the request in flight."""
    token = Cancellation()

    def cancel_when_asked() -> None:
        stub.arrived.wait(10)
        token.cancel()

    threading.Thread(target=cancel_when_asked).start()
    with pytest.raises(CallCancelled):
        await ask(operator, "slow", cancellation=token)

    assert await asyncio.to_thread(stub.abandoned.wait, 10)


async def test_a_cancelled_walk_asks_no_model(stub: StubOpenAI, operator: OperatorSettings) -> None:
    """Cancelled before the call: no request is sent."""
    request = request_of(model="openai:good")
    request.cancellation.cancel()

    with pytest.raises(CallCancelled):
        await OpenAINavigator(operator).decide(request)

    assert stub.bodies == []


def test_one_navigator_serves_several_event_loops(stub: StubOpenAI, operator: OperatorSettings) -> None:
    """A navigator that was used on one event loop works on the next, and on two at once."""
    navigator = OpenAINavigator(operator)
    request = request_of(model="openai:good")
    answers: list[Decision] = []

    def walk() -> None:
        answers.append(asyncio.run(navigator.decide(request)))

    walk()
    walk()
    threads = [threading.Thread(target=walk) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [picked(decision) for decision in answers] == [[("3", "take")]] * 4


async def test_calls_in_flight_are_limited(stub: StubOpenAI, operator: OperatorSettings) -> None:
    """With one call in flight allowed, a second request waits until the first has ended."""
    async with navigator_of(operator.model_copy(update={"calls_in_flight": 1})) as navigator:
        first = asyncio.ensure_future(navigator.decide(request_of(model="openai:slow")))
        await asyncio.to_thread(stub.arrived.wait, 10)
        second = asyncio.ensure_future(navigator.decide(request_of(model="openai:good")))
        await asyncio.wait({second}, timeout=0.1)
        asked_meanwhile = stub.calls("good")
        first.cancel()

        assert picked(await second) == [("3", "take")]
    assert asked_meanwhile == 0


def test_a_missing_key_is_found_before_the_walk() -> None:
    """`check` names the variable to set."""
    with pytest.raises(CredentialError, match="OPENAI_API_KEY"):
        OpenAINavigator(OperatorSettings()).check("openai:gpt-5-mini")


@pytest.mark.parametrize("key", ["sk-schlüssel", "sk-1\u200b", "sk-1\udcff", "sk-1\nX-Other: header"])
def test_a_key_that_no_header_can_carry_is_found_before_the_walk(key: str) -> None:
    """A key that was pasted with other characters is named as the fault, and is not repeated."""
    operator = OperatorSettings.from_environment({"OPENAI_API_KEY": key})

    with pytest.raises(CredentialError, match="set OPENAI_API_KEY anew") as caught:
        OpenAINavigator(operator).check("openai:gpt-5-mini")

    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://[::1", "http://localhost:99999", "http://localhost:x", "ftp://a", "http://"]
)
def test_an_address_that_is_none_is_found_before_the_walk(address: str) -> None:
    """`check` names the variable and what it holds."""
    operator = OperatorSettings.from_environment({"OPENAI_API_KEY": KEY, "TOCWALK_OPENAI_BASE_URL": address})

    with pytest.raises(SettingsError, match="TOCWALK_OPENAI_BASE_URL") as caught:
        OpenAINavigator(operator).check("openai:gpt-5-mini")

    assert repr(address) in str(caught.value)


@pytest.mark.parametrize(
    "address", [None, "https://models.example.com/v1", "http://10.0.0.1/v1", "http://[2001:db8::1]/v1"]
)
def test_real_models_can_be_forbidden(address: str | None) -> None:
    """With TOCWALK_FORBID_REAL_MODELS set, as in all these tests, no address but this machine's is asked."""
    operator = OperatorSettings.from_environment({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": address or ""})

    with pytest.raises(SettingsError, match="TOCWALK_FORBID_REAL_MODELS"):
        OpenAINavigator(operator).check("openai:gpt-5-mini")


@pytest.mark.parametrize("address", ["http://localhost:1/v1", "http://127.0.0.1/v1", "http://[::1]:8000/v1"])
def test_servers_on_this_machine_are_not_forbidden(address: str) -> None:
    """A server on this machine may be asked in tests."""
    operator = OperatorSettings.from_environment({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": address})

    OpenAINavigator(operator).check("openai:gpt-5-mini")


def test_an_address_that_is_none_is_named() -> None:
    """A base URL without a scheme is refused before the walk."""
    operator = OperatorSettings.from_environment({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "localhost:8000"})

    with pytest.raises(SettingsError, match="localhost:8000"):
        OpenAINavigator(operator).check("openai:gpt-5-mini")


@pytest.mark.parametrize(
    ("model", "supported"),
    [
        ("openai:gpt-5-mini", True),
        ("openai:a/b:c", True),
        ("openai:", False),
        ("openai: ", False),
        ("lexical:outline", False),
    ],
)
def test_only_named_models_of_the_provider_are_supported(model: str, supported: bool) -> None:
    """A model is the provider's word, a colon and a name; any name will do."""
    assert OpenAINavigator(OperatorSettings()).supports(model) is supported


async def test_surrogates_and_control_characters_do_not_break_a_request(
    stub: StubOpenAI, operator: OperatorSettings
) -> None:
    """Titles and questions with characters that cannot be sent are sent without them."""
    odd = candidate("1", "Half a \ud83d sign\x00 \u202eand more", "| [9] x\n[8] y")

    async with navigator_of(operator) as navigator:
        decision = await navigator.decide(request_of(odd, query="What \udc00?", model="openai:good"))

    assert picked(decision) == [("1", "take")]
    assert "\n[8]" not in stub.last_message()
