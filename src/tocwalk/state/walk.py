"""What a run remembers between its steps: JSON values only, so that every checkpointer keeps them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from langgraph.managed import RemainingSteps
from pydantic import Field
from typing_extensions import TypedDict

from tocwalk.errors import DecisionError
from tocwalk.state.input import FilterScalar
from tocwalk.state.landing import Failure, LandedSection, StopReason
from tocwalk.state.usage import UsageRecord, UsageTotals

__all__ = [
    "DecisionRecord",
    "Landing",
    "Opened",
    "PickRecord",
    "Place",
    "PlaceKind",
    "Request",
    "Update",
    "WalkOutput",
    "WalkState",
    "by_id",
]

PlaceKind: TypeAlias = Literal["corpus", "folder", "section", "group"]


class Place(TypedDict):
    """Something that can be opened: where it stands, without its text."""

    kind: PlaceKind
    id: str
    """"" for the corpus, "a/b/" for a folder, the section's id, or "ID[12-40]" for a group of its children."""
    title: str
    """Clipped."""
    span: list[int]
    """[document, position, document, position]: from the first thing inside to behind the last, in reading order.
    A place lies within another exactly if its span does."""
    tree: int
    """The stored tree; 0 for the corpus, folders and groups of documents."""
    depth: int
    """Of a section (document: 0), or of a group's section; -1 for the corpus, folders and groups of documents."""
    levels: int
    """Levels below, `max_depth` applied."""
    of: str
    """For a group the id of the section, folder or corpus whose children it holds; else ""."""


class Opened(TypedDict):
    """A place that is open, or was opened."""

    place: Place
    key: list[int]
    """Pick positions from the start of the walk: decides every order."""
    opener: str | None
    """Id of the place whose offer led here; None for the start."""
    picks: int
    """How many picks were made in it, over all times it was opened."""


class Landing(TypedDict):
    """Where a path ended with a section."""

    place: Place
    key: list[int]
    reason: StopReason
    own: bool
    """True where only the section's own text was taken."""


class Request(TypedDict):
    """The run's input, checked."""

    query: str
    corpus: str
    only_documents: list[str] | None
    filters: dict[str, list[FilterScalar]]
    """By key, the values of which one must match."""
    visits: int
    """The budget: the smallest of what was asked, the setting and the operator's ceiling."""


class PickRecord(TypedDict):
    """One pick as it stands in the state."""

    ref: str
    action: NotRequired[Literal["open", "take"]]
    """`open` where it is missing."""


class DecisionRecord(TypedDict):
    """One decision as it stands in the state, where a person may edit it."""

    action: Literal["pick", "stop", "reject", "error", "cancelled"]
    picks: NotRequired[list[PickRecord]]
    reasoning: NotRequired[str]
    usage: NotRequired[UsageRecord]
    reason: NotRequired[str]
    """For `error`: one word."""
    detail: NotRequired[str]
    error_key: NotRequired[str]
    """For `error`: names the exception kept in this process until the wave is over."""


def by_id(old: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any]:
    """Merge the results of parallel tasks by their key; None empties.

    Raises:
        DecisionError: What a person wrote is no mapping from ids to decisions.
    """
    if new is not None and not isinstance(new, dict):  # pyright: ignore[reportUnnecessaryIsInstance] - a person may write anything
        raise DecisionError(f"`decisions` maps the ids of places to decisions, got {new!r}.")
    return {} if new is None else {**(old or {}), **new}


class WalkState(TypedDict):
    """State of a walk. Trees, offers and texts stay outside: they follow from what is here.

    `start_walk` sets every key, so that none is ever missing afterwards. The descriptions are what Studio shows.
    """

    request: Annotated[Request, Field(description="What was asked, checked.")]
    settings: Annotated[
        dict[str, Any], Field(description="The settings (`WalkContext`) as the run began: a resume cannot change them.")
    ]
    generation: Annotated[int, Field(description="The generation of the index that this run sees.")]
    rejected: Annotated[
        dict[str, list[Place]],
        Field(description="By opener: what was rejected from its offers, and is not offered there again."),
    ]
    remaining_visits: Annotated[int, Field(description="Visits left when all of the wave are counted.")]
    cancelled: Annotated[bool, Field(description="Whether the end was asked for.")]
    index_changed: Annotated[
        bool, Field(description="Whether the pinned generation was collected while the walk was under way.")
    ]
    wave: Annotated[list[str], Field(description="Ids of what is being judged now.")]
    reasked: Annotated[bool, Field(description="Whether missing decisions of this wave were asked for a second time.")]
    frontier: Annotated[
        list[str],
        Field(description="Ids of what is open and not in the wave, in the order in which it will be taken."),
    ]
    offers: Annotated[
        dict[str, dict[str, Any]],
        Field(
            description="Of the wave, for a person stepping through: hash, counts, the first titles with their refs."
        ),
    ]
    # The only reducer, so that one decision can be edited.
    decisions: Annotated[
        dict[str, DecisionRecord | None],
        Field(description="Of the wave, by id; null or no entry: not decided yet. To edit one write {id: decision}."),
        by_id,
    ]
    landed: Annotated[list[Landing], Field(description="Where paths have ended with a section.")]
    seen: Annotated[dict[str, Opened], Field(description="By id, all that is or was open.")]
    trace: Annotated[list[dict[str, Any]], Field(description="Every step so far.")]
    usage: Annotated[UsageTotals, Field(description="What the run has cost so far.")]
    failures: Annotated[list[Failure], Field(description="What went wrong and was survived.")]
    sections: Annotated[list[LandedSection], Field(description="The result; empty while the walk is under way.")]
    stop_reason: Annotated[StopReason | None, Field(description="Why the walk ended; null while it is under way.")]
    remaining_steps: NotRequired[RemainingSteps]


Update: TypeAlias = dict[str, Any]
"""What a node returns: some keys of the state with their new values."""


class WalkOutput(TypedDict):
    """What a run returns: the landed sections, best first, and the record of how they were reached."""

    sections: Annotated[list[LandedSection], Field(description="Where the walk ended: whole sections, best first.")]
    stop_reason: Annotated[StopReason, Field(description="Why the walk ended.")]
    remaining_visits: Annotated[int, Field(description="Visits left, for another walk on the same budget.")]
    trace: Annotated[list[dict[str, Any]], Field(description="Every step: opened, offered, chosen, dropped, why.")]
    usage: Annotated[UsageTotals, Field(description="What the run has cost.")]
    failures: Annotated[list[Failure], Field(description="What went wrong and was survived.")]
