"""What a model has written, as a server sends it that speaks OpenAI's protocol: whole, or in pieces where asked to."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import JSONResponse, Response, StreamingResponse

from stub_openai import USAGE, completion

__all__ = ["prompt_of", "written"]

_PIECE = 30  # characters


def prompt_of(body: dict[str, Any]) -> str:
    """Return all that a request shows the model."""
    return "\n\n".join(str(message["content"]) for message in body["messages"])


def written(text: str, body: dict[str, Any]) -> Response:
    """Return the answer to a request with this body."""
    if body.get("stream"):
        return StreamingResponse(_pieces(text), media_type="text/event-stream")
    return JSONResponse(completion(text))


async def _pieces(text: str) -> AsyncIterator[str]:
    deltas = [{"role": "assistant", "content": text[start : start + _PIECE]} for start in range(0, len(text), _PIECE)]
    for delta in deltas:
        yield _event(choices=[{"index": 0, "delta": delta}])
    yield _event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])
    yield _event(choices=[], usage=USAGE)
    yield "data: [DONE]\n\n"


def _event(**fields: Any) -> str:
    part = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "stub", **fields}
    return f"data: {json.dumps(part)}\n\n"
