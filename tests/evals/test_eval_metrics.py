"""How well what landed fits the gold."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.evals.cases import Gold
from tocwalk.evals.gold import FoundBy, Target
from tocwalk.evals.metrics import QUALITY, Landed, Part, quality, total
from tocwalk.evals.outlines import Extent

SIZES = (
    "landed_sections",
    "landed_tokens",
    "gold_tokens",
    "token_density",
    "landed_pages",
    "gold_pages",
    "page_density",
)
SHARES = [name for name in QUALITY if name not in SIZES]


def section(position: int, *, by: FoundBy | None = "name", pages: Sequence[int] = ()) -> Target:
    """Return gold that is a section."""
    found = () if by is None else (position,)
    return Target(
        gold=Gold(title="Roof"), document="lease", found_by=by, positions=found, pages=frozenset(pages or [position])
    )


def on_pages(*pages: int) -> Target:
    """Return gold that is pages."""
    gold = Gold(page_start=min(pages))
    return Target(gold=gold, document="lease", found_by="pages", positions=tuple(pages), pages=frozenset(pages))


def landed(start: int, end: int | None = None, *, document: str = "lease") -> Landed:
    """Return a landed section, with those below it up to `end`; every section is a page of ten tokens."""
    behind = end or start + 1
    extent = Extent(document, start, behind)
    return Landed(extent=extent, pages=frozenset(range(start, behind)), tokens=10 * (behind - start))


def values(parts: dict[str, Part]) -> dict[str, float | None]:
    """Return what the measures of one case come to."""
    return {name: total([part]) for name, part in parts.items()}


def measured(targets: Sequence[Target], there: Sequence[Landed], *, failed: bool = False) -> dict[str, float | None]:
    """Return the measures of one case."""
    tokens = 10 * len({position for target in targets if target.is_section for position in target.positions})
    return values(quality(targets, there, document="lease", gold_tokens=tokens, failed=failed))


LANDED = st.builds(
    lambda start, more, document: landed(start, start + 1 + more, document=document),
    st.integers(0, 9),
    st.integers(0, 4),
    st.sampled_from(["lease", "charter"]),
)
TARGET = (
    st.builds(lambda position, by: section(position, by=by), st.integers(0, 12), st.sampled_from(["name", "evidence"]))
    | st.builds(on_pages, st.integers(1, 12))
    | st.just(section(0, by=None))
)


@given(targets=st.lists(TARGET, max_size=4), there=st.lists(LANDED, max_size=5), failed=st.booleans())
def test_measures_keep_their_bounds(targets: list[Target], there: list[Landed], failed: bool) -> None:
    """Shares lie between 0 and 1, sizes are not negative, and gold is found itself or inside, never both."""
    found = measured(targets, [] if failed else there, failed=failed)
    assert set(found) == set(QUALITY)
    for name in SHARES:
        value = found[name]
        assert value is None or 0 <= value <= 1, name
    for name in SIZES:
        value = found[name]
        assert value is None or value >= 0, name
    recall, itself, inside = (found[f"section_recall{end}"] for end in ("", "_itself", "_inside"))
    if recall is not None:
        assert recall == pytest.approx((itself or 0) + (inside or 0))
        assert any(target.is_section for target in targets)


@given(positions=st.sets(st.integers(0, 12), min_size=1, max_size=4), order=st.randoms(use_true_random=False))
def test_landing_the_gold_and_nothing_else_is_perfect(positions: set[int], order: Random) -> None:
    """Whatever the order, every share is 1 and nothing more is landed than the gold."""
    targets = [section(position) for position in sorted(positions)]
    there = [landed(position) for position in sorted(positions)]
    order.shuffle(there)
    found = measured(targets, there)
    perfect = ("section_recall", "section_recall_itself", "section_precision", "page_recall", "page_precision", "exact")
    assert [found[name] for name in (*perfect, "first_landing", "token_density", "page_density")] == [1] * 9
    assert found["section_recall_inside"] == found["abstained"] == found["abstention_wrong"] == 0
    assert found["abstention_right"] is None


@given(there=st.lists(LANDED, max_size=4))
def test_where_there_is_no_gold_nothing_of_the_document_may_land(there: list[Landed]) -> None:
    """Such a case is right or wrong, and says nothing of recall, precision or size; other documents are not judged."""
    found = measured([], there)
    right = not any(one.extent.document == "lease" for one in there)
    assert found["abstention_right"] == found["exact"] == right
    assert found["abstained"] == (not there)
    for name in ("section_recall", "section_precision", "page_recall", "token_density", "abstention_wrong"):
        assert found[name] is None


@given(targets=st.lists(TARGET, max_size=4))
def test_no_answer_is_wrong_whatever_the_gold(targets: list[Target]) -> None:
    """A navigator that failed has found nothing and has not abstained, neither rightly nor wrongly."""
    found = measured(targets, [], failed=True)
    assert not any(found[name] for name in SHARES)


def test_landing_nothing_where_there_is_gold_is_wrong() -> None:
    """Abstaining has no recall, and no precision either."""
    found = measured([section(3)], [])
    assert (found["section_recall"], found["section_precision"], found["abstention_wrong"]) == (0, None, 1)
    assert (found["exact"], found["first_landing"], found["token_density"]) == (0, 0, 0)


def test_gold_inside_a_landed_section_is_told_from_gold_that_landed() -> None:
    """Both are recall and right, but only one is exact, and the other costs tokens."""
    found = measured([section(3)], [landed(2, 6)])
    assert (found["section_recall"], found["section_recall_itself"], found["section_recall_inside"]) == (1, 0, 1)
    assert (found["section_precision"], found["first_landing"], found["exact"]) == (1, 1, 0)
    assert (found["token_density"], found["page_density"]) == (4, 4)


def test_gold_inside_landed_gold_landed_itself() -> None:
    """Where a section and one below it are both gold, the whole section is exactly what was asked for."""
    found = measured([section(2), section(3)], [landed(2, 4)])
    assert (found["section_recall_itself"], found["exact"], found["token_density"]) == (1, 1, 1)


def test_gold_that_is_no_section_is_found_at_best_inside_one() -> None:
    """Landing exactly what holds the words is recall, but not the gold itself."""
    found = measured([section(3, by="evidence")], [landed(3)])
    assert (found["section_recall"], found["section_recall_inside"], found["exact"]) == (1, 1, 0)


def test_gold_that_is_nowhere_counts_as_missed() -> None:
    """It cannot land, and still counts."""
    found = measured([section(3), section(0, by=None)], [landed(3)])
    assert (found["section_recall"], found["exact"]) == (0.5, 0)


def test_the_text_of_a_parent_alone_does_not_hold_its_children() -> None:
    """A section that landed without what is below it does not hold gold there."""
    found = measured([section(3)], [landed(2)])
    assert (found["section_recall"], found["section_precision"], found["first_landing"]) == (0, 0, 0)


def test_the_same_position_of_another_document_is_not_gold() -> None:
    """Sections and pages are those of their document."""
    found = measured([section(3), on_pages(3)], [landed(3, document="charter")])
    assert (found["section_recall"], found["section_precision"], found["page_recall"]) == (0, 0, 0)
    assert found["first_landing"] == 0


def test_gold_pages_are_judged_by_pages() -> None:
    """Of pages 2 to 3, landing 3 to 4 finds half, and half of it is gold; sections are not judged."""
    found = measured([on_pages(2, 3)], [landed(3, 5)])
    assert (found["page_recall"], found["page_precision"], found["page_density"]) == (0.5, 0.5, 1)
    assert (found["first_landing"], found["section_recall"], found["exact"], found["token_density"]) == (
        1,
        None,
        None,
        None,
    )


def test_a_passage_over_two_sections_needs_both() -> None:
    """Half a passage is not found."""
    passage = Target(
        gold=Gold(passage="words"), document="lease", found_by="passage", positions=(2, 3), pages=frozenset({2})
    )
    assert measured([passage], [landed(2)])["section_recall"] == 0
    assert measured([passage], [landed(2), landed(3)])["section_recall_itself"] == 1
    assert measured([passage], [landed(0, 9)])["section_recall_inside"] == 1


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=6))
def test_cases_that_say_nothing_of_a_measure_do_not_change_it(parts: list[Part]) -> None:
    """Nothing is known where no case says anything; else silent cases can be left out."""
    said = [part for part in parts if part != (0, 0)]
    assert total([*parts, (0.0, 0.0)]) == total(said)
    assert total([]) is None
