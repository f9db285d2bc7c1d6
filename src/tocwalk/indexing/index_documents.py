"""START -> index_documents: read what came with the run, each document for itself, and store its tree."""

from __future__ import annotations

import asyncio
import dataclasses
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import Annotated, Any

from langchain_core.runnables import RunnableLambda
from langgraph.channels import EphemeralValue
from langgraph.config import get_stream_writer
from langgraph.runtime import get_runtime
from pydantic import ValidationError
from typing_extensions import TypedDict

from tocwalk.errors import (
    DocumentConflictError,
    HierarchyError,
    IndexStoreError,
    IndexVersionError,
    IngestError,
    InputError,
    ReadOnlyIndexError,
)
from tocwalk.index import TreeIndex
from tocwalk.indexing.arrivals import Arrival, check_size, each_once, uploads
from tocwalk.indexing.roots import files_below
from tocwalk.indexing.services import IndexServices
from tocwalk.indexing.state import DocumentReport, IndexContext, IndexInput, IndexRequest, Status
from tocwalk.ingest import PARSER_VERSION, ParserPool
from tocwalk.ingest.files import file_sha256
from tocwalk.state import Update
from tocwalk.state.context import settings_error

__all__ = ["ArrivingInput", "index_documents"]

_OTHER_KINDS = frozenset({"unsupported", "not_a_file", "empty_file"})
"""Reasons why a file that was only found in a folder is passed over."""


class ArrivingInput(TypedDict, total=False):
    """The input as it comes, before it is checked: `IndexInput` says what it should be."""

    files: Annotated[Any, EphemeralValue]
    texts: Annotated[Any, EphemeralValue]
    paths: Annotated[Any, EphemeralValue]
    corpus: Annotated[Any, EphemeralValue]
    metadata: Annotated[Any, EphemeralValue]


def index_documents(services: IndexServices) -> RunnableLambda[Any, Update]:
    """Return the node. A document that fails is reported and stops no other.

    A run that is cancelled reads no further document; what it has stored by then stays.
    """

    def blocking(state: dict[str, Any]) -> Update:
        return _Run(services, state, _settings(), get_stream_writer()).all()

    async def native(state: dict[str, Any]) -> Update:
        run = _Run(services, state, _settings(), get_stream_writer())
        try:
            return await asyncio.to_thread(run.all)
        finally:
            run.cancelled.set()

    return RunnableLambda(blocking, afunc=native, name="index_documents")


def _settings() -> IndexContext:
    context: Any = get_runtime().context
    try:
        return context if isinstance(context, IndexContext) else IndexContext.model_validate(context or {})
    except ValidationError as error:
        raise settings_error(error) from error


class _Run:
    """One run: its documents, and what becomes of them."""

    def __init__(
        self, services: IndexServices, state: dict[str, Any], settings: IndexContext, write: Callable[[Any], None]
    ) -> None:
        self.services = services
        self.given = _checked(state)
        self.settings = settings
        self.write = write
        self.cancelled = threading.Event()

    def all(self) -> Update:
        """Read and store; blocks.

        Raises:
            InputError: Nothing or too much was given, or the corpus cannot have its name.
            SettingsError: Paths were given, but the operator has opened no folder.
            ReadOnlyIndexError, IndexVersionError: Nothing can be stored.
        """
        check_size(self.given, self.services.operator)
        below = files_below(self.given.paths, self.services.operator.index_roots)
        index = self.services.open_index()
        with tempfile.TemporaryDirectory(prefix="tocwalk-") as folder:
            arrivals = each_once([*uploads(self.given, Path(folder)), *below])
            # The parsers are ended first, so that no thread is left waiting for one.
            with ThreadPoolExecutor(self.services.jobs) as threads, ParserPool(self.services.jobs) as pool:
                # Each in a context like this one: by that the stream knows the run.
                reading = [threads.submit(copy_context().run, self._one, index, pool, one) for one in arrivals]
                reports = [one.result() for one in reading]
        corpus = self.given.corpus
        return Update(
            request=IndexRequest(corpus=corpus, outlines=self.settings.outlines),
            documents=[report for report in reports if report is not None],
            index_version=index.generation(corpus) if corpus in index.corpora() else None,
            outlines=[],
        )

    def _one(self, index: TreeIndex, pool: ParserPool, arrival: Arrival) -> DocumentReport | None:
        """Read and store one document; None once the run is cancelled."""
        if self.cancelled.is_set():
            return None
        report = self._report(index, pool, arrival)
        if not self.cancelled.is_set():
            self.write({"event": "document", **report, "summary": _line(report)})
        return report

    def _report(self, index: TreeIndex, pool: ParserPool, arrival: Arrival) -> DocumentReport:
        try:
            return self._stored(index, pool, arrival)
        except (ReadOnlyIndexError, IndexVersionError):
            raise
        except IngestError as error:
            other_kind = not arrival.named and error.reason in _OTHER_KINDS
            message = str(error).replace(str(arrival.path), arrival.document_id)
            return _became(arrival, "skipped" if other_kind else "failed", reason=error.reason, message=message)
        except (DocumentConflictError, HierarchyError, IndexStoreError) as error:
            return _became(arrival, "failed", reason="not_stored", message=str(error))

    def _stored(self, index: TreeIndex, pool: ParserPool, arrival: Arrival) -> DocumentReport:
        if arrival.error is not None:
            raise arrival.error
        corpus, summaries = self.given.corpus, self.settings.summaries
        id_, source = arrival.document_id, arrival.source
        sha256 = file_sha256(arrival.path)
        if not self.given.metadata and index.unchanged(
            corpus, id_, sha256=sha256, parser_version=PARSER_VERSION, summaries=summaries, source=source
        ):
            return _became(arrival, "unchanged", sections=index.document(corpus, id_).sections)
        document = pool.read(arrival.path, document_id=id_, source=source, summaries=summaries)
        document = dataclasses.replace(document, metadata={**document.metadata, **self.given.metadata})
        put = index.put(document, corpus=corpus, parser_version=PARSER_VERSION, summaries=summaries)
        return _became(arrival, put.status, sections=len(document.sections), warnings=document.warnings)


def _became(
    arrival: Arrival,
    status: Status,
    *,
    sections: int | None = None,
    warnings: Sequence[str] = (),
    reason: str = "",
    message: str = "",
) -> DocumentReport:
    return DocumentReport(
        id=arrival.document_id,
        source=arrival.source,
        status=status,
        sections=sections,
        warnings=list(warnings),
        reason=reason,
        message=message,
    )


def _checked(state: dict[str, Any]) -> IndexInput:
    """Check the input.

    Raises:
        InputError: Naming the key, never showing a document.
    """
    try:
        given = IndexInput.model_validate({key: value for key, value in state.items() if value is not None})
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise InputError(f"The input cannot be used: {found}.") from error
    if not (given.files or given.texts or given.paths):
        raise InputError("Nothing to index was given: send `files`, `texts` or `paths`.")
    return given


def _line(report: DocumentReport) -> str:
    """Return what became of a document in one line."""
    if report["status"] in ("skipped", "failed"):
        return f"{report['status']} {report['id']}: {report['message']}"
    return f"{report['status']} {report['id']}: {report['sections']} sections"
