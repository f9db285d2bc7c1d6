"""Summaries by a model: bottom-up, in parallel, kept so that none is paid for twice, within a budget.

It needs LangChain; whoever wants to start fast imports it when it is needed.
"""

from tocwalk.summarising.reporting import SummariesReport, spending_line, summaries_report, usage_totals
from tocwalk.summarising.spending import Spending
from tocwalk.summarising.summariser import Summarised, Summariser, SummariserSettings

__all__ = [
    "Spending",
    "SummariesReport",
    "Summarised",
    "Summariser",
    "SummariserSettings",
    "spending_line",
    "summaries_report",
    "usage_totals",
]
