"""Models that write answers over OpenAI's protocol, each with something wrong; tests of the server ask them by name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stub_answers import prompt_of, written
from stub_openai import BEHAVIOURS, StubOpenAI

__all__ = ["ANSWER_MODELS", "FORGED", "SICK", "hangs_at"]

SICK = "Everybody has fifteen paid days of sick leave"
FORGED = "Everybody has fifty paid days of sick leave"
_STEPS = {
    "You prepare the search": "plan",
    "Task: say whether": "judge",
    "Task: answer the question": "write",
    "Task: the statements below": "rewrite",
}


def _plan(_prompt: str) -> dict[str, Any]:
    return {"question": "How much sick leave is there?", "questions": [{"question": "Sick leave?"}]}


def _judge(_prompt: str) -> dict[str, Any]:
    return {"enough": True}


def _statement(prompt: str, text: str, quote: str) -> dict[str, Any]:
    (ref,) = re.findall(r"=== (S\d+) \|[^\n]*Sick leave", prompt)[:1]
    return {"text": text, "quotes": [{"ref": ref, "quote": quote}]}


def _one_is_false(prompt: str) -> dict[str, Any]:
    return {"statements": [_statement(prompt, "Fifteen days.", SICK), _statement(prompt, "Fifty days.", FORGED)]}


def _mended(prompt: str) -> dict[str, Any]:
    return {"statements": [{"number": 1, **_statement(prompt, "Each of them paid.", SICK)}]}


def _still_false(prompt: str) -> dict[str, Any]:
    return {"statements": [{"number": 1, **_statement(prompt, "Fifty, truly.", FORGED)}]}


def _nothing(_prompt: str) -> dict[str, Any]:
    return {"answered": False, "statements": [], "missing": "The policy does not say it."}


def _step_of(body: dict[str, Any]) -> str:
    return next(step for beginning, step in _STEPS.items() if beginning in prompt_of(body))


def _writes(**says: Any) -> Any:
    """Return a behaviour that says something of its own at some steps; what is to be streamed comes in pieces."""
    steps = {"plan": _plan, "judge": _judge, "write": _one_is_false, **says}

    async def behaviour(_stub: StubOpenAI, _request: Request, body: dict[str, Any]) -> Response:
        return written(json.dumps(steps[_step_of(body)](prompt_of(body))), body)

    return behaviour


def hangs_at(step: str) -> Any:
    """Return a behaviour that answers like "insists", but at one step never."""

    async def behaviour(stub: StubOpenAI, request: Request, body: dict[str, Any]) -> Response:
        answer: Response = await (BEHAVIOURS["slow"] if _step_of(body) == step else ANSWER_MODELS["insists"])(
            stub, request, body
        )
        return answer

    return behaviour


ANSWER_MODELS: Mapping[str, Any] = {
    "mends": _writes(rewrite=_mended),
    "insists": _writes(rewrite=_still_false),
    "abstains": _writes(write=_nothing),
}
