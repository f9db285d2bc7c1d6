"""Reading files into an index, many at once; one that fails does not stop the others."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

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

if TYPE_CHECKING:
    from tocwalk.summarising import Summariser

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
    made_by: str | None = None
    """How the summaries that are in the index now were made; None where none are."""
    missing: int = 0
    """Sections of which the model has given no summary."""


def parse_alone(path: Path, *, summaries: Summaries) -> Document:
    """Return the document in one file.

    Raises:
        IngestError: It cannot become a document.
    """
    absolute = path.absolute()
    return read_document(path, document_id=document_id_of(absolute, absolute.parent), summaries=summaries)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A document to be stored."""

    document: Document
    made_by: str
    """How its summaries were made."""
    missing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexer:
    """How files are read, and where the documents go."""

    index: TreeIndex
    corpus: str = "default"
    summaries: Summaries = "lead"
    summariser: Summariser | None = None
    """Writes the summaries, with `summaries` where it cannot; closed at the end of the run."""
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
            ConfigurationError: The model that summarises cannot be asked.
        """
        summarising = closing(self.summariser) if self.summariser else nullcontext()
        # Parsers and calls are ended first: on Ctrl-C no thread is left waiting for one.
        with ThreadPoolExecutor(self.jobs) as threads, summarising, ParserPool(self.jobs) as pool:

            def submit(source: Source) -> Future[_Reading | None]:
                return threads.submit(self._read, pool, source)

            for source, reading in _ahead(sources, submit, 2 * self.jobs):
                on_outcome(self._outcome(source, reading))

    @property
    def _made_by(self) -> str:
        return self.summariser.made_by if self.summariser else self.summaries

    def _read(self, pool: ParserPool, source: Source) -> _Reading | None:
        """Return the document, or None if it is stored already; runs in a thread."""
        if source.error:
            raise IngestError(source.error, reason="unreadable")
        if self._is_stored(source):
            return None
        document = pool.read(source.path, document_id=source.document_id, source=source.name, summaries=self.summaries)
        document = dataclasses.replace(document, metadata={**document.metadata, **self.metadata})
        if not self.summariser:
            return _Reading(document=document, made_by=self._made_by)
        made = self.summariser.summarise(document)
        return _Reading(document=made.document, made_by=made.made_by, missing=made.missing)

    def _is_stored(self, source: Source) -> bool:
        stored = self.index.unchanged(
            self.corpus,
            source.document_id,
            sha256=file_sha256(source.path),
            parser_version=PARSER_VERSION,
            summaries=self._made_by,
            source=source.name,
        )
        if not (stored and self.metadata):
            return stored
        has = self.index.document(self.corpus, source.document_id).metadata
        return all(key in has and _same(has[key], value) for key, value in self.metadata.items())

    def _outcome(self, source: Source, reading: Future[_Reading | None]) -> Outcome:
        try:
            read = reading.result()
            if read is None:
                return Outcome(source=source, status="unchanged", made_by=self._made_by)
            document, made_by = read.document, read.made_by
            put = self.index.put(document, corpus=self.corpus, parser_version=PARSER_VERSION, summaries=made_by)
        except (ReadOnlyIndexError, IndexVersionError):
            raise
        except IngestError as error:
            status: Status = "skipped" if _is_no_document(source, error) else "failed"
            return Outcome(source=source, status=status, reason=error.reason, message=_message(source, error))
        except (DocumentConflictError, HierarchyError, IndexStoreError) as error:
            return Outcome(source=source, status="failed", reason="not_stored", message=str(error))
        return Outcome(
            source=source,
            status=put.status,
            sections=len(document.sections),
            warnings=document.warnings,
            made_by=made_by,
            missing=read.missing,
        )


def _ahead(
    sources: Iterable[Source], submit: Callable[[Source], Future[_Reading | None]], most: int
) -> Iterator[tuple[Source, Future[_Reading | None]]]:
    """Yield sources in order with what reads them; at most `most` are read ahead, so that memory stays bounded."""
    waiting: deque[tuple[Source, Future[_Reading | None]]] = deque()
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
