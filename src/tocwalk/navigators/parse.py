"""What a model may answer, and reading what it did answer.

Servers do not all enforce a schema, and models wrap, abbreviate and rephrase. An answer counts where it is plain: JSON
in a code fence, in prose or behind a block of thought; refs written as numbers, with a full stop, with "Section" before
them, or as a printed number or title that only one candidate has. What is not plain is no answer: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from tocwalk.models.replies import (
    UnreadableReplyError,
    as_list,
    check_readable,
    object_schema,
    objects_in,
    without_thought,
)
from tocwalk.navigators.protocol import Candidate, Decision, Pick
from tocwalk.navigators.refs import OfferedRefs
from tocwalk.tree import one_line

__all__ = ["LARGEST_ANSWER", "answer_schema", "parse_decision"]

LARGEST_ANSWER = 65_536
"""Characters of an answer that are read; a longer one is refused unread."""

_MOST_PICKS = 200
_MOST_ENUMERATED = 500  # refs; OpenAI allows 1,000 values in all enums of a schema together
_REASONING = 500  # characters kept
_LONGEST_PLAIN = 300  # characters of an answer without JSON that may still be nothing but refs

_FENCE = "```"


def answer_schema(candidates: Sequence[Candidate]) -> dict[str, Any]:
    """Return the JSON schema of an answer, with the offered refs as an enum, in the form OpenAI calls strict."""
    refs = [candidate.ref for candidate in candidates]
    ref: dict[str, Any] = {"type": "string"}
    if 0 < len(refs) <= _MOST_ENUMERATED:
        ref["enum"] = refs
    pick = object_schema(ref=ref, action={"type": "string", "enum": ["take", "open"]})
    return object_schema(
        reasoning={"type": "string"},
        action={"type": "string", "enum": ["pick", "stop", "reject"]},
        picks={"type": "array", "items": pick},
    )


def parse_decision(text: str, candidates: Sequence[Candidate]) -> Decision:
    """Return the decision that an answer plainly says.

    Refs that were not offered are kept, for the walk to drop and record; an action that a candidate does not allow
    becomes the one that it does.

    Raises:
        UnreadableReplyError: There is none.
    """
    check_readable(text, LARGEST_ANSWER)
    answer = without_thought(text)
    offered = OfferedRefs(candidates)
    # The last one counts: models repeat the form they were shown before they fill it in.
    for said in reversed(list(objects_in(answer))):
        decision = _decision(said, offered)
        if decision:
            return decision
    decision = _plain_decision(answer, offered)
    if decision is None:
        raise UnreadableReplyError(f"no decision can be read in {one_line(answer, 80)!r}")
    return decision


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
    picks = _picks(as_list(listed), offered, default=word)
    return None if picks is None else Decision(action="pick", picks=picks, reasoning=reasoning)


def _picks(listed: Sequence[Any], offered: OfferedRefs, *, default: str = "") -> tuple[Pick, ...] | None:
    """Return the picks of a list of refs, or of objects with a ref; None if one is neither.

    Raises:
        UnreadableReplyError: There are too many.
    """
    if len(listed) > _MOST_PICKS:
        raise UnreadableReplyError(f"it has {len(listed)} picks, and at most {_MOST_PICKS} are read")
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
