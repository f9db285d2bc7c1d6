"""What an indexing run tells: in its stream and in logs while it goes on, and in its output at the end."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, get_args

from tocwalk.indexing.outcome import DocumentReport, Outcome, Status, document_report
from tocwalk.nodes.telling import log_step, milliseconds
from tocwalk.state import UsageTotals
from tocwalk.summarising import Spending, spending_line, usage_totals
from tocwalk.tree import counted, one_line

__all__ = ["RunReport"]

_LONGEST_LINE = 1000
"""Characters."""


class RunReport:
    """Collects what became of each document, and tells it.

    Attributes:
        documents: What became of each so far.
    """

    def __init__(self, write: Callable[[Any], None]) -> None:
        self.documents: list[DocumentReport] = []
        self._write = write
        self._begun = time.perf_counter()

    def started(self, *, corpus: str, documents: int, summary_model: str | None) -> None:
        """Tell that documents will be read."""
        log_step("index", "index_started", corpus=corpus, documents=documents, summary_model=summary_model)

    def became(self, outcome: Outcome) -> None:
        """Take the next document."""
        report = document_report(outcome)
        self.documents.append(report)
        ms = round(outcome.seconds * 1000, 1)
        self._write({"event": "document", **report, "ms": ms, "summary": _line(report)})
        log_step(
            "index",
            "document_failed" if outcome.status == "failed" else "document_done",
            level=logging.WARNING if outcome.status == "failed" else logging.INFO,
            document=outcome.source.document_id,
            status=outcome.status,
            reason=outcome.reason,
            sections=outcome.sections,
            summaries_missing=outcome.missing or None,
            ms=ms,
        )

    def spent(self, spending: Spending) -> None:
        """Take what summaries have cost so far; called from another thread."""
        counts = {how: spending.counts[how] for how in ("kept", "written", "lead")}
        usage = usage_totals(spending)
        self._write({"event": "summaries", "sections": counts, "usage": usage, "summary": spending_line(spending)})

    def ended(self, usage: UsageTotals, *, cancelled: bool) -> None:
        """Tell that all is done."""
        counts = Counter(report["status"] for report in self.documents)
        log_step(
            "index",
            "index_ended",
            **{status: counts[status] for status in get_args(Status)},
            cancelled=cancelled,
            model_calls=usage["model_calls"],
            input_tokens=usage["input_tokens"],
            output_tokens=usage["output_tokens"],
            cost=usage["cost"],
            ms=milliseconds(self._begun),
        )


def _line(report: DocumentReport) -> str:
    """Return what became of a document in one line."""
    told = report["message"] or counted(report["sections"] or 0, "section")
    return one_line(f"{report['status']} {report['id']}: {told}", _LONGEST_LINE)
