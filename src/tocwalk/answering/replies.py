"""Reading what the answering model said: one JSON object, wherever it stands in the answer.

Servers do not all enforce a schema, and models wrap what they were asked for in fences, prose and thought.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard, cast

__all__ = ["LARGEST_REPLY", "UnreadableReplyError", "as_list", "as_object", "as_text", "object_schema", "read_object"]

LARGEST_REPLY = 262_144
"""Characters of a reply that are read; a longer one is refused unread."""

_MOST_TRIES = 64  # of objects in a reply, so that hostile braces cost little
_THOUGHT_BEGINS = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_DECODER = json.JSONDecoder(strict=False)  # models leave line breaks inside strings as they are


class UnreadableReplyError(ValueError):
    """A reply that is not of the form asked for; the message ends a sentence. It never leaves this package."""


def read_object(text: str, key: str) -> Mapping[str, Any]:
    """Return the last JSON object of a reply that has a key.

    Raises:
        UnreadableReplyError: There is none.
    """
    if len(text) > LARGEST_REPLY:
        raise UnreadableReplyError(f"it is {len(text)} characters long; at most {LARGEST_REPLY} are read")
    found = [said for said in _objects(_without_thought(text)) if key in said]
    if not found:
        raise UnreadableReplyError(f"it holds no JSON object with {key!r}")
    # The last one counts: models repeat the form they were shown before they fill it in.
    return found[-1]


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, nothing as an empty one, and anything else as the one thing in a list."""
    if value is None:
        return []
    return value if _is_list(value) else [value]


def as_text(value: object, limit: int) -> str:
    """Return a text or number as text, clipped, and anything else as ""."""
    return str(value).strip()[:limit] if isinstance(value, str | int | float) else ""


def as_object(value: object) -> Mapping[str, Any] | None:
    """Return a JSON object as it is, and anything else as None."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def object_schema(**properties: Any) -> dict[str, Any]:
    """Return the JSON schema of an object in the form OpenAI calls strict: all properties required, no others."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _without_thought(text: str) -> str:
    """Return what follows the last thought; some servers leave its beginning out, and some cut off its end."""
    ends = list(_THOUGHT_ENDS.finditer(text))
    rest = text[ends[-1].end() :] if ends else text
    begins = _THOUGHT_BEGINS.search(rest)
    return rest[: begins.start()] if begins else rest


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects in a text, in order, those inside others left out."""
    position = text.find("{")
    for _ in range(_MOST_TRIES):
        if position < 0:
            return
        end = position + 1
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            value = None
        if (said := as_object(value)) is not None:
            yield said
        position = text.find("{", end)
