"""A server that speaks OpenAI's chat completions over real HTTP, and misbehaves as the name of the model says.

"MODEL@TITLE" misbehaves only when the section of that title is opened, and else opens or takes what is there.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

__all__ = [
    "BEHAVIOURS",
    "KEY",
    "USAGE",
    "StubOpenAI",
    "completion",
    "decision",
    "offered",
    "stub_openai",
    "tool_call",
]

KEY = "sk-for-tests"

Behaviour: TypeAlias = "Callable[[StubOpenAI, Request, dict[str, Any]], Awaitable[Response]]"


class StubOpenAI:
    """What the server was asked, and the gate of the model "slow".

    Attributes:
        base_url: Where it listens, on this machine.
        bodies: The bodies of all requests, in order of arrival.
        arrived: Set when a request for "slow" has come in.
        abandoned: Set when the client of a request for "slow" has gone.
    """

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self._app = Starlette(routes=[Route("/v1/chat/completions", self._complete, methods=["POST"])])
        self._under_way = 0
        self._idle = threading.Event()
        self._idle.set()
        self.forget()

    def forget(self) -> None:
        """Begin anew, for the next test."""
        self.bodies: list[dict[str, Any]] = []
        self.arrived = threading.Event()
        self.abandoned = threading.Event()
        self._calls: Counter[str] = Counter()

    def calls(self, model: str) -> int:
        """Return how often a model was asked; of "MODEL@TITLE" only where it misbehaves."""
        return self._calls[model]

    def is_idle(self, within_s: float = 10) -> bool:
        """Wait until no request is being answered; whether that came about."""
        return self._idle.wait(within_s)

    async def serve(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, and know until when: the ASGI application."""
        self._under_way += 1
        self._idle.clear()
        try:
            await self._app(scope, receive, send)
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    def last_message(self, index: int = -1) -> str:
        """Return the text of the last message of a request."""
        return str(self.bodies[index]["messages"][-1]["content"])

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        self.bodies.append(body)
        name, _, title = body["model"].partition("@")
        if title and f" {title}\n" not in body["messages"][1]["content"].partition("Outline:")[0]:
            return await _good(self, request, body)
        self._calls[body["model"]] += 1
        if request.headers["authorization"] != f"Bearer {KEY}":
            return _error(401, "Incorrect API key provided")
        behaviour = BEHAVIOURS.get(name)
        return await behaviour(self, request, body) if behaviour else _error(404, f"no model {name}")


@contextmanager
def stub_openai() -> Iterator[StubOpenAI]:
    """Run a server for as long as the context lasts."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        stub = StubOpenAI(f"http://127.0.0.1:{listening.getsockname()[1]}/v1")
        config = uvicorn.Config(stub.serve, interface="asgi3", log_level="critical", lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="stub-openai")
        thread.start()
        try:
            yield stub
        finally:
            server.should_exit = True
            thread.join()


def offered(body: dict[str, Any]) -> list[str]:
    """Return the refs of the outline in a request."""
    return re.findall(r"^\s*\[([\d.]+)\] ", body["messages"][1]["content"], re.MULTILINE)


def decision(body: dict[str, Any]) -> str:
    """Return a decision in the form asked for: it takes the last candidate, or opens all that the corpus holds."""
    refs = offered(body)
    if "Opened: corpus" in body["messages"][1]["content"]:
        picks = [{"ref": ref, "action": "open"} for ref in refs]
    else:
        picks = [{"ref": refs[-1], "action": "take"}]
    return json.dumps({"reasoning": "It says so.", "action": "pick", "picks": picks})


USAGE = {
    "prompt_tokens": 1000,
    "completion_tokens": 20,
    "total_tokens": 1020,
    "prompt_tokens_details": {"cached_tokens": 900},
    "completion_tokens_details": {"reasoning_tokens": 15},
}
"""What every call of the server has used."""


def completion(content: Any, *, finish_reason: Any = "stop", usage: Any = USAGE, **message: Any) -> dict[str, Any]:
    """Return the body of an answer, well-formed where nothing else is given."""
    said = {"role": "assistant", "content": content, "refusal": None, **message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "stub",
        "choices": [{"index": 0, "message": said, "finish_reason": finish_reason}],
        "usage": usage,
    }


def _completion(content: str | None, **changes: Any) -> JSONResponse:
    return JSONResponse(completion(content, **changes))


def tool_call(arguments: Any) -> dict[str, Any]:
    """Return the body of an answer that calls a function."""
    call = {"id": "call_1", "type": "function", "function": {"name": "decision", "arguments": arguments}}
    return completion(None, finish_reason="tool_calls", tool_calls=[call])


def _tool_call(arguments: str) -> JSONResponse:
    return JSONResponse(tool_call(arguments))


def _error(status: int, message: str, headers: dict[str, str] | None = None, **fields: Any) -> JSONResponse:
    error = {"message": message, "type": "error", "param": None, "code": None, **fields}
    return JSONResponse({"error": error}, status_code=status, headers=headers)


async def _good(_stub: StubOpenAI, _request: Request, body: dict[str, Any]) -> Response:
    if '{"summary":' in body["messages"][0]["content"]:
        return _completion('{"summary": "It says so."}')
    return _completion(decision(body))


def _says(wrap: Callable[[str], str], **changes: Any) -> Behaviour:
    async def behaviour(_stub: StubOpenAI, _request: Request, body: dict[str, Any]) -> Response:
        return _completion(wrap(decision(body)), **changes)

    return behaviour


def _fails(response: Response, *, times: int | None = None) -> Behaviour:
    """Answer with `response`: always, or so many times before all is well."""

    async def behaviour(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
        if times is not None and stub.calls(body["model"]) > times:
            return await _good(stub, request, body)
        return response

    return behaviour


def _refuses(*parameters: str) -> Behaviour:
    """Answer 400 to a request with one of these parameters; else by a tool call if there are tools, else in text."""

    async def behaviour(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
        for name in parameters:
            if name in body:
                return _error(400, f"Unsupported parameter: {name!r}.", param=name)
        return _tool_call(decision(body)) if "tools" in body else await _good(stub, request, body)

    return behaviour


async def _tools_only(_stub: StubOpenAI, _request: Request, body: dict[str, Any]) -> Response:
    if "response_format" in body:
        return _error(400, "response_format of type json_schema is not supported by this model")
    return _tool_call(decision(body)) if "tools" in body else _completion("I would rather call a function.")


async def _calls_a_tool(_stub: StubOpenAI, _request: Request, body: dict[str, Any]) -> Response:
    return _tool_call(decision(body).replace('"ref": "3"', '"ref": 3'))


async def _drip(_stub: StubOpenAI, _request: Request, _body: dict[str, Any]) -> Response:
    """Send a space now and then, for ever: no silence that a read time-out would notice."""

    async def drops() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.02)

    return StreamingResponse(drops(), media_type="application/json")


async def _endless(_stub: StubOpenAI, _request: Request, _body: dict[str, Any]) -> Response:
    async def parts() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 1_000_000
            await asyncio.sleep(0)  # who has gone is noticed here alone

    return StreamingResponse(parts(), media_type="application/json")


async def _no_temperature(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    if "temperature" in body:
        return _error(400, "Unsupported value: 'temperature' does not support 0.", param="temperature")
    return await _good(stub, request, body)


async def _small_context(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    if body.get("max_completion_tokens", 0) > 1000:
        return _error(400, "This model's maximum context length is 8192 tokens. However, you requested 16884 tokens.")
    return await _good(stub, request, body)


async def _clear_when_asked_again(_stub: StubOpenAI, _request: Request, body: dict[str, Any]) -> Response:
    return _completion(decision(body) if len(body["messages"]) > 2 else _PROSE)


async def _drop(_stub: StubOpenAI, _request: Request, body: dict[str, Any]) -> Response:
    async def half() -> Any:
        yield decision(body).encode()[:10]
        raise ConnectionAbortedError("as asked")

    return StreamingResponse(half(), media_type="application/json", headers={"content-length": "1000"})


async def _drop_once(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    return await (_drop if stub.calls(body["model"]) == 1 else _good)(stub, request, body)


async def _slow(stub: StubOpenAI, request: Request, _body: dict[str, Any]) -> Response:
    """Answer never: wait until the client has gone."""
    stub.arrived.set()
    while (await request.receive())["type"] != "http.disconnect":
        pass
    stub.abandoned.set()
    return Response(status_code=499)


def _last_as_number(answer: str) -> str:
    return re.sub(r'"ref": "([^"]*)"', r'"ref": \1', answer)


def _with_last_commas(answer: str) -> str:
    return answer.replace("}]}", "},],}")


_PROSE = "I think section 2 or 3 of 6."
_HTML = "<html><body>Please sign in to the guest network.</body></html>"
_FORM = '{"reasoning": "<text>", "action": "stop", "picks": []}'

BEHAVIOURS: dict[str, Behaviour] = {
    "good": _good,
    "no-schema": _refuses("response_format"),
    "tools-only": _tools_only,
    "text-only": _refuses("response_format", "tools"),
    "calls-a-tool": _calls_a_tool,
    "fenced": _says(lambda answer: f"```json\n{answer}\n```"),
    "in-prose": _says(lambda answer: f"Gladly! Here is my decision: {answer} Let me know if you need more."),
    "thinking": _says(lambda answer: f'<think>Maybe {{"action": "stop"}}?</think>{answer}'),
    "last-commas": _says(_with_last_commas),
    "several-objects": _says(lambda answer: f"The form is {_FORM}, so I answer: {answer}"),
    "numbers": _says(_last_as_number),
    "titles": _says(lambda _: '{"action": "pick", "picks": [{"ref": "Schedules", "action": "take"}]}'),
    "bare-ref": _says(lambda answer: json.loads(answer)["picks"][-1]["ref"]),
    "prose": _says(lambda _: _PROSE),
    "empty": _says(lambda _: ""),
    "huge": _says(lambda answer: answer + " " * 5_000_000),
    "nested": _says(lambda _: '{"picks": ' + "[" * 10_000),
    "clear-when-asked-again": _clear_when_asked_again,
    "wrong-ref": _says(lambda answer: re.sub(r'"ref": "[^"]*"', '"ref": "99"', answer)),
    "refusal": _fails(_completion(None, refusal="I cannot help with that.")),
    "content-filter": _fails(_completion("", finish_reason="content_filter")),
    "filtered-request": _fails(_error(400, "The prompt was filtered.", code="content_filter")),
    "cut-off": _fails(_completion('{"reasoning": "', finish_reason="length")),
    "no-usage": _says(lambda answer: answer, usage=None),
    "no-temperature": _no_temperature,
    "429-then-good": _fails(_error(429, "slow down", {"retry-after": "0"}), times=1),
    "429-for-long": _fails(_error(429, "slow down", {"retry-after": "3600"})),
    "500-then-good": _fails(_error(500, "oops", {"retry-after-ms": "0"}), times=2),
    "500": _fails(_error(500, "oops", {"retry-after-ms": "0"})),
    "400": _fails(_error(400, "messages: wrong role")),
    "401": _fails(_error(401, "Incorrect API key provided")),
    "404": _fails(_error(404, "no such model")),
    "403": _fails(_error(403, "not for you")),
    "drop": _drop,
    "drop-once": _drop_once,
    "drip": _drip,
    "endless": _endless,
    "no-bound": _refuses("max_completion_tokens"),
    "small-context": _small_context,
    "redirect": _fails(Response(status_code=307, headers={"location": "/v1/chat/completions"})),
    "odd-usage": _says(lambda answer: answer, usage="much"),
    "odd-finish": _says(lambda answer: answer, finish_reason=["eos"]),
    "no-choices": _fails(JSONResponse({**completion(""), "choices": []})),
    "odd-message": _fails(JSONResponse(completion({"text": "2"}))),
    "odd-tool-call": _fails(JSONResponse(tool_call({"action": "stop"}))),
    "odd-body": _fails(JSONResponse(["2"])),
    "empty-body": _fails(Response(media_type="application/json")),
    "error-in-200": _fails(JSONResponse({"error": {"message": "overloaded", "code": 502}})),
    "packed": _fails(Response(b"x", headers={"content-encoding": "zstd"})),
    "slow": _slow,
    "html": _fails(HTMLResponse(_HTML)),
    "html-502": _fails(HTMLResponse(_HTML, status_code=502, headers={"retry-after-ms": "0"})),
}
