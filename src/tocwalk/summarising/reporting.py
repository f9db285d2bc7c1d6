"""What is told of summaries: while they are written, and at the end."""

from __future__ import annotations

from typing import Any

from tocwalk.models.spending import NOTHING_SPENT, add_usage
from tocwalk.state import UsageTotals
from tocwalk.summarising.spending import Spending
from tocwalk.summarising.summariser import Summariser

__all__ = ["spending_line", "summaries_record", "usage_totals"]


def spending_line(spending: Spending) -> str:
    """Return "12 summaries written, 14 model calls, 10,324 tokens in and 612 out, cost 0.0104"."""
    usage = spending.usage
    written = spending.counts["written"]
    parts = [
        "1 summary written" if written == 1 else f"{written:,} summaries written",
        *([f"{kept:,} reused"] if (kept := spending.counts["kept"]) else []),
        "1 model call" if usage.calls == 1 else f"{usage.calls:,} model calls",
        f"{'about ' if usage.estimated else ''}{usage.input_tokens:,} tokens in and {usage.output_tokens:,} out",
    ]
    if spending.cost is not None:
        parts.append(f"cost {spending.cost:.4f}")
    return ", ".join(parts)


def summaries_record(summariser: Summariser) -> dict[str, Any]:
    """Return how the summaries of a run came to be, as JSON."""
    spending = summariser.spending
    return {
        "made_by": summariser.made_by,
        "sections": {how: spending.counts[how] for how in ("text", "kept", "written", "lead")},
        "stopped": spending.stopped,
    }


def usage_totals(spending: Spending) -> UsageTotals:
    """Return what the summaries of a run have cost so far."""
    return add_usage(NOTHING_SPENT, spending.usage, spending.budget.price)
