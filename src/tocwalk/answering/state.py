"""What an answering run is given, remembers and returns: JSON values, and the chat's messages."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from langchain_core.messages import AnyMessage
from langgraph.channels import EphemeralValue
from langgraph.graph.message import add_messages
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from tocwalk.state import Failure, FilterScalar, FilterValue, LandedSection, UsageTotals, by_id

__all__ = [
    "AnswerInput",
    "AnswerOutput",
    "AnswerRequest",
    "AnswerState",
    "Ask",
    "Citation",
    "DroppedStatement",
    "Follow",
    "Found",
    "Quote",
    "Source",
    "Statement",
]


class AnswerInput(BaseModel):
    """A question, or a chat that ends with one, for the documents of one corpus.

    All keys but `messages` are ephemeral: a thread used again starts fresh, and only its chat goes on.
    """

    question: Annotated[str | None, EphemeralValue] = Field(
        default=None, description="The question, in plain words; empty: the last message asks it."
    )
    messages: Annotated[list[AnyMessage], add_messages] = Field(
        default=[], description="A chat whose last message asks the question. The answer is added to it."
    )
    corpus: Annotated[str, EphemeralValue] = Field(default="default", description="The set of documents to ask.")
    only_documents: Annotated[list[str] | None, EphemeralValue] = Field(
        default=None, description="Ids of the documents to look in; empty: all."
    )
    filters: Annotated[dict[str, FilterValue] | None, EphemeralValue] = Field(
        default=None, description="Metadata that must match: a value, or a list for 'one of'; as for a walk."
    )
    visits: Annotated[int | None, EphemeralValue] = Field(
        default=None, ge=0, description="Visit budget of all walks together; `max_visits` is a ceiling to it."
    )


class AnswerRequest(TypedDict):
    """The run's input, checked."""

    question: str
    chat: list[str]
    """What was said before, each with who said it."""
    by_chat: bool
    corpus: str
    only_documents: list[str] | None
    filters: dict[str, FilterScalar | list[FilterScalar]]
    visits: int


class Ask(TypedDict):
    """A question for one walk."""

    id: str
    question: str
    documents: list[str] | None
    """Ids of the documents to look in; None: all in scope."""


class Follow(TypedDict):
    """A cross-reference to be followed."""

    id: str
    mention: str
    generation: int
    document: str
    section: str
    """Id of the section it leads to."""


class Found(TypedDict):
    """What one walk, or one cross-reference, found."""

    question: str
    """What was asked, or the reference's own words."""
    generation: int
    sections: list[LandedSection]
    stop_reason: str
    trace: list[dict[str, Any]]
    usage: UsageTotals
    failures: list[Failure]


class Source(TypedDict):
    """Where something stands."""

    document: str
    document_title: str
    section: str
    """The section's id."""
    number: str | None
    title: str
    page_start: int | None
    page_end: int | None
    """Of the section's own text."""
    label_start: str | None
    label_end: str | None


class Citation(Source):
    """A statement's proof: a quote that was found, word for word, in the own text of the section it names."""

    marker: int
    """As in the answer: [1]."""
    quote: str
    """As the section has it."""


class Quote(TypedDict):
    """A quote as the model gave it."""

    ref: str
    quote: str


class Statement(TypedDict):
    """One statement of the answer, with what proves it."""

    text: str
    quotes: list[Quote]
    problem: NotRequired[str]
    """Why it is not proved; missing if it is, or has not been checked."""


class DroppedStatement(TypedDict):
    """A statement that was left out, because its quotes were not found after a second try."""

    text: str
    quotes: list[Quote]
    problem: str


class AnswerState(TypedDict):
    """State of an answering run. `plan` sets every key but `messages`. The descriptions are what Studio shows."""

    messages: Annotated[list[AnyMessage], Field(description="The chat, to which the answer is added."), add_messages]
    request: Annotated[AnswerRequest, Field(description="What was asked, checked; the question in full words.")]
    settings: Annotated[
        dict[str, Any], Field(description="The settings as the run began: a resume cannot change them.")
    ]
    asked: Annotated[list[Ask], Field(description="All questions that walks were given so far.")]
    pending_asks: Annotated[list[Ask], Field(description="Questions that walks are given next.")]
    pending_follows: Annotated[list[Follow], Field(description="Cross-references that are followed next.")]
    found: Annotated[
        dict[str, Found], Field(description="What was found, by the id of the question or reference."), by_id
    ]
    rounds: Annotated[int, Field(description="How often was judged whether what was found is enough.")]
    cancelled: Annotated[bool, Field(description="Whether the end was asked for.")]
    advice: Annotated[str, Field(description="What the judge tells the writer: what conflicts, what is missing.")]
    missing: Annotated[str, Field(description="What of the question stays open, in the model's words.")]
    statements: Annotated[
        list[Statement], Field(description="The answer in statements; one with a problem is not proved.")
    ]
    rewritten: Annotated[bool, Field(description="Whether what was not proved was written again.")]
    answer: Annotated[str, Field(description="The answer, with markers of its citations.")]
    answered: Annotated[bool, Field(description="Whether anything could be proved.")]
    citations: Annotated[list[Citation], Field(description="The quotes that were found, with where they stand.")]
    dropped: Annotated[list[DroppedStatement], Field(description="Statements that were left out, with why.")]
    sections: Annotated[list[LandedSection], Field(description="All that was found and read.")]
    trace: Annotated[list[dict[str, Any]], Field(description="Every step so far.")]
    spent: Annotated[UsageTotals, Field(description="What the answering model has used.")]
    usage: Annotated[UsageTotals, Field(description="What walks and answering model have cost.")]
    remaining_visits: Annotated[int, Field(description="Visits left of the budget of all walks.")]
    failures: Annotated[list[Failure], Field(description="What went wrong and was survived.")]


class AnswerOutput(TypedDict):
    """What a run returns."""

    answer: Annotated[str, Field(description="Statements with markers of their citations: Rent is due monthly. [1]")]
    answered: Annotated[
        bool, Field(description="False where the documents do not answer the question: a normal result.")
    ]
    missing: Annotated[str, Field(description="What of the question stays open, in the model's words.")]
    citations: Annotated[
        list[Citation], Field(description="The quotes that prove the statements, with where they stand.")
    ]
    dropped: Annotated[
        list[DroppedStatement], Field(description="Statements that were left out, because their quotes were not found.")
    ]
    sections: Annotated[list[LandedSection], Field(description="All that was found and read.")]
    trace: Annotated[list[dict[str, Any]], Field(description="Every step, those of the walks among them.")]
    usage: Annotated[UsageTotals, Field(description="Of all walks and of the answering model.")]
    remaining_visits: Annotated[int, Field(description="Visits left of the budget of all walks.")]
    failures: Annotated[list[Failure], Field(description="What went wrong and was survived.")]
    messages: Annotated[list[AnyMessage], Field(description="The chat, to which the answer is added."), add_messages]
