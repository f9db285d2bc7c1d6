"""What must hold of every walk, whatever the documents, the settings, the offers and the navigator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from reference.grouped import grouped_offer
from reference.model import run
from reference.outcome import Outcome
from reference.places import below, corpus_of, levels_offer
from reference.strategies import Behaviour, behaviours, filters, forests, settings
from reference.trees import Forest, lay_out
from tocwalk.state import CUT_SHORT, WalkContext


@dataclass(frozen=True, slots=True)
class Walk:
    """All that decides a walk."""

    forest: Forest
    context: WalkContext
    decide: Behaviour
    visits: int | None
    filters: dict[str, Any] | None
    group_beyond: int | None
    """Offer groups where a place has more children than this; None: whole levels, no groups."""

    def run(self) -> Outcome:
        """Walk."""
        offer = levels_offer(self.context) if self.group_beyond is None else grouped_offer(self.group_beyond)
        return run(self.forest, self.context, visits=self.visits, filters=self.filters, offer=offer, decide=self.decide)

    @property
    def budget(self) -> int:
        """The smaller of what was asked and what is allowed."""
        return self.context.max_visits if self.visits is None else min(self.visits, self.context.max_visits)


any_walk: Callable[[Callable[[Walk], None]], Callable[[], None]] = given(
    st.builds(
        Walk,
        forests(tagged=True),
        settings(),
        behaviours(),
        st.sampled_from((None, None, None, 3)),
        st.one_of(st.none(), st.none(), st.none(), filters()),
        st.sampled_from((None, None, 2, 5)),
    )
)


@any_walk
def test_visits(walk: Walk) -> None:
    """A walk ends, opens no more than its budget allows, and accounts for each visit."""
    outcome = walk.run()
    event(f"ends: {outcome.stop_reason or 'raised'}")
    assert outcome.visits_used == len(outcome.openings) <= walk.budget
    assert outcome.remaining_visits == walk.budget - outcome.visits_used
    left = [opening.visits_left for opening in outcome.openings]
    assert left == sorted(left, reverse=True)
    assert all(outcome.remaining_visits <= visits_left < walk.budget for visits_left in left)
    if outcome.stop_reason == "BUDGET_EXHAUSTED" and walk.context.max_tokens is None:
        assert outcome.remaining_visits == 0


@any_walk
def test_nothing_is_opened_again_without_a_reject(walk: Walk) -> None:
    """A place is opened once, and again only after something opened from it was rejected."""
    rejected_since: dict[str | None, bool] = defaultdict(bool)
    opened: set[str] = set()
    for opening in walk.run().openings:
        if opening.id in opened:
            event("opened again")
            assert walk.context.backtrack
            assert rejected_since[opening.id]
        opened.add(opening.id)
        rejected_since[opening.id] = False
        rejected_since[opening.opener] |= opening.ending == "reject"


@any_walk
def test_nothing_rejected_is_offered_again(walk: Walk) -> None:
    """What was rejected from a place, and all below it, is not in what that place offers later."""
    below_of = {place.id: {one.id for one in below(place)} for place in below(corpus_of(walk.forest, None, {}))}
    gone: dict[str | None, set[str]] = defaultdict(set)
    for opening in walk.run().openings:
        assert gone[opening.id].isdisjoint(opening.offered)
        if opening.ending == "reject":
            gone[opening.opener] |= {opening.id} | below_of.get(opening.id, set())


@any_walk
def test_what_lands(walk: Walk) -> None:
    """What lands is a section in scope, not too deep, once, within `max_results`, the chosen ones first."""
    outcome = walk.run()
    scope = {key: value for key, value in (walk.filters or {}).items() if not key.startswith("section.")}
    places = [place for place in below(corpus_of(walk.forest, None, scope)) if place.kind == "section"]
    depths = {place.id: place.depth or 0 for place in places}
    ids = [section for section, _, _ in outcome.landings]
    event(f"landings: {len(ids)}")
    assert depths.keys() >= set(ids)
    assert all(depths[section] <= walk.context.max_depth for section in ids)
    assert len(set(ids)) == len(ids) <= walk.context.max_results
    cut = [reason in CUT_SHORT for _, reason, _ in outcome.landings]
    assert cut == sorted(cut)


@any_walk
def test_no_text_comes_twice(walk: Walk) -> None:
    """No section's text is in what another landing comes with."""
    outcome = walk.run()
    parents = {laid.id: laid.parent for name, root in walk.forest.items() for laid in lay_out(name, root)}
    whole = {section for section, _, scope in outcome.landings if scope == "subtree"}
    for section, _, _ in outcome.landings:
        above = parents[section]
        while above is not None:
            assert above not in whole
            above = parents[above]


@any_walk
def test_failures(walk: Walk) -> None:
    """A walk raises if the policy says so at the first failure, or if nothing but failures has landed."""
    outcome = walk.run()
    failed = [opening.id for opening in outcome.openings if opening.ending == "error"]
    if walk.context.on_failure == "raise":
        assert (outcome.raises is not None) == bool(failed)
    else:
        assert outcome.failures == failed
    if outcome.raises is not None:
        assert failed
        assert outcome.landings == []


@any_walk
def test_same_again(walk: Walk) -> None:
    """The same documents, settings and decisions give the same walk."""
    first, second = walk.run(), walk.run()
    first.raises, second.raises = None, None
    assert first == second
