"""`lexical:outline`: a navigator that compares words. Offline, deterministic, free; it does not reason.

It finds what shares words with the question, and says so when nothing does. What shares none, it misses: it is the
floor that a model has to beat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tocwalk.navigators.lexical_documents import best_documents
from tocwalk.navigators.lexical_score import score_offer
from tocwalk.navigators.protocol import OWN_BODY, Candidate, Decision, NavigatorRequest, Pick

__all__ = ["LexicalNavigator"]

_MODEL = "lexical:outline"
_MOST_PICKS = 3
_ENOUGH_TO_TAKE = 0.1
"""Share of the question that a candidate must cover to be an answer."""
_ENOUGH_TO_OPEN = 0.04
"""The same to look below it: what is there may cover more."""
_NEAR_THE_BEST = 0.5
"""What is picked scores at least so much of the best."""
_STANDS_OUT, _BEFORE_THE_NEXT = 0.75, 0.8
"""A child goes before its parent at so much of the parent's score, if the next below has at most so much of its own."""
_OWN_BODY = 0.6
"""What a section's own text counts beside what is below it: of both only the titles are compared, but it is a part."""


class LexicalNavigator:
    """Picks what shares words with the question; opens what may hold it; rejects when nothing does."""

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
    scores = score_offer(request.query, (opened, *request.candidates))
    offer = _ScoredOffer(request, scores)
    if documents := offer.to_look_into(best_documents(request, scores)):
        return Decision(
            action="pick", picks=documents, reasoning="What is shown of them shares most with the question."
        )
    picks = tuple(offer.pick(candidate) for candidate in offer.best())
    if picks:
        return Decision(action="pick", picks=picks, reasoning=_reasoning(picks, scores))
    if containers := offer.to_search():
        return Decision(action="pick", picks=containers, reasoning="No title shares enough words: searched in order.")
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
        self.expanded = {candidate.ref.rpartition(".")[0] for candidate in request.candidates}

    def best(self) -> list[Candidate]:
        """Return what is picked, best first; of a parent and what is below it only one."""
        order = sorted(self.candidates, key=lambda candidate: -self.scores[candidate.ref])
        least = _NEAR_THE_BEST * self.scores[order[0].ref] if order else 0.0
        chosen: list[Candidate] = []
        for candidate in order:
            score = self.scores[candidate.ref]
            if len(chosen) == _MOST_PICKS or score < least:
                break
            if score >= self._enough(candidate) and not any(_nested(candidate, other) for other in chosen):
                chosen.append(self._outstanding_child(candidate) or candidate)
        return chosen

    def pick(self, candidate: Candidate) -> Pick:
        """Return the pick of a candidate: opened where it is worth looking below it, else taken."""
        worth_opening = self._hidden(candidate) and (self.visits > 0 or not candidate.takeable)
        return Pick(ref=candidate.ref, action="open" if worth_opening else "take")

    def to_look_into(self, documents: Sequence[Candidate]) -> tuple[Pick, ...]:
        """Return how the best documents are picked, as far as visits go: opened; of one section, taken if it fits."""
        picks: list[Pick] = []
        for document in documents[: self.visits]:
            if document.has_children or not document.takeable:
                picks.append(Pick(ref=document.ref, action="open"))
            elif self.scores[document.ref] >= _ENOUGH_TO_TAKE:
                picks.append(Pick(ref=document.ref, action="take"))
        return tuple(picks)

    def to_search(self) -> tuple[Pick, ...]:
        """Return where to look though nothing shares enough words: below what shares a few; else in order.

        A document, folder or group has a title that says little of what is in it, so it is looked into without a word
        in common. Half of the visits are left for what is found.
        """
        hidden = [c for c in self.candidates if self._hidden(c)]
        worth = [c for c in hidden if self.scores[c.ref] > 0 or c.kind in ("document", "folder", "group")]
        order = sorted(worth, key=lambda candidate: -self.scores[candidate.ref])
        return tuple(Pick(ref=c.ref, action="open") for c in order[: min(_MOST_PICKS, self.visits // 2)])

    def _enough(self, candidate: Candidate) -> float:
        return _ENOUGH_TO_OPEN if self._hidden(candidate) else _ENOUGH_TO_TAKE

    def _hidden(self, candidate: Candidate) -> bool:
        """Whether there is something below that is not shown."""
        below = candidate.has_children or not candidate.takeable
        return candidate.openable and below and candidate.ref not in self.expanded

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
