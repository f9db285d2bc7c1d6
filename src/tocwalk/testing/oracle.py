"""A navigator that knows the answer: it measures what offers and rules cost, without a model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from tocwalk.errors import NavigatorError
from tocwalk.navigators.protocol import OWN_BODY, Candidate, Decision, NavigatorRequest, Pick
from tocwalk.testing.fakes import random_for
from tocwalk.testing.true_outline import Outline, TrueOutline, TruePlace

__all__ = ["OracleNavigator"]


class OracleNavigator:
    """Takes the gold sections of a question where it sees them, and opens what leads to them.

    It sees what every navigator sees: which candidate is which it tells by titles, numbers and pages. Every right pick
    may be replaced by a wrong one, to show what a navigator's errors do to a walk.

    Attributes:
        model: What it supports.
    """

    def __init__(
        self,
        gold: Mapping[str, Collection[str]],
        outlines: Iterable[Outline],
        *,
        error_rate: float = 0.0,
        seed: int = 0,
        model: str = "test:oracle",
    ) -> None:
        """Learn the answers.

        Args:
            gold: By question the ids of the sections that answer it; none where the right answer is none.
            outlines: The documents in scope, each whole: as documents, or as an index lists their sections.
            error_rate: Chance, 0 to 1, that a right pick is replaced by a candidate that leads nowhere, each of those
                being as likely as the others.
            seed: With the question and the offer, decides which picks are replaced, and by what.
            model: What it supports.
        """
        self.model = model
        self._gold = gold
        self._outline = TrueOutline(outlines)
        self._error_rate = error_rate
        self._seed = seed

    def supports(self, model: str) -> bool:
        """Whether `model` is this navigator's."""
        return model == self.model

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Pick what is gold or leads to it; stop where only the opened section is; reject where nothing is.

        Raises:
            NavigatorError: The question has no entry in `gold`, or the outline does not know an id or the path.
        """
        if request.query not in self._gold:
            raise NavigatorError(
                f"The oracle has no answer for {request.query!r}: add it to `gold`, with no ids for none."
            )
        gold = set(self._gold[request.query])
        ways = self._outline.ways(gold)
        shown = self._outline.shown(request)
        good = {ref for ref, place in shown.items() if _holds(place, gold | ways)}
        opened_is_gold = self._outline.opened(request).id in gold
        if opened_is_gold and any(candidate.ref == OWN_BODY for candidate in request.candidates):
            good.add(OWN_BODY)
        expanded = {ref.rpartition(".")[0] for ref in shown}
        picks = [
            Pick(ref=ref, action="take" if place.id in gold else "open")
            for ref, place in shown.items()
            if ref in good and (place.id in gold or ref not in expanded)
        ]
        if not picks:
            return Decision(action="stop" if opened_is_gold else "reject")
        if OWN_BODY in good:
            picks.insert(0, Pick(ref=OWN_BODY, action="take"))
        return Decision(action="pick", picks=self._with_errors(request, picks, good))

    def _with_errors(self, request: NavigatorRequest, right: Sequence[Pick], good: Collection[str]) -> tuple[Pick, ...]:
        """Replace some of the right picks, by chance, by candidates that are not good."""
        chance = random_for(self._seed, request)
        wrong = [candidate for candidate in request.candidates if candidate.ref not in good]
        return tuple(
            _blind_pick(chance.choice(wrong)) if wrong and chance.random() < self._error_rate else pick
            for pick in right
        )


def _holds(place: TruePlace, ids: Collection[str]) -> bool:
    """Whether a place is one of those with these ids, or a group that has one."""
    return place.id in ids if place.id else any(child.id in ids for child in place.children)


def _blind_pick(candidate: Candidate) -> Pick:
    """Return what is done with a candidate by who believes that the answer is there: opened where there is more."""
    more = candidate.openable and (candidate.has_children or not candidate.takeable)
    return Pick(ref=candidate.ref, action="open" if more else "take")
