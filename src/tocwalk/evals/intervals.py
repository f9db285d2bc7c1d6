"""How far results would scatter if other cases of the same kind had been asked."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from tocwalk.evals.metrics import Part

__all__ = ["Interval", "intervals"]

Interval: TypeAlias = tuple[float, float]
"""Lower and upper end, of 95 %."""

_RESAMPLES = 1000


def intervals(parts: Mapping[str, Iterable[Part]], *, seed: int) -> dict[str, Interval]:
    """Return the intervals of measures, of those that two cases or more say something of: one tells of no scatter.

    The percentile interval of the bootstrap over cases (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
    chapter 13): the cases that say something of the measure are drawn anew, with replacement, 1000 times.

    Args:
        parts: By measure the parts of the cases.
        seed: The same seed gives the same intervals.
    """
    said = {name: tuple(part for part in of_cases if part[1]) for name, of_cases in parts.items()}
    different = {of_cases for of_cases in said.values() if of_cases[1:]}  # many measures come out alike
    draws = {count: _draws(count, seed) for count in set(map(len, different))}
    found = {of_cases: _interval(of_cases, draws[len(of_cases)]) for of_cases in different}
    return {name: found[of_cases] for name, of_cases in said.items() if of_cases in found}


def _draws(count: int, seed: int) -> list[list[int]]:
    chance = random.Random(seed)  # noqa: S311 - statistics, not secrets
    return [chance.choices(range(count), k=count) for _ in range(_RESAMPLES)]


def _interval(parts: Sequence[Part], draws: Sequence[Sequence[int]]) -> Interval:
    if len(set(parts)) == 1:  # however they are drawn
        return parts[0][0] / parts[0][1], parts[0][0] / parts[0][1]
    numerators, denominators = ([part[side] for part in parts] for side in (0, 1))
    values = [sum(map(numerators.__getitem__, draw)) / sum(map(denominators.__getitem__, draw)) for draw in draws]
    cuts = statistics.quantiles(values, n=40, method="inclusive")
    return cuts[0], cuts[-1]
