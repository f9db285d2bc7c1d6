"""What an indexing run is given, remembers and returns: JSON values."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from langgraph.channels import EphemeralValue
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from tocwalk.state import FilterScalar

__all__ = [
    "DocumentReport",
    "FileUpload",
    "IndexContext",
    "IndexInput",
    "IndexOutput",
    "IndexRequest",
    "IndexState",
    "Status",
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

    summaries: Literal["lead", "none"] = Field(
        default="lead",
        description="`lead`: sections get their first real sentence and key terms as summary; `none`: no summaries.",
    )
    outlines: bool = Field(
        default=True, strict=True, description="Return each document's outline; else only what became of it."
    )


Status: TypeAlias = Literal["stored", "replaced", "unchanged", "skipped", "failed"]
"""`skipped`: it was only found in a folder, and is of no kind that is read."""


class DocumentReport(TypedDict):
    """What became of one document."""

    id: str
    source: str
    status: Status
    sections: int | None
    """How many, the document itself counted; None where it was not read."""
    warnings: list[str]
    reason: str
    """For `skipped` and `failed`: one word."""
    message: str
    """For `skipped` and `failed`: what happened, and what can be done."""


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
