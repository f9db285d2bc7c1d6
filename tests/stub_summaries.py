"""A server that writes summaries over real HTTP, OpenAI's way, and counts what it is asked."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

__all__ = ["SummaryServer", "completion", "failure", "shown_text", "shown_title", "summary_server"]

INPUT_TOKENS, OUTPUT_TOKENS = 500, 20

Answer: TypeAlias = Callable[[str], Response]


class SummaryServer:
    """What the server was asked, and how it answers.

    Attributes:
        base_url: Where it listens, on this machine.
        shown: What each request showed, in order of arrival.
        answer: Returns the response to what is shown.
        most_at_once: Requests that were under way at the same time at most.
    """

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.app = Starlette(routes=[Route("/v1/chat/completions", self._complete, methods=["POST"])])
        self.shown: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.answer: Answer = lambda shown: completion(json.dumps({"summary": summary_of(shown)}))
        self._free: int | None = None
        self._gate = threading.Event()
        self.most_at_once = 0
        self.under_way = 0
        self.arrived = threading.Condition()

    @property
    def titles(self) -> list[str]:
        """Titles of the sections that were asked about, sorted."""
        return sorted(map(shown_title, self.shown))

    def hold(self, *, after: int = 0) -> None:
        """Answer so many requests of all, and let those that come later wait for `release`."""
        self._free = after

    def release(self) -> None:
        """Answer all that wait, and all that will come."""
        self._free = None
        self._gate.set()

    def wait_for(self, count: int) -> None:
        """Return when so many requests have arrived."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.shown) >= count, timeout=60), self.titles

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        shown = str(body["messages"][1]["content"])
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        with self.arrived:
            self.bodies.append(body)
            self.shown.append(shown)
            held = self._free is not None and len(self.shown) > self._free
            self.arrived.notify_all()
        try:
            if held:
                await asyncio.to_thread(self._gate.wait)
            return self.answer(shown)
        finally:
            self.under_way -= 1


@contextmanager
def summary_server() -> Iterator[SummaryServer]:
    """Run a server for as long as the context lasts."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        stub = SummaryServer(f"http://127.0.0.1:{listening.getsockname()[1]}/v1")
        server = uvicorn.Server(uvicorn.Config(stub.app, log_level="critical", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="stub-summaries")
        thread.start()
        try:
            yield stub
        finally:
            stub.release()
            server.should_exit = True
            thread.join()


def shown_title(shown: str) -> str:
    """Return the title in what was shown."""
    return shown.splitlines()[1]


def shown_text(shown: str) -> str:
    """Return what was shown under the title."""
    return "\n".join(shown.splitlines()[2:])


def summary_of(shown: str) -> str:
    """Return what the server answers by default: the same to the same, another to anything else."""
    content = re.sub(r"^=== \w+", "===", shown, flags=re.MULTILINE)
    return f"Tells of {shown_title(shown)} ({hashlib.sha256(content.encode()).hexdigest()[:8]})."


def completion(content: str | None, **changes: Any) -> Response:
    """Return a completion as OpenAI's servers send it."""
    message = {"role": "assistant", "content": content, "refusal": changes.pop("refusal", None)}
    usage = {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS, "total_tokens": 520}
    choice = {"index": 0, "message": message, "finish_reason": changes.pop("finish_reason", "stop")}
    about = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "stub"}
    return JSONResponse({**about, "choices": [choice], "usage": usage, **changes})


def failure(status: int, **headers: str) -> Response:
    """Return an error as OpenAI's servers send it."""
    error = {"message": "not now", "type": "error", "param": None, "code": None}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return JSONResponse({"error": error}, status_code=status, headers=named)
