"""Models that only tests of the server ask, by name: how they answer over OpenAI's protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stub_answers import prompt_of, written
from stub_openai import BEHAVIOURS, StubOpenAI

__all__ = ["MODELS", "QUOTE"]

QUOTE = "fifteen paid days of sick leave in each year"


async def _resumes(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    """Open the second candidate, then hang until the caller has gone, then take what is offered last."""
    calls = stub.calls("resumes")
    if calls == 1:
        picks = [{"ref": "2", "action": "open"}]
        return written(json.dumps({"reasoning": "It says so.", "action": "pick", "picks": picks}), body)
    answer: Response = await BEHAVIOURS["slow" if calls == 2 else "good"](stub, request, body)
    return answer


async def _lands_then_hangs(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    """Take the first candidate and open two more, then hang; "arrived" is set when both are asked about."""
    calls = stub.calls("lands-then-hangs")
    if calls == 1:
        picks = [{"ref": "1", "action": "take"}, {"ref": "2", "action": "open"}, {"ref": "3", "action": "open"}]
        return written(json.dumps({"reasoning": "It says so.", "action": "pick", "picks": picks}), body)
    if calls == 3:
        answer: Response = await BEHAVIOURS["slow"](stub, request, body)
        return answer
    while (await request.receive())["type"] != "http.disconnect":
        pass
    return Response(status_code=499)


async def _answers(_stub: StubOpenAI, _request: Request, body: dict[str, Any]) -> Response:
    """Plan, judge and write an answer with a quote, in pieces where they are asked for."""
    prompt = prompt_of(body)
    if "You prepare the search" in prompt:
        text = json.dumps({"question": "How much sick leave is there?", "questions": [{"question": "Sick leave?"}]})
    elif "Task: say whether" in prompt:
        text = json.dumps({"enough": True})
    else:
        (ref,) = re.findall(r"=== (S\d+) \|[^\n]*Sick leave", prompt)[:1]
        statement = {"text": "Fifteen days.", "quotes": [{"ref": ref, "quote": QUOTE}]}
        text = json.dumps({"answered": True, "statements": [statement]})
    return written(text, body)


async def _hangs_when_writing(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    """Answer like `answers`, but never write."""
    prompt = prompt_of(body)
    writing = "You prepare the search" not in prompt and "Task: say whether" not in prompt
    answer: Response = await (BEHAVIOURS["slow"] if writing else _answers)(stub, request, body)
    return answer


async def _summarises(_stub: StubOpenAI, _request: Request, body: dict[str, Any]) -> Response:
    """Write a summary that names the section."""
    return written(json.dumps({"summary": f"Tells of {body['messages'][1]['content'].splitlines()[1]}."}), body)


async def _hangs_when_summarising(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
    """Summarise one section, and hang at the next until the caller has gone; later calls are answered."""
    hanging = stub.calls("hangs-when-summarising") == 2
    answer: Response = await (BEHAVIOURS["slow"] if hanging else _summarises)(stub, request, body)
    return answer


MODELS: Mapping[str, Any] = {
    "lands-then-hangs": _lands_then_hangs,
    "resumes": _resumes,
    "answers": _answers,
    "hangs-when-writing": _hangs_when_writing,
    "hangs-when-summarising": _hangs_when_summarising,
    "summarises": _summarises,
}
