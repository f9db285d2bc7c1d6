"""Reading files into an index, many at once; one that fails does not stop the others."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from tocwalk.cli.sources import Source, document_id_of
from tocwalk.errors import (
    DocumentConflictError,
    HierarchyError,
    IndexStoreError,
    IndexVersionError,
    IngestError,
    ReadOnlyIndexError,
)
from tocwalk.index import TreeIndex
from tocwalk.ingest import PARSER_VERSION, ParserPool, read_document
from tocwalk.ingest.files import file_sha256
from tocwalk.tree import Document, JsonScalar

__all__ = ["OTHER_KINDS", "Indexer", "Outcome", "parse_alone"]

Summaries: TypeAlias = Literal["lead", "none"]
Status: TypeAlias = Literal["stored", "replaced", "unchanged", "skipped", "failed"]

OTHER_KINDS = frozenset({"unsupported", "not_a_file"})
"""Reasons why a file that was found in a folder was never meant to be read."""

_BLANK = b" \t\r\n\v\f\xef\xbb\xbf"
"""Blanks, and the bytes of a byte order mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one file."""

    source: Source
    status: Status
    sections: int | None = None
    """How many, the document itself counted; None where it was not parsed."""
    warnings: tuple[str, ...] = ()
    reason: str = ""
    """For `skipped` and `failed`: one word."""
    message: str = ""
    """For `skipped` and `failed`: what a person can do with it."""


def parse_alone(path: Path, *, summaries: Summaries) -> Document:
    """Return the document in one file.

    Raises:
        IngestError: It cannot become a document.
    """
    absolute = path.absolute()
    return read_document(path, document_id=document_id_of(absolute, absolute.parent), summaries=summaries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexer:
    """How files are read, and where the documents go."""

    index: TreeIndex
    corpus: str = "default"
    summaries: Summaries = "lead"
    metadata: Mapping[str, JsonScalar] = field(default_factory=dict[str, JsonScalar])
    """Given to every document, over what its file says."""
    jobs: int = 1
    """Files parsed at once."""

    def run(self, sources: Sequence[Source], *, on_outcome: Callable[[Outcome], None]) -> None:
        """Store what the sources hold, in their order, passing over what has not changed.

        Args:
            sources: The files.
            on_outcome: Called with what became of each, as soon as it is known.

        Raises:
            ReadOnlyIndexError, IndexVersionError: Nothing can be stored.
            InputError: The corpus cannot have its name.
        """
        # The parsers are ended first: on Ctrl-C no thread is left waiting for one.
        with ThreadPoolExecutor(self.jobs) as threads, ParserPool(self.jobs) as pool:

            def submit(source: Source) -> Future[Document | None]:
                return threads.submit(self._read, pool, source)

            for source, reading in _ahead(sources, submit, 2 * self.jobs):
                on_outcome(self._outcome(source, reading))

    def _read(self, pool: ParserPool, source: Source) -> Document | None:
        """Return the document, or None if it is stored already; runs in a thread."""
        if source.error:
            raise IngestError(source.error, reason="unreadable")
        if self._is_stored(source):
            return None
        document = pool.read(source.path, document_id=source.document_id, source=source.name, summaries=self.summaries)
        return dataclasses.replace(document, metadata={**document.metadata, **self.metadata})

    def _is_stored(self, source: Source) -> bool:
        stored = self.index.unchanged(
            self.corpus,
            source.document_id,
            sha256=file_sha256(source.path),
            parser_version=PARSER_VERSION,
            summaries=self.summaries,
            source=source.name,
        )
        if not (stored and self.metadata):
            return stored
        has = self.index.document(self.corpus, source.document_id).metadata
        return all(key in has and _same(has[key], value) for key, value in self.metadata.items())

    def _outcome(self, source: Source, reading: Future[Document | None]) -> Outcome:
        try:
            document = reading.result()
            if document is None:
                return Outcome(source=source, status="unchanged")
            put = self.index.put(document, corpus=self.corpus, parser_version=PARSER_VERSION, summaries=self.summaries)
        except (ReadOnlyIndexError, IndexVersionError):
            raise
        except IngestError as error:
            status: Status = "skipped" if _is_no_document(source, error) else "failed"
            return Outcome(source=source, status=status, reason=error.reason, message=_message(source, error))
        except (DocumentConflictError, HierarchyError, IndexStoreError) as error:
            return Outcome(source=source, status="failed", reason="not_stored", message=str(error))
        return Outcome(source=source, status=put.status, sections=len(document.sections), warnings=document.warnings)


def _ahead(
    sources: Iterable[Source], submit: Callable[[Source], Future[Document | None]], most: int
) -> Iterator[tuple[Source, Future[Document | None]]]:
    """Yield sources in order with what reads them; at most `most` are read ahead, so that memory stays bounded."""
    waiting: deque[tuple[Source, Future[Document | None]]] = deque()
    for source in sources:
        waiting.append((source, submit(source)))
        if len(waiting) == most:
            yield waiting.popleft()
    yield from waiting


def _is_no_document(source: Source, error: IngestError) -> bool:
    """Whether a file was only found in a folder and was never meant to be read: of another kind, or blank."""
    if source.named:
        return False
    return error.reason in OTHER_KINDS or (error.reason == "empty_file" and not source.path.read_bytes().strip(_BLANK))


def _message(source: Source, error: IngestError) -> str:
    """Return the error with the path below the folder, where it names the file alone: many may have that name."""
    name = repr(source.path.name)
    message = str(error)
    return repr(source.document_id) + message.removeprefix(name) if message.startswith(name) else message


def _same(left: object, right: object) -> bool:
    return left == right and isinstance(left, bool) == isinstance(right, bool)
