"""What is told of summaries: while they are written, and at the end."""

from __future__ import annotations

from typing_extensions import TypedDict

from tocwalk.models.spending import NOTHING_SPENT, add_usage
from tocwalk.state import UsageTotals
from tocwalk.summarising.spending import Spending
from tocwalk.summarising.summariser import Summariser
from tocwalk.tree import counted

__all__ = ["SummariesReport", "spending_line", "summaries_report", "usage_totals"]


class SummariesReport(TypedDict):
    """How a model has fared that was to write summaries, as JSON."""

    made_by: str
    """Model and version of the prompt."""
    sections: dict[str, int]
    """Sections by how they came by their summary: `text`: they are short and need no model; `kept`: it was there
    already; `written`; `lead`: the model gave none."""
    stopped: str
    """Why no more were asked for; empty if they were."""


def spending_line(spending: Spending) -> str:
    """Return "12 summaries written, 14 model calls, 10,324 tokens in and 612 out, cost 0.0104"."""
    usage = spending.usage
    written = spending.counts["written"]
    parts = [
        "1 summary written" if written == 1 else f"{written:,} summaries written",
        *([f"{kept:,} reused"] if (kept := spending.counts["kept"]) else []),
        counted(usage.calls, "model call"),
        f"{'about ' if usage.estimated else ''}{usage.input_tokens:,} tokens in and {usage.output_tokens:,} out",
    ]
    if spending.cost is not None:
        parts.append(f"cost {spending.cost:.4f}")
    return ", ".join(parts)


def summaries_report(summariser: Summariser) -> SummariesReport:
    """Return how the summaries of a run came to be."""
    spending = summariser.spending
    return SummariesReport(
        made_by=summariser.made_by,
        sections={how: spending.counts[how] for how in ("text", "kept", "written", "lead")},
        stopped=spending.stopped,
    )


def usage_totals(spending: Spending) -> UsageTotals:
    """Return what the summaries of a run have cost so far."""
    return add_usage(NOTHING_SPENT, spending.usage, spending.budget.price)
