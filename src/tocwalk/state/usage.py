"""What calls of models have used, as the state keeps it and results tell it."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

__all__ = ["StepUsage", "UsageRecord", "UsageTotals"]

_Count: TypeAlias = Annotated[int, Field(ge=0)]


class UsageRecord(TypedDict, total=False):
    """What one decision has used; what is left out, by a person who edits it, is nothing."""

    calls: _Count
    input_tokens: _Count
    output_tokens: _Count
    cached_tokens: _Count
    reasoning_tokens: _Count
    estimated: bool
    cached_decisions: _Count


class _Used(TypedDict):
    """What visits and runs have in common."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int
    """Part of `input_tokens`."""
    reasoning_tokens: int
    """Part of `output_tokens`."""
    estimated: bool
    """True where a part of the counts is ours because the provider sent none."""
    cached_decisions: int
    """Visits whose decision was kept from before, so that no model was called."""
    cost: float | None
    """Money, in the currency of the operator's prices; None where the model has no price."""


class StepUsage(_Used):
    """What one visit cost, whatever came of it."""

    id: str
    """Of the place that was opened."""
    calls: int


class UsageTotals(_Used):
    """What a run cost."""

    visits: int
    model_calls: int
    steps: NotRequired[list[StepUsage]]
    """Of a walk: its visits, in order."""
