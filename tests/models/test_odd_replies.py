"""Answers of no known form, over HTTP: asked for once more and then named, through every door that leads to a model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from stub_openai import BEHAVIOURS, USAGE, StubOpenAI, completion, tool_call
from tocwalk.errors import CredentialError, NavigatorError, ProviderConfigurationError
from tocwalk.models.asking import Prompt, Reply, ask
from tocwalk.models.model import ChatModel
from tocwalk.models.openai import server_of
from tocwalk.models.replies import object_reader, object_schema
from tocwalk.models.resolving import chat_model
from tocwalk.state.operator import OperatorSettings

GOOD = '{"ref": "2.10"}'
PROMPT: Prompt[str] = Prompt(
    name="decision",
    version="1",
    instructions="Pick a section.",
    shown="[2.1] Rent\n[2.10] Schedules",
    schema=object_schema(ref={"type": "string"}),
    read=object_reader("ref", lambda said: str(said["ref"])),
)


def body(**fields: Any) -> dict[str, Any]:
    """Return the body of a good answer, but for some fields."""
    return {**completion(GOOD), **fields}


def message(said: Any) -> dict[str, Any]:
    """Return a body with a message of any kind."""
    return body(choices=[{"index": 0, "message": said, "finish_reason": "stop"}])


def calls(said: Any) -> dict[str, Any]:
    """Return a body with tool calls of any kind."""
    return completion(None, tool_calls=said)


def each(kind: str, made: Callable[[Any], Any], *odd: Any) -> dict[str, Any]:
    """Return what is made of odd values, by kind and value."""
    return {f"{kind} {value!r}": made(value) for value in odd}


UNUSABLE: dict[str, Any] = {
    "no choices": {name: value for name, value in body().items() if name != "choices"},
    **each("choices", lambda odd: body(choices=odd), [], None, "x", {"a": 1}, [None], ["x"], [{"index": 0}]),
    **each("message", message, None, "x", [1], {}, {"role": "assistant"}),
    **each("content", completion, 5, True, [1, None], [[1]], {"a": 1}, [{"type": "text"}]),
    **each("tool calls", calls, "x", {"a": 1}, [None], ["x"], [{"id": "1", "function": None}]),
    **each("arguments", tool_call, 5, None, [1], {"ref": "1"}, "{x"),
    **each("body", lambda odd: odd, [1], "x", None, 5, True, {}),
    **each("error", lambda odd: {"error": odd}, {"message": "overloaded", "code": 502}, "overloaded"),
    "error beside an answer": body(error={"message": "overloaded"}),
    "service tier": body(service_tier=["flex"]),
}

COUNTED: dict[str, Any] = {
    "no details": {**USAGE, "prompt_tokens_details": None, "completion_tokens_details": None},
    "details of null": {**USAGE, "prompt_tokens_details": {"cached_tokens": None}},
    "details of text": {
        **USAGE,
        "prompt_tokens_details": "many",
        "completion_tokens_details": {"reasoning_tokens": "x"},
    },
}

NOT_COUNTED: dict[str, Any] = {
    **each("usage", lambda odd: odd, None, "much", [1], True, 5, {}),
    "negative": {**USAGE, "prompt_tokens": -1},
    "huge": {**USAGE, "completion_tokens": 10**30},
    "no whole number": {**USAGE, "prompt_tokens": 1.5},
    "partial": {"prompt_tokens": 7},
    "null inside": {**USAGE, "completion_tokens": None},
}


def openai(operator: OperatorSettings) -> ChatModel:
    """Return a model of `openai:`."""
    return chat_model("openai:told", operator)


def streamed(operator: OperatorSettings) -> ChatModel:
    """Return a model of `openai:` whose answer comes in parts, as under a graph that streams its messages."""
    return replace(
        openai(operator), invoke=lambda asked, messages, config: asked.bind(stream=True).ainvoke(messages, config)
    )


def provider_s(_operator: OperatorSettings) -> ChatModel:
    """Return a model that LangChain's own package asks."""
    return chat_model("chat:openai:told", OperatorSettings())


Door = Callable[[OperatorSettings], ChatModel]
DOORS: list[Door] = [openai, streamed, provider_s]


@pytest.fixture
def tell(monkeypatch: pytest.MonkeyPatch, provider: None) -> Callable[[Any], None]:
    """Return what makes the model "told" send a body."""

    def sends(said: Any) -> None:
        async def told(_stub: StubOpenAI, _request: Request, asked: dict[str, Any]) -> Response:
            if asked.get("stream"):
                return Response(
                    f"data: {json.dumps(_as_part(said))}\n\ndata: [DONE]\n\n", media_type="text/event-stream"
                )
            return Response(json.dumps(said), media_type="application/json")

        monkeypatch.setitem(BEHAVIOURS, "told", told)

    return sends


def _as_part(said: Any) -> Any:
    """Return a body as the one part of a stream: what would be a message is a delta."""
    if not isinstance(said, dict) or not isinstance(said.get("choices"), list):
        return said
    return {**said, "choices": [_with_delta(choice) for choice in said["choices"]]}


def _with_delta(choice: Any) -> Any:
    if not isinstance(choice, dict) or "message" not in choice:
        return choice
    return {"index": 0, "delta": choice["message"], "finish_reason": choice["finish_reason"]}


async def reply_of(door: Door, operator: OperatorSettings) -> Reply[str]:
    """Ask; no task may be left, whatever comes of it."""
    before = asyncio.all_tasks()
    try:
        return await ask(door(operator), PROMPT, timeout_s=30)
    finally:
        await server_of(operator).aclose()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() <= before


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("said", UNUSABLE.values(), ids=UNUSABLE)
async def test_what_is_no_answer_is_asked_for_once_more(
    stub: StubOpenAI, operator: OperatorSettings, tell: Callable[[Any], None], door: Door, said: Any
) -> None:
    """Whatever is wrong with a body: two requests, the reason `invalid`, and no warning."""
    tell(said)
    with pytest.raises(NavigatorError) as caught:
        await reply_of(door, operator)

    assert caught.value.reason == "invalid"
    assert stub.calls("told") == 2
    assert await asyncio.to_thread(stub.is_idle)


@pytest.mark.parametrize("door", [openai, streamed], ids=lambda door: door.__name__)
@pytest.mark.parametrize("usage", NOT_COUNTED.values(), ids=NOT_COUNTED)
async def test_a_usage_that_cannot_be_is_none(
    operator: OperatorSettings, tell: Callable[[Any], None], door: Door, usage: Any
) -> None:
    """The answer counts, and its tokens are estimated and marked so."""
    tell(body(usage=usage))
    reply = await reply_of(door, operator)

    assert reply.value == "2.10"
    assert (reply.usage.calls, reply.usage.estimated) == (1, True)
    assert 0 < reply.usage.input_tokens < 100


@pytest.mark.parametrize("door", [openai, streamed], ids=lambda door: door.__name__)
@pytest.mark.parametrize("usage", COUNTED.values(), ids=COUNTED)
async def test_details_that_cannot_be_are_none(
    operator: OperatorSettings, tell: Callable[[Any], None], door: Door, usage: Any
) -> None:
    """Input and output are the provider's where only the details beside them are odd."""
    tell(body(usage=usage))
    used = (await reply_of(door, operator)).usage

    assert (used.input_tokens, used.output_tokens, used.cached_tokens, used.estimated) == (1000, 20, 0, False)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("finish", [None, 5, ["stop"], "eos", "error"], ids=repr)
async def test_how_an_answer_ended_does_not_matter(
    operator: OperatorSettings, tell: Callable[[Any], None], door: Door, finish: Any
) -> None:
    """A whole answer counts, whatever the server calls its end."""
    tell(completion(GOOD, finish_reason=finish))

    assert (await reply_of(door, operator)).value == "2.10"


async def test_a_refusal_in_parts_is_one(operator: OperatorSettings, tell: Callable[[Any], None]) -> None:
    """A model that refuses while its answer is streamed has refused too."""
    tell(completion(None, refusal="I cannot help with that."))
    with pytest.raises(NavigatorError, match="I cannot help with that") as caught:
        await reply_of(streamed, operator)

    assert caught.value.reason == "refused"


async def test_a_streamed_answer_ends_where_no_more_is_read(
    operator: OperatorSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shown as it comes is not shown without end: the stream is given up where no more would be read."""
    part = _as_part(completion("w" * 10_000, finish_reason=None))

    async def rambles(_stub: StubOpenAI, _request: Request, _asked: dict[str, Any]) -> Response:
        return Response(f"data: {json.dumps(part)}\n\n" * 100, media_type="text/event-stream")

    monkeypatch.setitem(BEHAVIOURS, "told", rambles)
    with pytest.raises(NavigatorError, match="the answer has more than 262144 characters") as caught:
        await reply_of(streamed, operator)

    assert caught.value.reason == "invalid"


async def test_arguments_are_read_as_they_were_written(operator: OperatorSettings, tell: Callable[[Any], None]) -> None:
    """A ref that the model wrote as a number keeps its last zero: 2.10 is not 2.1."""
    tell(tool_call('{"ref": 2.10}'))

    assert (await reply_of(openai, operator)).value == "2.10"


WORDS = "response_format is not supported here"


@pytest.mark.parametrize(
    "said",
    [{"error": WORDS}, {"detail": WORDS}, {"detail": [{"loc": ["body", "response_format"], "msg": "extra"}]}, WORDS],
    ids=repr,
)
async def test_what_a_server_rejects_is_read_wherever_it_says_so(
    stub: StubOpenAI, operator: OperatorSettings, monkeypatch: pytest.MonkeyPatch, said: Any
) -> None:
    """A form that is refused in another place than OpenAI's own is given up all the same."""

    async def rejects(_stub: StubOpenAI, _request: Request, asked: dict[str, Any]) -> Response:
        refused = "response_format" in asked
        return JSONResponse(said, status_code=400) if refused else JSONResponse(completion(GOOD))

    monkeypatch.setitem(BEHAVIOURS, "told", rejects)

    assert (await reply_of(openai, operator)).value == "2.10"
    assert stub.calls("told") == 2


async def test_a_rejection_of_megabytes_is_told_by_its_beginning(
    operator: OperatorSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a server says at length is cut short before anything is searched in it, which would not end."""

    async def rejects(_stub: StubOpenAI, _request: Request, _asked: dict[str, Any]) -> Response:
        error = {"message": "max" * 2_000_000, "param": "max" * 2_000_000}
        return JSONResponse({"error": error}, status_code=400)

    monkeypatch.setitem(BEHAVIOURS, "told", rejects)
    with pytest.raises(
        ProviderConfigurationError, match=r"rejects the request \(400: Error code: 400 - maxmax"
    ) as caught:
        await reply_of(openai, operator)

    assert len(str(caught.value)) < 1000


async def test_what_a_provider_says_can_be_stored(operator: OperatorSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lone surrogates in an error or a refusal are no characters, and become question marks."""

    async def rejects(_stub: StubOpenAI, _request: Request, _asked: dict[str, Any]) -> Response:
        return Response(r'{"error": {"message": "no \ud800 key"}}', status_code=401)

    async def refuses(_stub: StubOpenAI, _request: Request, _asked: dict[str, Any]) -> Response:
        return Response(json.dumps(completion(None, refusal="no \ud800 way")), media_type="application/json")

    monkeypatch.setitem(BEHAVIOURS, "told", rejects)
    with pytest.raises(CredentialError, match=r"no \? key"):
        await reply_of(openai, operator)
    monkeypatch.setitem(BEHAVIOURS, "told", refuses)
    with pytest.raises(NavigatorError, match=r"no \? way"):
        await reply_of(openai, operator)
