"""What a walk returns."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

__all__ = ["CUT_SHORT", "Failure", "LandedSection", "StepUsage", "StopReason", "TextScope", "UsageTotals"]

StopReason: TypeAlias = Literal[
    "LEAF",
    "NAVIGATOR_STOP",
    "MAX_DEPTH",
    "BUDGET_EXHAUSTED",
    "UNKNOWN_NODE",
    "NAVIGATOR_REJECT",
    "NAVIGATOR_ERROR",
    "CANCELLED",
    "RECURSION_GUARD",
    "INDEX_CHANGED",
    "NOTHING_IN_SCOPE",
    "CROSS_REFERENCE",
]
"""Why a path, or a walk, ended. A plain string, so that it survives every serialiser.

No walk ends with `CROSS_REFERENCE`: it is the reason of sections that were read because another one refers to them.
"""

CUT_SHORT: frozenset[StopReason] = frozenset({"BUDGET_EXHAUSTED", "UNKNOWN_NODE", "NAVIGATOR_ERROR"})
"""Reasons of landings that nobody chose: they come after the chosen ones."""

TextScope: TypeAlias = Literal["own", "subtree", "own+titles"]
"""How much text a landed section comes with: its own, all below it too, or its own and the titles below."""


class LandedSection(TypedDict):
    """A section that a walk landed on: whole, with where it stands."""

    id: str
    document: str
    number: str | None
    title: str
    path: list[str]
    """Titles from the folders and the document down to the section, itself included."""
    depth: int
    page_start: int | None
    page_end: int | None
    label_start: str | None
    label_end: str | None
    stop_reason: StopReason
    score: float
    """Always 1.0: a section is chosen or it is not."""
    text: str
    text_scope: TextScope
    metadata: dict[str, Any]
    source: str


class Failure(TypedDict):
    """Something that went wrong and was survived."""

    step: str
    """The node in which it happened."""
    section: str
    """Id of the section that was being worked on."""
    reason: str
    """One word: see `NavigatorError.reason`; or `text_gone`."""
    detail: str


class StepUsage(TypedDict):
    """What one visit cost, whatever came of it."""

    id: str
    """Of the place that was opened."""
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    reasoning_tokens: int
    estimated: bool
    cached_decisions: int
    """1 where the decision was kept from before, so that no model was called; else 0."""
    cost: float | None


class UsageTotals(TypedDict):
    """What a run cost."""

    visits: int
    model_calls: int
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
    steps: NotRequired[list[StepUsage]]
    """Of a walk: its visits, in order."""
