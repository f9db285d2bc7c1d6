"""What a walk returns."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typing_extensions import TypedDict

__all__ = ["CUT_SHORT", "Failure", "LandedSection", "StopReason", "TextScope"]

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
