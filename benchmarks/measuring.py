"""What the benchmarks share: repeating, the smallest and the middle time, tables in Markdown."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Prepare", "Timing", "measure", "print_table", "seconds"]

Prepare: TypeAlias = Callable[[], Callable[[], object]]
"""Does what is not to be measured, and returns what is."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one case, in seconds."""

    smallest: float
    """What the work takes where nothing else is in its way."""
    median: float

    def shown(self, parts: int = 1, digits: int = 2) -> str:
        """Return both in milliseconds, of one of so many equal parts of the work."""
        smallest, median = (1000 * value / parts for value in (self.smallest, self.median))
        return f"{smallest:.{digits}f} / {median:.{digits}f}"


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def measure(cases: Mapping[str, Prepare], *, times: int) -> dict[str, Timing]:
    """Return the times of each case.

    Every round runs all cases, so that a moment in which the machine is busy does not fall on one of them alone.
    A first round, in which caches fill and modules load, is not counted.
    """
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(times + 1):
        for name, prepare in cases.items():
            taken[name].append(seconds(prepare()))
    return {name: Timing(min(counted), statistics.median(counted)) for name, (_, *counted) in taken.items()}


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table under a heading; columns after the first are aligned to the right."""
    print(f"\n### {title}\n")
    print(f"| {' | '.join(header)} |")
    print(f"|{'|'.join(['---'] + ['---:'] * (len(header) - 1))}|")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)
