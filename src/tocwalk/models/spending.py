"""What a run has cost so far: tokens, and money where the operator gave prices."""

from __future__ import annotations

from typing import cast

from tocwalk.models.usage import Usage
from tocwalk.state import StepUsage, UsageTotals
from tocwalk.state.operator import Price

__all__ = ["NOTHING_SPENT", "add_step", "add_usage", "cost_of"]

NOTHING_SPENT = UsageTotals(
    visits=0,
    model_calls=0,
    input_tokens=0,
    output_tokens=0,
    cached_tokens=0,
    reasoning_tokens=0,
    estimated=False,
    cached_decisions=0,
    cost=None,
)


def cost_of(used: Usage, price: Price | None) -> float | None:
    """Return the money, in the currency of the price; None where there is no price."""
    return price.cost(used.input_tokens, used.output_tokens, used.cached_tokens) if price else None


def add_usage(total: UsageTotals, used: Usage, price: Price | None) -> UsageTotals:
    """Return the total with what calls have used; visits and steps stay as they are."""
    cost = cost_of(used, price)
    return {
        **total,
        "model_calls": total["model_calls"] + used.calls,
        "input_tokens": total["input_tokens"] + used.input_tokens,
        "output_tokens": total["output_tokens"] + used.output_tokens,
        "cached_tokens": total["cached_tokens"] + used.cached_tokens,
        "reasoning_tokens": total["reasoning_tokens"] + used.reasoning_tokens,
        "estimated": total["estimated"] or used.estimated,
        "cached_decisions": total["cached_decisions"] + used.cached_decisions,
        "cost": total["cost"] if cost is None else (total["cost"] or 0.0) + cost,
    }


def add_step(total: UsageTotals, id_: str, used: Usage, price: Price | None) -> UsageTotals:
    """Return the total with what the visit of a place has used, as one more of its steps."""
    step = cast("StepUsage", {"id": id_, **used.record(), "cost": cost_of(used, price)})
    return {**add_usage(total, used, price), "steps": [*total.get("steps", []), step]}
