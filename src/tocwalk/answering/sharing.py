"""One budget for several walks: how visits, tokens and money are divided, and what all of it has cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tocwalk.models.spending import NOTHING_SPENT
from tocwalk.state import UsageTotals, WalkContext
from tocwalk.state.operator import Price

__all__ = ["exceeded_by", "shares", "sum_usage", "walk_settings"]

_WRITTEN = 1000
"""Tokens that a call of the answering model is estimated to write."""


def shares(visits: int, walks: int) -> list[int]:
    """Divide visits among walks that run at the same time: evenly, what is over to the first."""
    return [visits // walks + (position < visits % walks) for position in range(walks)]


def walk_settings(settings: WalkContext, spent: UsageTotals, *, walks: int) -> dict[str, Any]:
    """Return the settings of each of several walks, by the walk's names: what is left of tokens and money, divided."""
    left = WalkContext.of(settings.model_dump()).model_dump(mode="json")
    if settings.max_tokens is not None:
        used = spent["input_tokens"] + spent["output_tokens"]
        left["max_tokens"] = max(0, settings.max_tokens - used) // walks
    if settings.max_cost is not None:
        left["max_cost"] = max(0.0, settings.max_cost - (spent["cost"] or 0.0)) / walks
    return left


def exceeded_by(tokens: int, settings: WalkContext, spent: UsageTotals, price: Price | None) -> str:
    """Return the budget that a call with a prompt of so many tokens would exceed, "" for none.

    It is estimated to write 1000 tokens.
    """
    used = spent["input_tokens"] + spent["output_tokens"]
    if settings.max_tokens is not None and used + tokens + _WRITTEN > settings.max_tokens:
        return "max_tokens"
    cost = price.cost(tokens, _WRITTEN) if price else 0.0
    if settings.max_cost is not None and (spent["cost"] or 0.0) + cost > settings.max_cost:
        return "max_cost"
    return ""


def sum_usage(parts: Iterable[UsageTotals]) -> UsageTotals:
    """Add up; the cost is None where no part has one."""
    total = NOTHING_SPENT
    for one in parts:
        costs = [cost for cost in (total["cost"], one["cost"]) if cost is not None]
        total = UsageTotals(
            visits=total["visits"] + one["visits"],
            model_calls=total["model_calls"] + one["model_calls"],
            input_tokens=total["input_tokens"] + one["input_tokens"],
            output_tokens=total["output_tokens"] + one["output_tokens"],
            cached_tokens=total["cached_tokens"] + one["cached_tokens"],
            reasoning_tokens=total["reasoning_tokens"] + one["reasoning_tokens"],
            estimated=total["estimated"] or one["estimated"],
            cached_decisions=total["cached_decisions"] + one["cached_decisions"],
            cost=sum(costs) if costs else None,
        )
    return total
