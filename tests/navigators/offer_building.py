"""Offers and requests, written short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tocwalk.navigators.protocol import Candidate, Decision, NavigatorRequest

__all__ = ["QUESTION", "candidate", "lease", "picked", "request_of"]

QUESTION = "How much notice must the tenant give?"


def candidate(ref: str, title: str, summary: str = "", **fields: Any) -> Candidate:
    """Return a section, or what `kind` says."""
    return Candidate(**{"ref": ref, "kind": "section", "title": title, "summary": summary, "depth": 1, **fields})


def lease() -> tuple[Candidate, ...]:
    """Return a small outline: own body, a leaf, a parent whose children are shown, a parent whose children are not."""
    return (
        candidate("0", "Lease of the mill", kind="document", depth=0),
        candidate("1", "Rent", "Amount, due dates, late payment.", number="1", page_start=2, page_end=3, tokens=900),
        candidate("2", "Ending the lease", number="2", has_children=True, page_start=4, page_end=6, tokens=1500),
        candidate("2.1", "Notice by the tenant", "Three months, in writing.", number="2.1", depth=2, page_start=4),
        candidate("2.2", "Notice by the landlord", number="2.2", depth=2),
        candidate("3", "Schedules", number="3", has_children=True),
    )


def request_of(
    *candidates: Candidate, query: str = QUESTION, current: Candidate | None = None, **fields: Any
) -> NavigatorRequest:
    """Return a request that shows these candidates, or else the lease."""
    opened = current or candidate("", "Lease of the mill", kind="document", depth=0, has_children=True)
    given: dict[str, Any] = {"model": "test:model", "path": ("Lease of the mill",), "remaining_visits": 5, **fields}
    return NavigatorRequest(query=query, current=opened, candidates=candidates or lease(), **given)


def picked(decision: Decision) -> Sequence[tuple[str, str]]:
    """Return the picks as pairs of ref and action; the decision must be to pick."""
    assert decision.action == "pick"
    return [(pick.ref, pick.action) for pick in decision.picks]
