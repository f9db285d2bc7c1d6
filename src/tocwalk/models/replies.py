"""Reading what a model said: one JSON object, wherever it stands in the reply.

Servers do not all enforce a schema, and models wrap what they were asked for in fences, prose and thought, repeat the
form before they fill it in, and leave commas behind the last item.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeGuard, TypeVar, cast

from tocwalk.models.encodable import encodable

__all__ = [
    "LARGEST_REPLY",
    "UnreadableReplyError",
    "as_list",
    "as_object",
    "as_text",
    "check_readable",
    "object_reader",
    "object_schema",
    "objects_in",
    "read_object",
    "without_thought",
]

LARGEST_REPLY = 262_144
"""Characters of a reply that are read; a longer one is refused unread."""

_MOST_TRIES = 64  # of objects in a reply, so that hostile braces cost little
_THOUGHT_BEGINS = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_STRING_OR_LAST_COMMA = re.compile(r'"(?:[^"\\]|\\.?)*+"?|,(?=\s*[}\]])', re.DOTALL)
# Models leave line breaks inside strings as they are. Numbers stay as written: as a ref, 2.10 is not 2.1.
_DECODER = json.JSONDecoder(strict=False, parse_float=str, parse_int=str)

T = TypeVar("T")


class UnreadableReplyError(ValueError):
    """A reply that is not of the form asked for; the message ends a sentence. `ask` answers it by asking again."""


def check_readable(text: str, limit: int = LARGEST_REPLY) -> None:
    """Refuse a reply before anything is read in it.

    Raises:
        UnreadableReplyError: It is longer than `limit` characters, or holds what are none.
    """
    if len(text) > limit:
        raise UnreadableReplyError(f"it is {len(text)} characters long; at most {limit} are read")
    if encodable(text) != text:
        raise UnreadableReplyError("it holds lone surrogates, which are no characters")


def read_object(text: str, key: str) -> Mapping[str, Any]:
    """Return the last JSON object of a reply that has a key. Numbers in it are text, as they were written.

    Raises:
        UnreadableReplyError: There is none.
    """
    check_readable(text)
    found = [said for said in objects_in(without_thought(text)) if key in said]
    if not found:
        raise UnreadableReplyError(f"it holds no JSON object with {key!r}")
    # The last one counts: models repeat the form they were shown before they fill it in.
    return found[-1]


def object_reader(key: str, read: Callable[[Mapping[str, Any]], T]) -> Callable[[str], T]:
    """Return a `Prompt.read` for replies that are an object with a key: `read` of the object that is found."""
    return lambda text: read(read_object(text, key))


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, nothing as an empty one, and anything else as the one thing in a list."""
    if value is None:
        return []
    return value if _is_list(value) else [value]


def as_text(value: object, limit: int) -> str:
    """Return a text, or a number as it was written, clipped, and anything else as ""."""
    return value.strip()[:limit] if isinstance(value, str) else ""


def as_object(value: object) -> Mapping[str, Any] | None:
    """Return a JSON object as it is, and anything else as None."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None


def object_schema(**properties: Any) -> dict[str, Any]:
    """Return the JSON schema of an object in the form OpenAI calls strict: all properties required, no others."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def without_thought(text: str) -> str:
    """Return what follows the last thought; some servers leave its beginning out, and some cut off its end."""
    ends = list(_THOUGHT_ENDS.finditer(text))
    rest = text[ends[-1].end() :] if ends else text
    begins = _THOUGHT_BEGINS.search(rest)
    return rest[: begins.start()] if begins else rest


def objects_in(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects in a text, in order, those inside others left out. Numbers in them are text."""
    position = text.find("{")
    for _ in range(_MOST_TRIES):
        if position < 0:
            return
        decoded = _decoded(text, position)
        if decoded is None:
            # Once more without the commas that JSON forbids.
            mended = _STRING_OR_LAST_COMMA.sub(lambda found: found[0].removeprefix(","), text[position:])
            decoded = _decoded(mended, 0)
            if decoded is not None:
                text = mended
        value, end = decoded or (None, position + 1)
        if (said := as_object(value)) is not None:
            yield said
        position = text.find("{", end)


def _decoded(text: str, position: int) -> tuple[Any, int] | None:
    try:
        value, end = _DECODER.raw_decode(text, position)
        # Escapes can spell lone surrogates, which could be neither stored nor sent.
        return json.loads(encodable(json.dumps(value, ensure_ascii=False))), end
    except (ValueError, RecursionError):
        return None


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)
