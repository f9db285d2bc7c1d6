"""The answering model over HTTP, by a server that speaks OpenAI's protocol."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from scripted_chat import LEASE, draft, enough, plan_for, said, step_of
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import stub_openai
from stub_answers import prompt_of, written
from stub_openai import KEY, StubOpenAI
from tocwalk.errors import CredentialError, NavigatorError, NavigatorResolutionError, ProviderConfigurationError
from tocwalk.graph import WalkGraph, build_answer_graph
from tocwalk.index import TreeIndex
from tocwalk.models import providers
from tocwalk.models.cancellation import Cancellation
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.state.operator import OperatorSettings
from tocwalk.testing import FunctionNavigator


def rate(prompt: str) -> dict[str, Any]:
    """Return an answer from the section on interest, by the ref that it has in the prompt."""
    (ref,) = re.findall(r"=== (S\d+) \| lease \| Lease > Note 12", prompt)
    return draft(("Eight per cent.", ref, "Interest on late rent runs at eight per cent a year"))


SCRIPT: dict[str, Any] = {"plan": plan_for("What interest does late rent bear?"), "judge": dict(enough), "write": rate}
QUESTION = {"question": "What does late rent cost?", "only_documents": ["lease"]}


async def writer(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    """Answer by the script, in pieces where they are asked for."""
    prompt = prompt_of(body)
    return written(said(SCRIPT[step_of(prompt)], 0, prompt), body)


STEPS = ("plan", "judge", "write", "rewrite")


def never_says(step: str) -> stub_openai.Behaviour:
    """Answer by the script, but at one step never; what is written first has a quote that is not there."""

    async def behaviour(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
        prompt = prompt_of(body)
        if step_of(prompt) == step:
            return await stub_openai.BEHAVIOURS["slow"](stub, request, body)
        if step == "rewrite" and step_of(prompt) == "write":
            proved, unproved = rate(prompt)["statements"][0], draft(("Nine.", "S1", "nine per cent a year or so"))
            return written(json.dumps({**unproved, "statements": [proved, *unproved["statements"]]}), body)
        return await writer(stub, request, body)

    return behaviour


async def strict(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    """Refuse a schema, as older servers do."""
    if "response_format" in body:
        error = {"message": "unknown field response_format", "param": "response_format", "type": "error", "code": None}
        return JSONResponse({"error": error}, status_code=400)
    return await writer(stub, request, body)


@pytest.fixture(scope="module")
def server() -> Iterator[StubOpenAI]:
    """Return a server that has models for answers too."""
    with pytest.MonkeyPatch.context() as patch, stub_openai.stub_openai() as stub:
        behaviours = {"writer": writer, "strict": strict, **{f"slow-{step}": never_says(step) for step in STEPS}}
        for name, behaviour in behaviours.items():
            patch.setitem(stub_openai.BEHAVIOURS, name, behaviour)
        yield stub


@pytest.fixture
def stub(server: StubOpenAI) -> StubOpenAI:
    """Return the server, with nothing asked yet."""
    server.forget()
    return server


@pytest.fixture(scope="module")
def lease(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TreeIndex]:
    """Return an index of the lease."""
    path: Path = tmp_path_factory.mktemp("lease") / "index.db"
    with TreeIndex(path) as index:
        index.add_langchain(LEASE)
        yield index


def take_interest(request: NavigatorRequest) -> Decision:
    """Take the section on interest."""
    picks = (Pick(ref=one.ref, action="take") for one in request.candidates if one.title == "Interest")
    return Decision(action="pick", picks=tuple(picks))


def graph_of(lease: TreeIndex, stub: StubOpenAI, **settings: Any) -> WalkGraph:
    """Return the graph of an operator who has the stub's key; its walks find the section on interest."""
    operator = OperatorSettings(**{"openai_base_url": stub.base_url, "openai_api_key": KEY, **settings})
    return build_answer_graph(index=lease, operator=operator, navigator=FunctionNavigator(take_interest))


async def streamed(graph: WalkGraph) -> tuple[list[str], dict[str, Any]]:
    """Return the pieces of text that a run streams, and its output."""
    pieces: list[str] = []
    output: dict[str, Any] = {}
    modes: Any = ["messages", "values"]
    async for mode, part in graph.astream(QUESTION, stream_mode=modes):
        if mode == "messages":
            pieces.append(str(part[0].content))
        else:
            output = part
    return pieces, output


async def test_the_operator_s_model_answers(lease: TreeIndex, stub: StubOpenAI) -> None:
    """The model of TOCWALK_ANSWER_MODEL is asked, with a schema for each step, and its tokens and price are counted."""
    prices: Any = {"openai:writer": {"input": 1.0, "output": 10.0}}
    graph = graph_of(lease, stub, answer_model="openai:writer", prices=prices)
    with blockbuster_ctx():
        output = await graph.ainvoke(QUESTION)
    assert output["answer"] == "Eight per cent. [1]"
    assert output["citations"][0]["section"] == "lease/12"
    assert [body["response_format"]["json_schema"]["name"] for body in stub.bodies] == ["plan", "judge", "write"]
    assert output["usage"]["input_tokens"] == 3000
    assert output["usage"]["cost"] == pytest.approx(0.0036)
    assert output["usage"]["estimated"] is False


def test_the_environment_names_the_model() -> None:
    """TOCWALK_ANSWER_MODEL is the operator's answering model."""
    assert OperatorSettings.from_environment({"TOCWALK_ANSWER_MODEL": "openai:x"}).answer_model == "openai:x"


def test_the_context_s_model_goes_first(lease: TreeIndex, stub: StubOpenAI) -> None:
    """`answer_model` in the context is asked instead of the operator's, in a synchronous run too."""
    graph = graph_of(lease, stub, answer_model="openai:other")
    output = graph.invoke(QUESTION, context={"answer_model": "openai:writer"})
    assert output["answered"] is True
    assert {body["model"] for body in stub.bodies} == {"writer"}


async def test_tokens_arrive_over_http(lease: TreeIndex, stub: StubOpenAI) -> None:
    """Streamed, the answer comes in pieces and its usage is still counted."""
    graph = graph_of(lease, stub, answer_model="openai:writer")
    pieces, output = await streamed(graph)
    assert json.loads("".join(pieces))["statements"][0]["text"] == "Eight per cent."
    assert len([piece for piece in pieces if piece]) > 2
    assert output["usage"]["output_tokens"] == 60


def test_a_server_that_takes_no_schema_is_asked_without(lease: TreeIndex, stub: StubOpenAI) -> None:
    """Where `response_format` is rejected, a function to call is offered from then on, or the prompt alone decides."""
    output = graph_of(lease, stub, answer_model="openai:strict").invoke(QUESTION)
    assert output["answered"] is True
    assert [("response_format" in body) for body in stub.bodies] == [True, False, False, False]


@pytest.mark.parametrize(
    ("settings", "error", "said_"),
    [
        ({"answer_model": "openai:nobody"}, ProviderConfigurationError, "no model nobody"),
        ({"answer_model": "openai:writer", "openai_api_key": "wrong"}, CredentialError, "Incorrect API key"),
        ({"answer_model": "openai:writer", "openai_api_key": None}, CredentialError, "OPENAI_API_KEY"),
        ({"answer_model": "openai:writer", "models": ("lexical:*",)}, NavigatorResolutionError, "TOCWALK_MODELS"),
        ({"answer_model": "writer"}, NavigatorResolutionError, "openai:gpt-5-mini"),
        ({"answer_model": "openai:refusal"}, NavigatorError, "cannot help"),
    ],
)
def test_errors_name_what_to_change(
    lease: TreeIndex, stub: StubOpenAI, settings: dict[str, Any], error: type[Exception], said_: str
) -> None:
    """A model that cannot be asked fails the run before any visit, with what to set."""
    with pytest.raises(error, match=said_):
        graph_of(lease, stub, **settings).invoke(QUESTION)


@pytest.mark.parametrize("step", STEPS)
async def test_a_call_in_flight_is_aborted(lease: TreeIndex, stub: StubOpenAI, step: str) -> None:
    """The run's token ends the request at every step; the run ends with what is proved, and counts the call."""
    token = Cancellation()
    graph = graph_of(lease, stub, answer_model=f"openai:slow-{step}")
    running = asyncio.ensure_future(graph.ainvoke(QUESTION, {"configurable": {"cancellation": token}}))
    await asyncio.to_thread(stub.arrived.wait, 10)
    token.cancel()
    output = await running

    assert await asyncio.to_thread(stub.abandoned.wait, 10)
    assert await asyncio.to_thread(stub.is_idle)
    assert output["usage"]["model_calls"] == len(stub.bodies) == STEPS.index(step) + 1
    assert output["usage"]["estimated"] is True
    assert output["answer"].startswith("Eight per cent. [1]" if step == "rewrite" else "The question was cancelled.")


async def test_calls_in_flight_are_limited(lease: TreeIndex, stub: StubOpenAI) -> None:
    """The operator's limit holds for answers too: while one call is under way no other begins."""
    slow = graph_of(lease, stub, answer_model="openai:slow-plan", calls_in_flight=1)
    other = graph_of(lease, stub, answer_model="openai:writer", calls_in_flight=1)
    first = asyncio.ensure_future(slow.ainvoke(QUESTION))
    await asyncio.to_thread(stub.arrived.wait, 10)
    second = asyncio.ensure_future(other.ainvoke(QUESTION))
    await asyncio.wait({second}, timeout=0.1)
    asked_meanwhile = stub.calls("writer")
    first.cancel()

    assert (await second)["answered"] is True
    assert asked_meanwhile == 0


async def test_any_provider_answers(lease: TreeIndex, stub: StubOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    """`chat:PROVIDER:MODEL` plans, judges and writes, and what it writes arrives in pieces."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_BASE", stub.base_url)
    monkeypatch.setattr(providers, "_made", cache(providers._made.__wrapped__))
    pieces, output = await streamed(graph_of(lease, stub, answer_model="chat:openai:writer"))

    assert output["answer"] == "Eight per cent. [1]"
    assert json.loads("".join(pieces))["statements"][0]["text"] == "Eight per cent."
    assert ["tools" in body for body in stub.bodies] == [True, True, False]
