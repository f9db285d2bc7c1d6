"""Walking a recorded walk again: the decisions come from its trace, and no model is asked."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from tocwalk.errors import NavigatorError, ReplayError
from tocwalk.models.cancellation import CallCancelled
from tocwalk.models.usage import Usage
from tocwalk.navigators.outline import outline_hash, render_outline
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick, PickAction
from tocwalk.state import UsageRecord
from tocwalk.state.faults import faults

__all__ = ["ReplayNavigator"]

_NEVER_S = 1e9  # a wait that outlasts every deadline: what failed is not tried again


class _Part(BaseModel):
    """A part of a record; what is not looked at is left alone."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class _Pick(_Part):
    ref: str
    action: PickAction = "open"
    id: str | None = None
    reason: str = ""


class _Offer(_Part):
    hash: str


class _Step(_Part):
    """A visit, as the trace has it."""

    id: str
    visits_left: int
    offer: _Offer
    decision: Literal["pick", "stop", "reject", "error"]
    reasoning: str
    chosen: list[_Pick]
    dropped: list[_Pick]

    @property
    def at(self) -> tuple[str, int]:
        """What tells this visit from all others of the walk."""
        return self.id, self.visits_left

    def picks(self) -> Iterator[Pick]:
        """Yield the picks in an order that comes to the same: the trace has those that were followed apart.

        Each that was dropped comes as early as it can: a repetition after what it repeats, one over the limit after all
        that were opened.
        """
        dropped = deque(self.dropped)
        for position, pick in enumerate(self.chosen):
            yield from _dropped_before(self.chosen[position:], dropped)
            yield Pick(ref=pick.ref, action=pick.action)
        yield from _dropped_before((), dropped)


class _Cost(UsageRecord):
    """What a visit cost, as the usage has it."""

    id: str


class _Failure(_Part):
    step: str
    reason: str
    detail: str


class _Usage(_Part):
    steps: list[_Cost] = []


class _Record(_Part):
    """What a run returned, as far as its decisions go."""

    trace: list[dict[str, Any]]
    failures: list[_Failure]
    usage: _Usage
    stop_reason: str
    remaining_visits: int
    query: str | None = None


_record: TypeAdapter[_Record] = TypeAdapter(_Record)
_steps: TypeAdapter[list[_Step]] = TypeAdapter(list[_Step])


class ReplayNavigator:
    """Gives the decisions of a recorded walk, each in the place and at the point of the walk where it was made.

    With the same documents and settings the walk comes to the same output. Its usage is the recorded one, so that token
    and money budgets end it where they did; calls that were in flight when it was cancelled are cancelled again. It may
    be used for any number of walks.

    Attributes:
        model: What it supports.
        prompt_version: That of the recorded walk.
    """

    def __init__(self, output: Mapping[str, Any], *, model: str = "replay:trace") -> None:
        """Read a record.

        Args:
            output: What a run returned, or what `tocwalk ask --json` printed.
            model: What it supports.

        Raises:
            ReplayError: It is no record of a walk, or of one that ended because its index changed.
        """
        self.model = model
        try:
            record = _record.validate_python(output)
            steps = _steps.validate_python([step for step in record.trace if step.get("event") == "open"])
        except ValidationError as error:
            found = faults(error, values=False, most=3)
            raise ReplayError(
                f"This is no record of a walk ({found}): give what a run returned, or `tocwalk ask --json` printed."
            ) from error
        if record.stop_reason == "INDEX_CHANGED":
            raise ReplayError(
                "The recorded walk ended because its index had changed (INDEX_CHANGED): what it saw is no longer there,"
                " so it cannot be replayed. Ask again."
            )
        self.prompt_version: str = next((str(step["prompt"]) for step in record.trace if "prompt" in step), "")
        self._query = record.query
        self._cancelled_at = record.remaining_visits if record.stop_reason == "CANCELLED" else None
        self._steps = {step.at: step for step in steps}
        self._costs = dict(_costs(steps, record.usage.steps, in_flight_at=record.remaining_visits))
        self._failures = dict(_failures(steps, record.failures))

    def supports(self, model: str) -> bool:
        """Whether `model` is this navigator's."""
        return model == self.model

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Give the recorded decision on an offer, or fail as it was recorded to.

        Raises:
            NavigatorError: The recorded one.
            CallCancelled: As recorded: the walk was cancelled before there was a decision.
            ReplayError: The record has no such decision, or made it on another offer or question.
        """
        self._check_question(request)
        at = (request.place, request.remaining_visits)
        usage = self._costs.get(at, Usage())
        if at not in self._steps and request.remaining_visits == self._cancelled_at:
            request.ledger.note(usage)
            raise CallCancelled
        step = self._recorded(request, at)
        if step.decision == "error":
            request.ledger.note(usage)
            failure = self._failures[step.at]
            raise NavigatorError(failure.detail, reason=failure.reason, retry_after=_NEVER_S)
        picks = tuple(step.picks())
        return Decision(action=step.decision, picks=picks, reasoning=step.reasoning, usage=usage)

    def _check_question(self, request: NavigatorRequest) -> None:
        if self._query is not None and request.query != self._query:
            raise ReplayError(f"The record is of the question {self._query!r}, not of {request.query!r}.")

    def _recorded(self, request: NavigatorRequest, at: tuple[str, int]) -> _Step:
        step = self._steps.get(at)
        place = repr(request.place) if request.place else "the corpus"
        if step is None and self._cancelled_at is not None:
            raise ReplayError(
                f"The recorded walk was cancelled between two steps, before {place} was asked about: of that moment the"
                " record says too little to come to it again."
            )
        if step is None:
            raise ReplayError(
                f"The record has no decision on {place} with {request.remaining_visits} visits left: replay a"
                " walk with the settings, limits and documents with which it was recorded."
            )
        if outline_hash(render_outline(request.candidates)) != step.offer.hash:
            raise ReplayError(
                f"What is below {place} is not offered as it was recorded: the documents, their summaries or"
                " the size of offers have changed since."
            )
        return step


def _dropped_before(coming: Sequence[_Pick], dropped: deque[_Pick]) -> Iterator[Pick]:
    """Take from the left of `dropped`, and yield, what is dropped for its reason before `coming` is followed too."""
    while dropped:
        pick = dropped[0]
        repeats = pick.reason == "repeated" and any(other.id == pick.id for other in coming)
        over = pick.reason == "over_max_picks" and any(other.action == "open" for other in coming)
        if repeats or over:
            return
        dropped.popleft()
        yield Pick(ref=pick.ref, action=pick.action)


def _costs(
    steps: Iterable[_Step], costs: Iterable[_Cost], *, in_flight_at: int
) -> Iterator[tuple[tuple[str, int], Usage]]:
    """Yield what each visit cost: both come in the order of the walk, place by place.

    What was in flight when the walk was cancelled is no step, but has its cost, the last of its place.
    """
    of_place: dict[str, deque[_Cost]] = defaultdict(deque)
    for cost in costs:
        of_place[cost["id"]].append(cost)
    for step in steps:
        if of_place[step.id]:
            yield step.at, _usage(of_place[step.id].popleft())
    for id_, left in of_place.items():
        if left:
            yield (id_, in_flight_at), _usage(left.popleft())


def _usage(cost: _Cost) -> Usage:
    used: dict[str, Any] = {name: value for name, value in cost.items() if name != "id"}
    return Usage(**used)


def _failures(steps: Iterable[_Step], failures: Iterable[_Failure]) -> Iterator[tuple[tuple[str, int], _Failure]]:
    """Yield how each visit without a decision failed; both come in the order of the walk.

    Raises:
        ReplayError: There are more of one than of the other.
    """
    failed = [step for step in steps if step.decision == "error"]
    told = [failure for failure in failures if failure.step == "navigator_decide"]
    if len(failed) != len(told):
        raise ReplayError(f"This is no record of a walk: {len(failed)} visits failed, of which {len(told)} are told.")
    for step, failure in zip(failed, told, strict=True):
        yield step.at, failure
