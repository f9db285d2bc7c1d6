"""Asking a model: forms, second asking, and what it has cost, over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from stub_openai import StubOpenAI
from tocwalk.errors import NavigatorError
from tocwalk.models.asking import Prompt, Reply, ask
from tocwalk.models.openai import server_of
from tocwalk.models.replies import UnreadableReplyError, object_reader, object_schema
from tocwalk.models.resolving import chat_model
from tocwalk.models.usage import Ledger, Usage
from tocwalk.state.operator import OperatorSettings

OUTLINE = "Opened: document Lease\n\nOutline:\n[1] Rent\n[3] Schedules\nEnd of the outline."


def prompt_for(**fields: Any) -> Prompt[Any]:
    """Return a small prompt."""
    ref = object_schema(ref={"type": "string"}, action={"type": "string"})
    given: dict[str, Any] = {
        "name": "decision",
        "version": "1",
        "instructions": "Pick a section.",
        "shown": OUTLINE,
        "schema": object_schema(picks={"type": "array", "items": ref}),
        "read": object_reader("picks", lambda said: said["picks"][0]["ref"]),
        **fields,
    }
    return Prompt(**given)


async def reply_of(
    operator: OperatorSettings, model: str, *, ledger: Ledger | None = None, **fields: Any
) -> Reply[Any]:
    """Ask a model of the stub."""
    try:
        return await ask(chat_model(f"openai:{model}", operator), prompt_for(**fields), timeout_s=20, ledger=ledger)
    finally:
        await server_of(operator).aclose()


@pytest.mark.parametrize(
    ("model", "forms"),
    [
        ("good", ["schema", "schema"]),
        ("no-schema", ["schema", "tool", "tool"]),
        ("tools-only", ["schema", "tool", "tool"]),
        ("text-only", ["schema", "tool", "text", "text"]),
    ],
)
async def test_a_form_that_is_refused_is_not_tried_again(
    stub: StubOpenAI, operator: OperatorSettings, model: str, forms: list[str]
) -> None:
    """A server that takes no schema is offered a function, then plain text, and that is remembered."""
    assert [(await reply_of(operator, model)).value for _ in range(2)] == ["3", "3"]
    sent = ["schema" if "response_format" in body else "tool" if "tools" in body else "text" for body in stub.bodies]
    assert sent == forms


async def test_calls_at_once_step_down_together(stub: StubOpenAI, operator: OperatorSettings) -> None:
    """Several calls that are refused at the same time find the same form."""
    model = chat_model("openai:text-only", operator)
    replies = await asyncio.gather(*(ask(model, prompt_for(), timeout_s=20) for _ in range(8)))
    await server_of(operator).aclose()

    assert [reply.value for reply in replies] == ["3"] * 8
    assert model.known.manner.forms == ("text",)


async def test_what_is_sent_the_second_time_says_why(stub: StubOpenAI, operator: OperatorSettings) -> None:
    """The reply that could not be read is shown again, with what is wrong with it."""
    await reply_of(operator, "clear-when-asked-again", reminder="Be brief.")

    (_, _, said, again) = stub.bodies[1]["messages"]
    assert said["content"] == "I think section 2 or 3 of 6."
    assert "it holds no JSON object with 'picks'" in again["content"]
    assert again["content"].endswith("Be brief.")


@pytest.mark.parametrize(
    ("model", "calls", "tokens"),
    [("prose", 2, 2000), ("refusal", 1, 1000), ("cut-off", 2, 2000), ("400", 1, 0), ("drop", 2, 0)],
)
async def test_the_ledger_keeps_what_came_to_nothing(
    operator: OperatorSettings, monkeypatch: pytest.MonkeyPatch, model: str, calls: int, tokens: int
) -> None:
    """Calls that were refused, cut off, unreadable or lost are in the ledger though an error is raised."""
    monkeypatch.setattr("tocwalk.models.retrying._FIRST_PAUSE_S", 0.001)
    ledger = Ledger()
    with pytest.raises((NavigatorError, ValueError)):
        await reply_of(operator, model, ledger=ledger)

    assert (ledger.total.calls, ledger.total.input_tokens) == (calls, tokens)


async def test_usage_is_the_provider_s(operator: OperatorSettings) -> None:
    """Input, output, cached and reasoning tokens are taken as they are told, summed over all calls."""
    said = Usage(calls=1, input_tokens=1000, output_tokens=20, cached_tokens=900, reasoning_tokens=15)

    assert (await reply_of(operator, "good")).usage == said
    assert (await reply_of(operator, "clear-when-asked-again")).usage == said + said
    assert (await reply_of(operator, "429-then-good")).usage == said + Usage(calls=1)


async def test_reading_may_refuse_a_reply(operator: OperatorSettings) -> None:
    """What the prompt's own reader cannot use is asked for again, and then given up."""

    def never(_text: str) -> str:
        raise UnreadableReplyError("it is not what was asked for")

    with pytest.raises(NavigatorError, match="Twice no answer .* it is not what was asked for") as caught:
        await reply_of(operator, "good", read=never)
    assert caught.value.reason == "invalid"
