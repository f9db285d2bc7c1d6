"""Which open sections are judged next (rule 7), and what the budgets of money and tokens allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tocwalk.state import Opened, UsageTotals, WalkContext
from tocwalk.state.operator import Price

__all__ = ["Affordable", "affordable_calls", "next_wave"]

_TOKENS_PER_CALL = 1000
"""What a call is estimated to read and write beside the outline: instructions, question and answer."""


class Affordable(NamedTuple):
    """How many more calls the token and money budgets allow, and which of them allows so few."""

    calls: int | None
    """None: no limit is set."""
    limit: str | None
    """`max_tokens` or `max_cost`."""


def affordable_calls(settings: WalkContext, usage: UsageTotals, price: Price | None) -> Affordable:
    """Return how many calls, each of an estimated size, still fit the token and money budgets.

    A call is estimated at `offer_tokens` + 1000 tokens, at the model's price for input.
    """
    estimate = settings.offer_tokens + _TOKENS_PER_CALL
    allowed: list[tuple[int, str]] = []
    if settings.max_tokens is not None:
        left = settings.max_tokens - usage["input_tokens"] - usage["output_tokens"]
        allowed.append((max(0, left // estimate), "max_tokens"))
    if settings.max_cost is not None and price is not None and price.input > 0:
        cost = estimate * price.input / 1_000_000
        allowed.append((max(0, int((settings.max_cost - (usage["cost"] or 0.0)) / cost)), "max_cost"))
    return Affordable(*min(allowed)) if allowed else Affordable(None, None)


def next_wave(
    frontier: Sequence[str],
    seen: Mapping[str, Opened],
    *,
    parallel: int,
    remaining_visits: int,
    affordable: int | None,
) -> list[str]:
    """Return the open places to judge next: the first, and more while the levels below them all fit the visits left.

    So a small budget goes deep before it goes wide.

    Args:
        frontier: Open places by pick key.
        seen: What is known of them.
        parallel: Calls in flight at once.
        remaining_visits: Visits left, at least 1.
        affordable: Calls that other budgets allow, at least 1; None for any number.
    """
    wave: list[str] = []
    levels = 0
    most = min(parallel, remaining_visits, affordable if affordable is not None else parallel)
    for id_ in frontier[:most]:
        levels += seen[id_]["place"]["levels"]
        if wave and levels > remaining_visits:
            break
        wave.append(id_)
    return wave
