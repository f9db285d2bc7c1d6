"""What a model may answer, and reading what it did answer.

Servers do not all enforce a schema, and models wrap, abbreviate and rephrase. An answer counts where it is plain: JSON
in a code fence, in prose or behind a block of thought; refs written as numbers, with a full stop, with "Section" before
them, or as a printed number or title that only one candidate has. What is not plain is no answer: nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard, cast

from tocwalk.errors import NavigatorError
from tocwalk.navigators.encodable import encodable
from tocwalk.navigators.protocol import Candidate, Decision, Pick
from tocwalk.navigators.refs import OfferedRefs
from tocwalk.tree import one_line

__all__ = ["LARGEST_ANSWER", "answer_schema", "parse_decision"]

LARGEST_ANSWER = 65_536
"""Characters of an answer that are read; a longer one is refused unread."""

_MOST_TRIES = 64  # of objects in an answer, so that hostile braces cost little
_MOST_PICKS = 200
_MOST_ENUMERATED = 500  # refs; OpenAI allows 1,000 values in all enums of a schema together
_REASONING = 500  # characters kept
_LONGEST_PLAIN = 300  # characters of an answer without JSON that may still be nothing but refs

_THOUGHT_BEGINS = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = "```"
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)  # as a ref, 2.10 is not 2.1


def answer_schema(candidates: Sequence[Candidate]) -> dict[str, Any]:
    """Return the JSON schema of an answer, with the offered refs as an enum, in the form OpenAI calls strict."""
    refs = [candidate.ref for candidate in candidates]
    ref: dict[str, Any] = {"type": "string"}
    if 0 < len(refs) <= _MOST_ENUMERATED:
        ref["enum"] = refs
    pick = _object(ref=ref, action={"type": "string", "enum": ["take", "open"]})
    return _object(
        reasoning={"type": "string"},
        action={"type": "string", "enum": ["pick", "stop", "reject"]},
        picks={"type": "array", "items": pick},
    )


def parse_decision(text: str, candidates: Sequence[Candidate]) -> Decision:
    """Return the decision that an answer plainly says.

    Refs that were not offered are kept, for the walk to drop and record; an action that a candidate does not allow
    becomes the one that it does.

    Raises:
        NavigatorError: Reason `invalid`: there is none; the message ends a sentence about the answer.
    """
    if len(text) > LARGEST_ANSWER:
        raise NavigatorError(f"it is {len(text)} characters long; at most {LARGEST_ANSWER} are read", reason="invalid")
    if encodable(text) != text:
        raise NavigatorError("it holds lone surrogates, which are no characters", reason="invalid")
    answer = _without_thought(text)
    offered = OfferedRefs(candidates)
    # The last one counts: models repeat the form they were shown before they fill it in.
    for said in reversed(list(_objects(answer))):
        decision = _decision(said, offered)
        if decision:
            return decision
    decision = _plain_decision(answer, offered)
    if decision is None:
        raise NavigatorError(f"no decision can be read in {one_line(answer, 80)!r}", reason="invalid")
    return decision


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
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            yield cast("Mapping[str, Any]", value)
        position = text.find("{", end)


def _decision(said: Mapping[str, Any], offered: OfferedRefs) -> Decision | None:
    """Return the decision that an object is; None if it is none."""
    action = said.get("action")
    word = action.strip().casefold() if isinstance(action, str) else ""
    words = said.get("reasoning")
    reasoning = one_line(words, _REASONING) if isinstance(words, str) else ""
    if word in ("stop", "reject"):
        return Decision(action="stop" if word == "stop" else "reject", reasoning=reasoning)
    listed = said.get("picks", said.get("refs", said.get("ref")))
    if listed is None or (action is not None and word not in ("pick", "take", "open")):
        return None
    items = listed if _is_list(listed) else [listed]
    picks = _picks(items, offered, default=word)
    return None if picks is None else Decision(action="pick", picks=picks, reasoning=reasoning)


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _picks(listed: Sequence[Any], offered: OfferedRefs, *, default: str = "") -> tuple[Pick, ...] | None:
    """Return the picks of a list of refs, or of objects with a ref; None if one is neither, or there are too many."""
    if len(listed) > _MOST_PICKS:
        return None
    picks: list[Pick] = []
    for item in listed:
        fields = cast("dict[str, Any]", item) if isinstance(item, dict) else {"ref": item, "action": default}
        if not isinstance(fields.get("ref"), str):
            return None
        picks.append(offered.pick(fields["ref"], fields.get("action")))
    return tuple(picks)


def _plain_decision(answer: str, offered: OfferedRefs) -> Decision | None:
    """Return the decision of an answer that is nothing but refs, in a JSON list or not, or the word of an action."""
    stripped = answer.strip()
    if len(stripped) > _LONGEST_PLAIN:
        return None
    bare = _without_fence(stripped)
    word = bare.strip("\"'`*. ").casefold()
    if word in ("stop", "reject"):
        return Decision(action="stop" if word == "stop" else "reject")
    said = [bare] if offered.is_ref(bare) else re.split(r"[,;\n]+", bare.strip("[]"))
    if not all(map(offered.is_ref, said)):
        return None
    return Decision(action="pick", picks=tuple(map(offered.pick, said)))


def _without_fence(text: str) -> str:
    """Return what a code fence holds, without the name of its language; a text that is not fenced as it is."""
    if len(text) < 2 * len(_FENCE) or not (text.startswith(_FENCE) and text.endswith(_FENCE)):
        return text
    inside = text.removeprefix(_FENCE).removesuffix(_FENCE)
    language, _, rest = inside.partition("\n")
    return rest.strip() if language.strip().isalpha() else inside.strip()


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
