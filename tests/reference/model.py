"""The reference model of the walk: its fourteen rules as one loop over plain values.

Written from the rules alone, to be read beside them: "rule 6" stands where rule 6 is applied. What rules 2, 6 and 7
say of places and paths alone is in `rules`, rules 11 and 12 are in `emit`, and what is a place in `places`.
Not modelled, since they come from outside of a walk: `INDEX_CHANGED` and `RECURSION_GUARD` of rule 14, and the retries
of rule 9; `decide` gives the last word of a navigator. The calls of a wave are made one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from reference.emit import Landing, emit
from reference.outcome import CallAborted, Decide, Ending, Opening, Outcome
from reference.places import Candidate, Offer, Place, below, corpus_of, group_of, inside, section_of
from reference.rules import Path, deepest_first, excluded, next_wave, settle
from reference.trees import Forest
from tocwalk.errors import ConfigurationError, NavigatorError
from tocwalk.navigators.protocol import OWN_BODY, Decision, Pick
from tocwalk.state import StopReason, WalkContext
from tocwalk.state.operator import Price

__all__ = ["run"]

_Answer: TypeAlias = Decision | NavigatorError | CallAborted


def run(
    forest: Forest,
    settings: WalkContext,
    *,
    visits: int | None = None,
    cancel: bool = False,
    only_documents: Sequence[str] | None = None,
    filters: Mapping[str, Any] | None = None,
    offer: Offer,
    decide: Decide,
    price: Price | None = None,
) -> Outcome:
    """Walk the documents as the rules have it.

    Args:
        forest: Documents by id.
        settings: As for any walk; `navigator_model` and `decide_timeout_s` play no part.
        visits: Visit budget; None: `max_visits`, which is also its ceiling.
        cancel: Whether the walk is cancelled before it starts.
        only_documents: Ids of the documents in scope; None or empty: all.
        filters: Metadata filters; a key `section.x` is tested on what landed, any other on documents.
        offer: What opening a place shows; `levels_offer` or another.
        decide: The navigator.
        price: What the model costs; needed by `max_cost` only.
    """
    budget = settings.max_visits if visits is None else min(visits, settings.max_visits)
    of_documents, of_sections = _split(filters or {})
    corpus = corpus_of(forest, only_documents, of_documents)
    walk = _Walk(corpus, settings, budget=budget, cancelled=cancel, offer=offer, decide=decide, price=price)
    outcome = walk.outcome
    try:
        walk.walk()
    except (NavigatorError, ConfigurationError) as error:
        outcome.raises = error
    outcome.visits_used, outcome.remaining_visits = budget - walk.remaining, walk.remaining
    if outcome.raises is None:
        _conclude(walk, of_sections)
    return outcome


def _conclude(walk: _Walk, section_filters: Mapping[str, Any]) -> None:
    """Put into the outcome what is returned, and why the walk ended."""
    outcome = walk.outcome
    returned, dropped = emit(walk.landings, walk.settings, section_filters)
    outcome.landings = [(one.id, one.reason, one.scope) for one in returned]
    outcome.dropped += dropped
    # Rule 14: what cut an open path; else the first section's reason; else that of the path that ended last.
    outcome.stop_reason = walk.cut_by or (returned[0].reason if returned else walk.last_end)


def _split(filters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the filters on documents and those on sections."""
    of_documents = {key: value for key, value in filters.items() if not key.startswith("section.")}
    return of_documents, {key.removeprefix("section."): filters[key] for key in filters.keys() - of_documents.keys()}


class _Walk:
    """The walk under way: what is open, what has landed, what is left to spend."""

    def __init__(
        self,
        corpus: Place,
        settings: WalkContext,
        *,
        budget: int,
        cancelled: bool,
        offer: Offer,
        decide: Decide,
        price: Price | None,
    ) -> None:
        self.corpus, self.settings, self.offer, self.decide, self.price = corpus, settings, offer, decide, price
        self.remaining, self.cancelled = budget, cancelled
        self.places = {place.id: place for place in below(corpus)}
        self.parents = {child.id: place for place in (corpus, *below(corpus)) for child in place.children}
        self.frontier: list[Path] = []
        self.seen: set[str] = set()
        self.landings: list[Landing] = []
        self.rejected: dict[str, list[Place]] = {}
        self.tokens, self.cost = 0, 0.0
        self.cut_by: StopReason | None = None
        self.last_end: StopReason = "NOTHING_IN_SCOPE"
        self.first_failure: NavigatorError | None = None
        self.outcome = Outcome()

    def walk(self) -> None:
        """Open what there is to open, wave by wave."""
        self._follow(self.corpus, key=(), opener=None)
        while self.frontier:
            limit = self._limit()
            if limit is not None:
                self._cut(limit)
                break
            wave = next_wave(self.frontier, self.settings, self.remaining, self._affords)
            self.frontier = [path for path in self.frontier if path not in wave]
            self.remaining -= len(wave)  # Rule 1: a visit is an opened offer, however it is answered.
            offers = [self._offer(path.place) for path in wave]
            answers = [self._ask(path, shown) for path, shown in zip(wave, offers, strict=True)]
            self._raise_by_policy(answers)
            answered = zip(wave, offers, answers, strict=True)
            self._second_tries([path for path, shown, answer in answered if self._apply(path, shown, answer)])
        # Rule 9: with a failure, a walk in which nothing else landed is raised whatever the policy.
        if self.first_failure and all(landing.reason == "NAVIGATOR_ERROR" for landing in self.landings):
            raise self.first_failure

    # Rules 2 and 8 to 10: how paths begin and end.

    def _follow(self, place: Place, *, key: tuple[int, ...], opener: Path | None) -> None:
        """Open a place, or land it free of charge."""
        settled, reason = settle(place, self.settings.max_depth)
        if reason is not None:
            self._end(settled, key, reason)
        else:
            self.seen.add(settled.id)
            self.frontier.append(Path(place=settled, key=key, opener=opener))

    def _end(self, place: Place, key: tuple[int, ...], reason: StopReason, *, own: bool = False) -> None:
        """End a path where it stands: a group lands its section; corpus, folders and their groups land nothing."""
        section = section_of(place)
        if section is not None:
            self.landings.append(Landing(place=section, key=key, reason=reason, own=own))
        self.last_end = reason

    def _limit(self) -> StopReason | None:
        """Return what ends all open paths now, if anything does."""
        if self.cancelled:  # Rule 10.
            return "CANCELLED"
        if self.remaining == 0 or not self._affords(1):  # Rule 8.
            return "BUDGET_EXHAUSTED"
        return None

    def _affords(self, calls: int) -> bool:
        """Whether as many calls fit what is left of the token and money budgets (rules 7 and 8)."""
        estimate = calls * (self.settings.offer_tokens + 1000)
        max_tokens, max_cost = self.settings.max_tokens, self.settings.max_cost
        if max_tokens is not None and self.tokens + estimate > max_tokens:
            return False
        if max_cost is None:
            return True
        if self.price is None:
            raise ConfigurationError("The setting max_cost needs a price; hand one over.")
        return self.cost + self.price.cost(estimate, 0) <= max_cost

    def _cut(self, reason: StopReason) -> None:
        """End all that is open: landed where it stands by rule 8, unlanded by rule 10."""
        for path in sorted(self.frontier, key=lambda path: path.key):
            if reason == "BUDGET_EXHAUSTED":
                self._end(path.place, path.key, reason)
            else:
                self.last_end = reason
        self.frontier.clear()
        self.cut_by = reason

    # Rules 1, 7 and 9: waves and calls.

    def _ask(self, path: Path, shown: Sequence[Candidate]) -> _Answer:
        """Open a place: show what is below it to the navigator."""
        path.times += 1
        answer: _Answer
        try:
            answer = self.decide(path.place.id, path.times, shown)
            usage = answer.usage
            self.tokens += usage.input_tokens + usage.output_tokens
            if self.price is not None:
                self.cost += self.price.cost(usage.input_tokens, usage.output_tokens, usage.cached_tokens)
        except (NavigatorError, CallAborted) as error:
            answer = error
        opener = path.opener.place.id if path.opener else None
        offered = tuple(candidate.place for candidate in shown if candidate.ref != OWN_BODY)
        ending = _ending(path.place, answer)
        self.outcome.openings.append(Opening(path.place.id, opener, self.remaining, offered, ending))
        return answer

    def _raise_by_policy(self, answers: Sequence[_Answer]) -> None:
        """Rule 9: with `raise`, the first failure is raised after all calls of the wave have ended."""
        failures = [answer for answer in answers if isinstance(answer, NavigatorError)]
        if failures and self.settings.on_failure == "raise":
            raise failures[0]
        self.first_failure = self.first_failure or (failures[0] if failures else None)

    # Rules 4 to 6: decisions.

    def _apply(self, path: Path, shown: Sequence[Candidate], answer: _Answer) -> bool:
        """Apply the answer to one offer; return whether it was a reject."""
        ending = _ending(path.place, answer)
        if ending == "cancelled":  # Rule 10.
            self.cancelled, self.cut_by, self.last_end = True, "CANCELLED", "CANCELLED"
        elif ending == "error":  # Rule 9, `partial`.
            self.outcome.failures.append(path.place.id)
            self._end(path.place, path.key, "NAVIGATOR_ERROR")
        elif ending == "stop":  # Rule 5.
            self._end(path.place, path.key, "NAVIGATOR_STOP")
        elif ending == "reject":  # Rule 6.
            self.last_end = "NAVIGATOR_REJECT"
        elif isinstance(answer, Decision):
            self._apply_picks(path, shown, answer.picks)
        return ending == "reject"

    def _apply_picks(self, path: Path, shown: Sequence[Candidate], picks: Sequence[Pick]) -> None:
        """Rule 4: check the picks one by one and follow what stands the check."""
        by_ref = {candidate.ref: candidate for candidate in shown}
        opened, reasons = 0, list[str | None]()
        for position, pick in enumerate(picks, start=path.picks):
            candidate = by_ref.get(pick.ref)
            key = (*path.key, position)
            reason = self._refusal(path, pick, candidate, opened)
            reasons.append(reason)
            if candidate is None or reason is not None:
                continue
            place = self._place(path, candidate)
            if pick.action == "open":
                opened += 1
                self._follow(place, key=key, opener=path)
            else:  # Rule 5.
                own = pick.ref == OWN_BODY
                self._end(place, key, "NAVIGATOR_STOP" if place.children else "LEAF", own=own)
        path.picks += len(picks)
        self.outcome.dropped.update(reason for reason in reasons if reason is not None)
        if set(reasons) == {"unknown"}:
            self._end(path.place, path.key, "UNKNOWN_NODE")
        elif None not in reasons:
            self.last_end = "NAVIGATOR_REJECT"  # Unlanded, and no second try.

    def _refusal(self, path: Path, pick: Pick, candidate: Candidate | None, opened: int) -> str | None:
        """Rule 4: return why a pick is dropped, or None."""
        opens, own = pick.action == "open", pick.ref == OWN_BODY
        if candidate is None or (opens and own) or (not opens and candidate.kind in ("folder", "group")):
            return "unknown"
        if opens and opened == self.settings.max_picks:
            return "over_max_picks"
        landed = {landing.place.id for landing in self.landings if landing.own == own}
        if own:
            return "repeated" if path.place.id in landed else None
        place = self._place(path, candidate)
        meant = {place.id, settle(place, self.settings.max_depth)[0].id} if opens else {place.id}
        return "repeated" if meant & (self.seen | landed) else None

    def _place(self, path: Path, candidate: Candidate) -> Place:
        return group_of(path.place, *candidate.range) if candidate.range else self.places[candidate.place]

    def _second_tries(self, rejects: Sequence[Path]) -> None:
        """Rule 6: after a wave, give the openers of what was rejected another try."""
        openers: dict[str, Path] = {}
        for path in rejects:
            if path.opener is not None:
                openers[path.opener.place.id] = path.opener
                self.rejected.setdefault(path.opener.place.id, []).append(path.place)
        if self.settings.backtrack:
            for opener in deepest_first([*openers.values()]):
                if self._may_try_again(opener.place):
                    self.frontier.append(opener)
                    self.outcome.again.append(opener.place.id)

    def _may_try_again(self, place: Place) -> bool:
        """Rule 6: nothing in or below it has landed or is open, a candidate remains, a visit is left."""
        taken = [landing.place for landing in self.landings] + [path.place for path in self.frontier]
        if any(inside(one, place) for one in taken) or self.remaining == 0:
            return False
        return bool(self._offer(place))

    def _offer(self, place: Place) -> Sequence[Candidate]:
        return self.offer(place, excluded(place, self.rejected.get(place.id, ()), self.parents))


def _ending(place: Place, answer: _Answer) -> Ending:
    """Return what an answer comes to."""
    if isinstance(answer, Exception):
        return "cancelled" if isinstance(answer, CallAborted) else "error"
    # Rule 4: no picks at all is a reject; rule 5: so is `stop` where no section can land.
    empty = answer.action == "pick" and not answer.picks
    stops_nowhere = answer.action == "stop" and section_of(place) is None
    return "reject" if empty or stops_nowhere else answer.action
