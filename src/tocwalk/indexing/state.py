"""What an indexing run is given, remembers and returns: JSON values."""

from __future__ import annotations

from typing import Annotated, Any

from langgraph.channels import EphemeralValue
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from tocwalk.indexing.outcome import DocumentReport
from tocwalk.ingest.parse import Summaries
from tocwalk.state import FilterScalar, UsageTotals
from tocwalk.summarising import SummariesReport

__all__ = [
    "FileUpload",
    "IndexContext",
    "IndexInput",
    "IndexOutput",
    "IndexRequest",
    "IndexState",
    "TextUpload",
]


class FileUpload(BaseModel):
    """A file, sent with the run."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="Name with extension; folders before it, parted by '/', become levels above.")
    content: str = Field(description="The file's bytes in base64.")


class TextUpload(BaseModel):
    """A document that is text, sent with the run."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="Name; its extension (.md, .rst, .adoc, .txt) says how headings are marked.")
    text: str = Field(description="The whole text.")


class IndexInput(BaseModel):
    """Documents for one corpus: sent as files or texts, or lying below a folder that the operator has opened.

    Every key is ephemeral: a thread used again starts fresh, and no document is kept in the state.
    """

    files: Annotated[list[FileUpload], EphemeralValue] = Field(default=[], description="Files, sent with the run.")
    texts: Annotated[list[TextUpload], EphemeralValue] = Field(default=[], description="Texts, sent with the run.")
    paths: Annotated[list[str], EphemeralValue] = Field(
        default=[],
        description="Files and folders on the server, below those that the operator has opened"
        " (TOCWALK_INDEX_ROOTS); relative to these, or absolute.",
    )
    corpus: Annotated[str, EphemeralValue] = Field(
        default="default", description="The set of documents they become part of; made if it is missing."
    )
    metadata: Annotated[dict[str, FilterScalar], EphemeralValue] = Field(
        default={}, description="Metadata for every document, over what its file says; walks filter by it."
    )


class IndexContext(BaseModel):
    """Settings of an indexing run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    summaries: Summaries = Field(
        default="lead",
        description="`lead`: sections get their first real sentence and key terms as summary; `none`: no summaries."
        " Beside `summary_model`: what stands where the model gives none.",
    )
    summary_model: str | None = Field(
        default=None,
        description="Chat model that writes the summaries: `openai:gpt-5-mini`. Empty: none does.",
        json_schema_extra={"langgraph_nodes": ["index_documents"]},
    )
    parallel: int = Field(default=4, ge=1, le=64, strict=True, description="Summaries asked for at once.")
    max_tokens: int | None = Field(
        default=None,
        ge=0,
        le=1_000_000_000_000,
        strict=True,
        description="Most model tokens spent on summaries in a run, input and output together; empty: no limit.",
    )
    max_cost: float | None = Field(
        default=None,
        ge=0,
        strict=True,
        allow_inf_nan=False,
        description="Most money spent on summaries in a run; needs the model's prices. Empty: no limit.",
    )
    summary_timeout_s: float = Field(
        default=120.0, gt=0, le=3600, allow_inf_nan=False, description="Seconds for one summary, retries included."
    )
    outlines: bool = Field(
        default=True, strict=True, description="Return each document's outline; else only what became of it."
    )


class IndexRequest(TypedDict):
    """What `outline_documents` needs to know of the input, which is gone by then."""

    corpus: str
    outlines: bool


class IndexState(TypedDict):
    """State of an indexing run. `index_documents` sets every key anew. The descriptions are what Studio shows."""

    request: Annotated[IndexRequest, Field(description="What came, checked.")]
    documents: Annotated[list[DocumentReport], Field(description="What became of each document.")]
    index_version: Annotated[int | None, Field(description="Newest generation of the corpus afterwards.")]
    outlines: Annotated[list[dict[str, Any]], Field(description="Trees of the documents that are in the index now.")]
    summaries: Annotated[SummariesReport | None, Field(description="What became of summaries by a model.")]
    usage: Annotated[UsageTotals, Field(description="What the model has cost.")]
    cancelled: Annotated[bool, Field(description="Whether it was ended before all had been read.")]


class IndexOutput(TypedDict):
    """What a run returns."""

    index_version: Annotated[
        int | None, Field(description="Newest generation of the corpus afterwards; null where nothing could be stored.")
    ]
    documents: Annotated[
        list[DocumentReport], Field(description="In the order they were given, those of folders by their paths.")
    ]
    outlines: Annotated[
        list[dict[str, Any]],
        Field(description="Of what is in the index now: document and sections, as `tocwalk outline --json` has them."),
    ]
    summaries: Annotated[
        SummariesReport | None,
        Field(description="What became of the summaries that a model was to write; null where none was."),
    ]
    usage: Annotated[UsageTotals, Field(description="What the model that summarises has cost: calls, tokens, money.")]
    cancelled: Annotated[
        bool, Field(description="Whether the run was ended before all had been read; what was stored stays.")
    ]
