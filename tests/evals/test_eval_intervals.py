"""Intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.evals.intervals import intervals
from tocwalk.evals.metrics import Part

PART = st.tuples(st.integers(0, 1), st.integers(0, 1)).filter(lambda part: part != (1, 0))


@given(parts=st.lists(PART, min_size=1, max_size=30), seed=st.integers(0, 9))
def test_intervals_lie_within_what_cases_gave(parts: list[Part], seed: int) -> None:
    """The ends are possible values, in order, and the same for the same seed; of one case there is no interval."""
    found = intervals({"recall": parts}, seed=seed)
    assert found == intervals({"recall": parts}, seed=seed)
    assert ("recall" in found) == (sum(part[1] for part in parts) > 1)
    for low, high in found.values():
        assert 0 <= low <= high <= 1


def test_cases_that_agree_leave_no_doubt() -> None:
    """Where all cases give the same, so does every other draw of them."""
    assert intervals({"recall": [(1, 1)] * 9}, seed=1) == {"recall": (1, 1)}


def test_more_cases_narrow_the_interval() -> None:
    """Half of a hundred cases is between 0.4 and 0.6, as the normal approximation says (0.5 ± 1.96 · 0.05)."""
    few, many = (intervals({"recall": [(0, 1), (1, 1)] * pairs}, seed=0)["recall"] for pairs in (5, 50))
    assert list(many) == pytest.approx([0.4, 0.6], abs=0.03)
    assert few[0] < many[0] < many[1] < few[1]


def test_silent_cases_do_not_widen_it() -> None:
    """A measure is drawn from the cases that say something of it."""
    parts: list[Part] = [(0, 1), (1, 1)] * 9
    assert intervals({"a": [*parts, (0, 0)]}, seed=0) == intervals({"a": parts}, seed=0)
