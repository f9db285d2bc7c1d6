"""What the model is asked with and what it answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from reference.places import Candidate
from tocwalk.navigators.protocol import Decision
from tocwalk.state import StopReason, TextScope

__all__ = ["CallAborted", "Decide", "Ending", "Opening", "Outcome"]

Decide: TypeAlias = Callable[[str, int, Sequence[Candidate]], Decision]
"""Decides on an offer: id of the opened place, the how-manieth time it is opened (from 1), the candidates.

It may raise `NavigatorError` (the navigator has failed for good), `ConfigurationError`, or `CallAborted`.
"""

Ending: TypeAlias = Literal["pick", "stop", "reject", "error", "cancelled"]


class CallAborted(Exception):  # noqa: N818 - it is no error
    """The walk was cancelled while this call was under way."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One visit: what was opened, and what came of it."""

    id: str
    opener: str | None
    visits_left: int
    """As the navigator is told them: after the whole wave (rule 1)."""
    offered: tuple[str, ...]
    """Ids of the candidates, "0" left out."""
    ending: Ending
    """How it was answered; a `stop` where nothing can land, and no picks at all, are a `reject` (rules 4 and 5)."""


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What a walk came to. With `raises`, nothing was returned."""

    landings: list[tuple[str, StopReason, TextScope]] = field(default_factory=list[tuple[str, StopReason, TextScope]])
    stop_reason: StopReason | None = None
    visits_used: int = 0
    remaining_visits: int = 0
    dropped: Counter[str] = field(default_factory=Counter[str])
    """Picks and landings dropped, by reason."""
    openings: list[Opening] = field(default_factory=list[Opening])
    again: list[str] = field(default_factory=list[str])
    """Ids of places that were given a second try, each time they were."""
    failures: list[str] = field(default_factory=list[str])
    """Ids of the places whose navigator failed."""
    raises: Exception | None = None
