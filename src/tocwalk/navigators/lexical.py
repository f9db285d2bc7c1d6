"""`lexical:outline`: a navigator that compares words. Offline, deterministic, free; it does not reason.

It finds what shares words with the question, and says so when nothing does. What shares none, it misses: it is the
floor that a model has to beat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tocwalk.navigators.lexical_parts import best_parts, is_map
from tocwalk.navigators.lexical_score import score_offer
from tocwalk.navigators.protocol import OWN_BODY, Candidate, Decision, NavigatorRequest, Pick

__all__ = ["LexicalNavigator"]

_MODEL = "lexical:outline"
_MOST_PICKS = 3
_ENOUGH_TO_TAKE = 0.3
"""What an answer scores at least."""
_SHARE_OF_VISITS = 3
"""One in so many of the visits left is spent at once, so that what is opened can be looked into in turn."""
_NEAR_THE_BEST = 0.5
"""What is picked scores at least so much of the best."""
_STANDS_OUT, _BEFORE_THE_NEXT = 0.75, 0.8
"""A child goes before its parent at so much of the parent's score, if the next below has at most so much of its own."""
_OWN_BODY = 0.6
"""What a section's own text counts beside what is below it: of both only the titles are compared, but it is a part."""


class LexicalNavigator:
    """Looks into the parts that share words with the question, takes what shares enough, rejects where nothing does."""

    examples = (_MODEL,)
    needs = ""

    def supports(self, model: str) -> bool:
        """Whether `model` is "lexical:outline"."""
        return model == _MODEL

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Judge one offer by its words."""
        return await asyncio.to_thread(_decide, request)


def _decide(request: NavigatorRequest) -> Decision:
    # What is opened is compared as one of the offer, to tell whether it is itself what is asked for.
    opened = replace(request.current, ref="", summary="")
    scores = score_offer(request.query, (opened, *request.candidates), above=request.path)
    offer = _ScoredOffer(request, scores)
    if request.remaining_visits > 0 and is_map(request):
        if parts := offer.to_look_into(best_parts(request)):
            return Decision(
                action="pick", picks=parts, reasoning="What is shown of them shares most with the question."
            )
        return Decision(action="reject", reasoning="Nothing here shares enough words with the question.")
    picks = tuple(Pick(ref=candidate.ref, action="take") for candidate in offer.best())
    if picks:
        return Decision(action="pick", picks=picks, reasoning=_reasoning(picks, scores))
    if opened.kind == "section" and scores[""] >= _ENOUGH_TO_TAKE:
        return Decision(
            action="stop", reasoning="The section's own title shares words with the question, none below does."
        )
    return Decision(action="reject", reasoning="Nothing here shares enough words with the question.")


class _ScoredOffer:
    """An offer with the scores of its candidates."""

    def __init__(self, request: NavigatorRequest, scores: Mapping[str, float]) -> None:
        self.candidates = request.candidates
        self.visits = request.remaining_visits
        self.scores = {ref: score * (_OWN_BODY if ref == OWN_BODY else 1) for ref, score in scores.items()}

    def best(self) -> list[Candidate]:
        """Return what is picked, best first; of a parent and what is below it only one."""
        takeable = [candidate for candidate in self.candidates if candidate.takeable]
        order = sorted(takeable, key=lambda candidate: -self.scores[candidate.ref])
        least = max(_ENOUGH_TO_TAKE, _NEAR_THE_BEST * self.scores[order[0].ref]) if order else 0.0
        chosen: list[Candidate] = []
        for candidate in order:
            if len(chosen) == _MOST_PICKS or self.scores[candidate.ref] < least:
                break
            if not any(_nested(candidate, other) for other in chosen):
                chosen.append(self._outstanding_child(candidate) or candidate)
        return chosen

    def to_look_into(self, parts: Sequence[Candidate]) -> tuple[Pick, ...]:
        """Return how the best parts are picked, as far as visits go: opened; what has no parts, taken if it fits."""
        picks: list[Pick] = []
        for part in parts:
            if part.has_children or not part.takeable:
                if len(picks) < max(1, self.visits // _SHARE_OF_VISITS):
                    picks.append(Pick(ref=part.ref, action="open"))
            elif self.scores[part.ref] >= _ENOUGH_TO_TAKE:
                picks.append(Pick(ref=part.ref, action="take"))
        return tuple(picks)

    def _outstanding_child(self, parent: Candidate) -> Candidate | None:
        """Return what is below `parent`, nearly as good and clearly the best there, if there is such a one."""
        below = sorted(self._below(parent), key=lambda candidate: -self.scores[candidate.ref])
        if not below or self.scores[below[0].ref] < _STANDS_OUT * self.scores[parent.ref]:
            return None
        next_best = self.scores[below[1].ref] if len(below) > 1 else 0.0
        return below[0] if next_best <= _BEFORE_THE_NEXT * self.scores[below[0].ref] else None

    def _below(self, parent: Candidate) -> Iterator[Candidate]:
        return (candidate for candidate in self.candidates if candidate.ref.startswith(f"{parent.ref}."))


def _nested(one: Candidate, other: Candidate) -> bool:
    return one.ref.startswith(f"{other.ref}.") or other.ref.startswith(f"{one.ref}.")


def _reasoning(picks: Sequence[Pick], scores: Mapping[str, float]) -> str:
    shares = ", ".join(f"{pick.ref}: {scores[pick.ref]:.2f}" for pick in picks)
    return f"Share of the question's words, weighted by rarity, by ref: {shares}."
