"""validate_choice: check every decision against its offer, and turn it into landings and newly open sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from langgraph.config import get_stream_writer
from langgraph.types import Send
from pydantic import TypeAdapter, ValidationError

from tocwalk.errors import DecisionError, GenerationCollectedError
from tocwalk.models.spending import add_step, add_usage
from tocwalk.models.usage import Usage
from tocwalk.nodes.navigator_decide import INDEX_CHANGED
from tocwalk.nodes.present_children import after_present_children, undecided
from tocwalk.nodes.services import Services
from tocwalk.nodes.step_line import step_line
from tocwalk.nodes.stepping import approved
from tocwalk.state import DecisionRecord, Failure, Place, Update, UsageTotals, WalkState
from tocwalk.state.faults import faults
from tocwalk.walk.picks import apply_decision, opened_entry
from tocwalk.walk.progress import Progress
from tocwalk.walk.second_tries import give_second_tries, note_rejects

__all__ = ["after_validate_choice", "validate_choice"]

_REFS_NAMED = 10


def validate_choice(services: Services) -> Callable[[WalkState], Update]:
    """Return the node.

    Raises:
        NavigatorError: A decision failed under the policy `raise`; resuming the run asks only for what failed.
        ConfigurationError: A decision failed for a reason that no policy survives.
        DecisionError: A decision put into the state by hand is not one, or one is missing although asked for twice.
    """

    def validate_choice(state: WalkState) -> Update:
        decisions = {id_: _checked(id_, state["decisions"].get(id_)) for id_ in state["wave"]}
        if state["index_changed"] or _offers_gone(decisions):
            return _undo_wave(state)
        ask_again = _raise_or_ask_again(services, state, decisions)
        missing = undecided(state)
        if missing and state["reasked"]:
            raise DecisionError(f"No decision for {missing!r}, though asked for twice: put one into `decisions`.")
        if missing or ask_again:
            return Update(
                reasked=bool(missing),
                decisions=dict.fromkeys(ask_again),
                usage=_with_given_up(services, state, [decisions[id_] for id_ in ask_again]),
            )
        try:
            if state["settings"].get("step"):
                decisions = approved(state, decisions, partial(_offered, services, state))
            return _Wave(services, state).apply({id_: one for id_, one in decisions.items() if one is not None})
        except GenerationCollectedError:
            return _undo_wave(state)

    return validate_choice


def after_validate_choice(state: WalkState) -> list[Send] | Literal["budget_check"]:
    """Ask for the decisions that are missing; with none missing go on to the gate."""
    if not state["wave"]:
        return "budget_check"
    sends = after_present_children(state)
    return "budget_check" if isinstance(sends, str) else sends


_DECISION: TypeAdapter[DecisionRecord | None] = TypeAdapter(DecisionRecord | None)


class _Wave:
    """The decisions of one wave, applied in the order of their offers."""

    def __init__(self, services: Services, state: WalkState) -> None:
        self.services = services
        self.state = state
        self.view = services.view_of(state)
        self.progress = Progress(state)
        self.failures: list[Failure] = list(state["failures"])
        self.usage = state["usage"]
        self.price = services.operator.price(state["settings"]["navigator_model"])
        self.cancelled = state["cancelled"]
        self.rejected: list[str] = []

    def apply(self, decisions: dict[str, DecisionRecord]) -> Update:
        for id_, decision in decisions.items():
            self._one(id_, decision)
        openers = note_rejects(self.progress, self.rejected)
        if self.state["settings"]["backtrack"]:
            give_second_tries(
                self.progress,
                openers,
                remaining_visits=self.state["remaining_visits"],
                has_candidates=self._has_candidates,
            )
        return Update(
            wave=[],
            cancelled=self.cancelled,
            usage=self.usage,
            failures=self.failures,
            **self.progress.update(),
        )

    def _one(self, id_: str, decision: DecisionRecord) -> None:
        self.usage = add_step(self.usage, id_, Usage(**(decision.get("usage") or {})), self.price)
        if decision["action"] == "cancelled":
            # The path stays open: `budget_check` ends it with the others.
            self.cancelled = True
            return
        offer = self.services.offer_of(self.state, id_)
        entry = opened_entry(self.progress.seen[id_], offer, decision, visits_left=self.state["remaining_visits"])
        self.progress.trace.append(entry)
        if decision["action"] == "error":
            entry |= {"chosen": [], "dropped": []}
            self._failed(id_, decision)
        else:
            entry |= apply_decision(
                self.progress,
                self.view,
                offer,
                id_=id_,
                decision=decision,
                max_picks=self.state["settings"]["max_picks"],
            )
            if entry.pop("second_try", False):
                self.rejected.append(id_)
        summary = step_line(entry, self.progress.seen[id_]["place"], offer)
        get_stream_writer()({**entry, "event": "step", "summary": summary})

    def _failed(self, id_: str, decision: DecisionRecord) -> None:
        self.progress.cut(id_, "NAVIGATOR_ERROR", land=True)
        self.failures.append(
            Failure(
                step="navigator_decide",
                section=id_,
                reason=decision.get("reason", "failed"),
                detail=decision.get("detail", ""),
            )
        )

    def _has_candidates(self, place: Place) -> bool:
        offer = self.services.offer_of(self.state, place["id"], self.progress.rejected[place["id"]])
        return bool(offer.entries)


def _raise_or_ask_again(services: Services, state: WalkState, decisions: dict[str, DecisionRecord | None]) -> list[str]:
    """Raise what must be raised of a wave whose calls have all ended.

    Returns:
        The ids of failed decisions whose exception is no longer in this process: it was raised before, or the run was
        resumed elsewhere. They are asked for again.
    """
    fatal = {
        id_: decision
        for id_, decision in decisions.items()
        if decision and decision["action"] == "error" and _must_raise(state, decision)
    }
    errors = {id_: services.failures.pop(decision.get("error_key", "")) for id_, decision in fatal.items()}
    for error in errors.values():
        if error is not None:
            raise error
    return list(errors)


def _with_given_up(services: Services, state: WalkState, failed: Sequence[DecisionRecord | None]) -> UsageTotals:
    """Return the run's usage with that of failed decisions which are asked for again."""
    usage, price = state["usage"], services.operator.price(state["settings"]["navigator_model"])
    for decision in filter(None, failed):
        usage = add_usage(usage, Usage(**(decision.get("usage") or {})), price)
    return usage


def _must_raise(state: WalkState, decision: DecisionRecord) -> bool:
    return state["settings"]["on_failure"] == "raise" or decision.get("reason") == "configuration"


def _offers_gone(decisions: dict[str, DecisionRecord | None]) -> bool:
    return any(decision and decision.get("reason") == INDEX_CHANGED for decision in decisions.values())


def _undo_wave(state: WalkState) -> Update:
    """Nothing of this wave was opened: its visits are given back, and the gate ends the walk."""
    progress = Progress(state)
    return Update(
        index_changed=True,
        wave=[],
        remaining_visits=state["remaining_visits"] + len(state["wave"]),
        usage={**state["usage"], "visits": state["usage"]["visits"] - len(state["wave"])},
        **progress.update(),
    )


def _offered(services: Services, state: WalkState, id_: str, decision: object) -> DecisionRecord | None:
    """Return a decision that a person gives when asked: unlike a model, they can be told of a ref that is a slip.

    Raises:
        DecisionError: It is none, or names refs that were not offered.
    """
    checked = _checked(id_, decision)
    picks = checked.get("picks", []) if checked else []
    if picks:
        refs = services.offer_of(state, id_).by_ref
        if unknown := [pick["ref"] for pick in picks if pick["ref"] not in refs]:
            raise DecisionError(
                f"The offer of {id_!r} has no {unknown!r}: name refs that it has, like {list(refs)[:_REFS_NAMED]!r}, in"
                " {'action': 'pick', 'picks': [{'ref': '1', 'action': 'take'}]}."
            )
    return checked


def _checked(id_: str, decision: object) -> DecisionRecord | None:
    """Return a decision if it has the form of one: a person may have written it.

    Raises:
        DecisionError: Naming what is wrong with it.
    """
    try:
        return _DECISION.validate_python(decision)
    except ValidationError as error:
        raise DecisionError(
            f"The decision for {id_!r} is none ({faults(error, values=False)}), got {decision!r}: write"
            " {'action': 'pick', 'picks': [{'ref': '1', 'action': 'take'}]},"
            " {'action': 'stop'} or {'action': 'reject'}."
        ) from error
