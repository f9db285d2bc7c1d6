"""What became of a source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from tocwalk.errors import IngestError
from tocwalk.indexing.source import Source
from tocwalk.ingest.files import read_bytes
from tocwalk.ingest.limits import Limits

__all__ = ["IN_INDEX", "OTHER_KINDS", "DocumentReport", "Outcome", "Status", "could_not_be_read", "document_report"]

Status: TypeAlias = Literal["stored", "replaced", "unchanged", "skipped", "failed"]
"""`skipped`: it was only found in a folder, and is no document."""

IN_INDEX = frozenset[Status]({"stored", "replaced", "unchanged"})
"""Of what is in the index now."""

OTHER_KINDS = frozenset({"unsupported", "not_a_file"})
"""Reasons why a file that was found in a folder was never meant to be read."""

_BLANK = b" \t\r\n\v\f\xef\xbb\xbf"
"""Blanks, and the bytes of a byte order mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one source."""

    source: Source
    status: Status
    sections: int | None = None
    """How many are in the index now, the document itself counted; None where none are."""
    warnings: tuple[str, ...] = ()
    reason: str = ""
    """For `skipped` and `failed`: one word."""
    message: str = ""
    """For `skipped` and `failed`: what happened, and what can be done."""
    made_by: str | None = None
    """How the summaries that are in the index now were made; None where none are."""
    missing: int = 0
    """Sections of which the model has given no summary."""
    seconds: float = 0.0
    """From the beginning of its reading until it was stored."""


class DocumentReport(TypedDict):
    """An outcome as JSON, for `--json` and for servers. Others rely on these names: add some, rename none."""

    id: str
    source: str
    status: Status
    sections: int | None
    """How many are in the index now, the document itself counted; None where none are."""
    summaries: str | None
    """How those that are in the index now were made: `lead`, `none`, or model, version and what is missing."""
    warnings: list[str]
    reason: str
    """For `skipped` and `failed`: one word."""
    message: str
    """For `skipped` and `failed`: what happened, and what can be done."""


def could_not_be_read(source: Source, error: IngestError) -> Outcome:
    """Return the outcome of a source that is no document."""
    status: Status = "skipped" if _is_no_document(source, error) else "failed"
    return Outcome(source=source, status=status, reason=error.reason, message=_message(source, error))


def document_report(outcome: Outcome) -> DocumentReport:
    """Return an outcome as JSON."""
    return DocumentReport(
        id=outcome.source.document_id,
        source=outcome.source.name,
        status=outcome.status,
        sections=outcome.sections,
        summaries=outcome.made_by,
        warnings=list(outcome.warnings),
        reason=outcome.reason,
        message=outcome.message,
    )


def _is_no_document(source: Source, error: IngestError) -> bool:
    """Whether a file was only found in a folder and was never meant to be read: of another kind, or blank."""
    if source.named:
        return False
    return error.reason in OTHER_KINDS or (error.reason == "empty_file" and _is_blank(source))


def _is_blank(source: Source) -> bool:
    try:
        return not read_bytes(source.path, limits=Limits(), root=source.root).strip(_BLANK)
    except IngestError as error:
        return error.reason == "empty_file"


def _message(source: Source, error: IngestError) -> str:
    """Return the error with the source's name in place of the path that was read, or of the file's name alone."""
    message = str(error).replace(_quoted(str(source.path)), _quoted(source.name))
    name = repr(source.path.name)
    return repr(source.document_id) + message.removeprefix(name) if message.startswith(name) else message


def _quoted(path: str) -> str:
    """Return a path as messages have it between their quotes."""
    return repr(path)[1:-1]
