"""Stepping: with the setting `step` a person sees the decisions of each wave before they count, and may edit them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from langgraph.types import interrupt

from tocwalk.errors import DecisionError
from tocwalk.state import DecisionRecord, WalkState

__all__ = ["Check", "approved"]

Check: TypeAlias = Callable[[str, object], DecisionRecord | None]
"""Returns the decision for an id, or raises `DecisionError` if it has not the form of one."""

_HOW = (
    "Resume with true to let the decisions count, or with {id: decision} for those that should be others:"
    " {'action': 'pick', 'picks': [{'ref': '1', 'action': 'take'}]}, {'action': 'stop'} or {'action': 'reject'}."
)
_BY_HAND = "Edited by hand."


def approved(
    state: WalkState, decisions: Mapping[str, DecisionRecord | None], check: Check
) -> dict[str, DecisionRecord | None]:
    """Interrupt the run for the wave, and return its decisions as the person who resumes it wants them.

    The value of the interrupt is `{"question", "decisions": {id: {"title", "offer", "decision"}}, "how"}`. An answer
    that cannot be used interrupts once more, with a `problem` that says why. An edited decision keeps what the
    navigator's call has cost, and its reasoning is the person's.

    Args:
        state: Of the walk.
        decisions: By the ids of the wave.
        check: For what the person writes.
    """
    shown = {
        id_: {
            "title": state["seen"][id_]["place"]["title"],
            "offer": state["offers"].get(id_, {}),
            "decision": {key: value for key, value in (decision or {}).items() if key != "error_key"},
        }
        for id_, decision in decisions.items()
    }
    asked: dict[str, Any] = {"question": state["request"]["query"], "decisions": shown, "how": _HOW}
    while True:
        # Each answer so far comes back from the checkpoint in turn; the first that is missing interrupts.
        answer: Any = interrupt(asked)
        try:
            return {**decisions, **_edited(answer, decisions, check)}
        except DecisionError as error:
            asked = {**asked, "problem": str(error)}


def _edited(
    answer: object, decisions: Mapping[str, DecisionRecord | None], check: Check
) -> dict[str, DecisionRecord | None]:
    """Return the decisions that a person wrote.

    Raises:
        DecisionError: The answer names what is not in the wave, or holds what is no decision.
    """
    if answer is None or answer is True:
        return {}
    if not isinstance(answer, Mapping) or not decisions.keys() >= cast("Mapping[str, object]", answer).keys():
        raise DecisionError(f"The walk cannot go on with {answer!r}: its wave is {list(decisions)!r}. {_HOW}")
    edited = cast("Mapping[str, DecisionRecord]", answer)
    return {id_: _by_hand(check(id_, decision), decisions[id_]) for id_, decision in edited.items()}


def _by_hand(edited: DecisionRecord | None, original: DecisionRecord | None) -> DecisionRecord | None:
    if edited is None:
        return original
    kept = DecisionRecord(action=edited["action"], reasoning=_BY_HAND)
    if original and "usage" in original:
        kept["usage"] = original["usage"]
    return {**kept, **edited}
