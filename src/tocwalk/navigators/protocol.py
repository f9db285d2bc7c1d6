"""What a navigator is: given a question and an offer, it returns a decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from tocwalk.models.cancellation import Cancellation
from tocwalk.models.usage import Ledger, Usage

__all__ = [
    "OWN_BODY",
    "Action",
    "Cancellation",
    "Candidate",
    "CandidateKind",
    "Decision",
    "Ledger",
    "Navigator",
    "NavigatorRequest",
    "Pick",
    "PickAction",
    "Usage",
]

OWN_BODY = "0"
"""The ref of the opened section's own body."""

Action: TypeAlias = Literal["pick", "stop", "reject"]
"""`pick` some candidates; `stop`: the opened section as a whole answers; `reject`: nothing here does."""

PickAction: TypeAlias = Literal["open", "take"]
"""`open`: look below it; `take`: it is (part of) the answer."""

CandidateKind: TypeAlias = Literal["corpus", "folder", "document", "section", "group"]
"""Folders and groups can only be opened, never taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing a navigator may pick. Titles and summaries are data written by strangers."""

    ref: str
    """Short name that only this offer knows: "1", "2.3", or "0" for the opened section's own body."""
    kind: CandidateKind
    title: str
    number: str | None = None
    summary: str = ""
    depth: int | None = None
    """0 for a document; None for folders and groups."""
    page_start: int | None = None
    page_end: int | None = None
    has_children: bool = False
    tokens: int = 0
    """Size of the text with all that is below it, in tokens; 0 for folders and groups."""

    @property
    def takeable(self) -> bool:
        """Whether `take` is possible: documents and sections only."""
        return self.kind in ("document", "section")

    @property
    def openable(self) -> bool:
        """Whether `open` is possible: everything but the own body."""
        return self.ref != OWN_BODY


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigatorRequest:
    """What one call shows the navigator: the question, where it stands, and the offer."""

    query: str
    model: str
    """As asked for, provider included: "openai:gpt-5-mini". A navigator that was handed over in code reads its own
    `model` here, or the name of its class if it has none."""
    current: Candidate
    """What is opened; its ref is empty."""
    path: tuple[str, ...]
    """Titles from the corpus down to what is opened, both included; the corpus itself is not named."""
    candidates: tuple[Candidate, ...]
    """In reading order, parents before what is below them; the own body first where it is offered."""
    remaining_visits: int
    """Visits left after all calls that run at the same time as this one."""
    place: str = ""
    """Id of what is opened: for records, never for a model."""
    cancellation: Cancellation = field(default_factory=Cancellation)
    ledger: Ledger = field(default_factory=Ledger, repr=False, compare=False)
    """Where a navigator may note what its calls have used as they are made, so that those of a decision that never
    comes are counted too; what is noted goes before `Decision.usage`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A candidate that the navigator wants."""

    ref: str
    action: PickAction = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A navigator's answer to one offer."""

    action: Action
    picks: tuple[Pick, ...] = ()
    """Most promising first; only with the action `pick`."""
    reasoning: str = ""
    """The navigator's own words, for the trace."""
    usage: Usage = field(default_factory=Usage)


@runtime_checkable
class Navigator(Protocol):
    """Judges offers. Implementations must be safe for several `decide` calls at once."""

    def supports(self, model: str) -> bool:
        """Whether this navigator answers for `model`; must be quick, and do no I/O."""
        ...

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Judge one offer.

        Time limits and retries of the walk are applied around this call. Blocking work belongs in
        a thread; `request.cancellation` is looked at before and after it.

        Raises:
            NavigatorError: No decision could be had; the walk's failure policy decides what follows.
            ConfigurationError: Nothing can be had from this navigator as it is set up.
        """
        ...
