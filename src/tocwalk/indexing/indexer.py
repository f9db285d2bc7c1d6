"""Reading sources into an index, several at once; one that fails does not stop the others."""

from __future__ import annotations

import dataclasses
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, nullcontext, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from tocwalk.errors import (
    DocumentConflictError,
    HierarchyError,
    IndexBusyError,
    IndexStoreError,
    IndexVersionError,
    IngestError,
    NotFoundError,
    ReadOnlyIndexError,
)
from tocwalk.index import DocumentRow, TreeIndex
from tocwalk.index.cleaning import check_corpus
from tocwalk.indexing.outcome import IN_INDEX, Outcome, could_not_be_read
from tocwalk.indexing.source import Source
from tocwalk.ingest import PARSER_VERSION, Limits, ParserPool, file_sha256
from tocwalk.ingest.parse import Summaries
from tocwalk.tree import Document, JsonScalar

if TYPE_CHECKING:
    from tocwalk.summarising import Summariser

__all__ = ["Indexer"]

_LIMITS = Limits()
_LOOK_S = 0.02
"""How often it is asked whether to stop, which nothing can wait for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A document to be stored."""

    document: Document
    made_by: str
    """How its summaries were made."""
    missing: int
    begun: float
    """On the clock of `time.perf_counter`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexer:
    """How sources are read, and where the documents go."""

    index: TreeIndex
    corpus: str = "default"
    summaries: Summaries = "lead"
    summariser: Summariser | None = None
    """Writes the summaries, with `summaries` where it cannot; closed at the end of the run."""
    metadata: Mapping[str, JsonScalar] = field(default_factory=dict[str, JsonScalar])
    """Given to every document, over what its file says."""
    jobs: int = 1
    """Sources read at once."""

    def run(
        self,
        sources: Iterable[Source],
        *,
        on_outcome: Callable[[Outcome], None],
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Store what the sources hold, in their order, passing over what has not changed; blocks.

        Of two sources with the same id the first that can be stored is. Once cancelled, no further source is read,
        parsers and calls of models under way are ended, and what has been stored stays. At the end trees that were
        retired long ago are collected.

        Args:
            sources: Taken as they are needed: a few are read ahead, so that memory stays bounded.
            on_outcome: Called with what became of each, in their order, as soon as it is known.
            is_cancelled: Asked again and again, in the thread of the caller.

        Raises:
            ReadOnlyIndexError, IndexVersionError: Nothing can be stored.
            InputError: The corpus cannot have its name.
            ConfigurationError: The model that summarises cannot be asked.
        """
        check_corpus(self.corpus)  # before anything is paid for
        summarising = closing(self.summariser) if self.summariser else nullcontext()
        stored: dict[str, str] = {}
        # Parsers and calls are ended first: on Ctrl-C no thread is left waiting for one.
        with ThreadPoolExecutor(self.jobs) as threads, summarising, ParserPool(self.jobs) as pool:

            def submit(source: Source) -> Future[_Reading | Outcome]:
                # In a context like this one: by that traces and streams know the run.
                return threads.submit(copy_context().run, self._read, pool, source)

            wanted = takewhile(lambda _: not is_cancelled(), sources)
            for source, reading in _ahead(wanted, submit, 2 * self.jobs):
                if _is_cancelled_before(reading, is_cancelled):
                    threads.shutdown(wait=False, cancel_futures=True)
                    return
                on_outcome(self._outcome(source, reading.result(), stored))
        with suppress(IndexBusyError):  # the next run does it
            self.index.collect()

    @property
    def _made_by(self) -> str:
        return self.summariser.made_by if self.summariser else self.summaries

    def _read(self, pool: ParserPool, source: Source) -> _Reading | Outcome:
        """Return the document, or what became of the source without; runs in a thread."""
        begun = time.perf_counter()
        try:
            if source.error:
                raise source.error
            row = self._row_of_unchanged(source, file_sha256(source.path, limits=_LIMITS, root=source.root))
            if row is None:
                return self._parsed(pool, source, begun)
            outcome = Outcome(source=source, status="unchanged", sections=row.sections, made_by=self._made_by)
        except IngestError as error:
            outcome = could_not_be_read(source, error)
        except (ReadOnlyIndexError, IndexVersionError):
            raise
        except IndexStoreError as error:
            outcome = _not_stored(source, error)
        return dataclasses.replace(outcome, seconds=time.perf_counter() - begun)

    def _row_of_unchanged(self, source: Source, sha256: str) -> DocumentRow | None:
        """Return the document that is stored as this run would make it, or None."""
        corpus, id_ = self.corpus, source.document_id
        if not self.index.unchanged(
            corpus,
            id_,
            sha256=sha256,
            parser_version=PARSER_VERSION,
            summaries=self._made_by,
            source=source.name,
        ):
            return None
        try:
            row = self.index.document(corpus, id_)
        except NotFoundError:  # another process has removed it meanwhile
            return None
        has = row.metadata
        same = all(key in has and _same(has[key], value) for key, value in self.metadata.items())
        return row if same else None

    def _parsed(self, pool: ParserPool, source: Source, begun: float) -> _Reading:
        document = pool.read(
            source.path,
            document_id=source.document_id,
            source=source.name,
            root=source.root,
            summaries=self.summaries,
        )
        document = dataclasses.replace(document, metadata={**document.metadata, **self.metadata})
        if not self.summariser:
            return _Reading(document=document, made_by=self._made_by, missing=0, begun=begun)
        made = self.summariser.summarise(document)
        return _Reading(document=made.document, made_by=made.made_by, missing=made.missing, begun=begun)

    def _outcome(self, source: Source, read: _Reading | Outcome, sources: dict[str, str]) -> Outcome:
        """Store what was read, and return what became of it.

        Args:
            source: Where it came from.
            read: The document, or what became of the source without.
            sources: By its id, the source of each document that this run knows to be in the index; one may be added.
        """
        id_ = source.document_id
        if id_ in sources and (isinstance(read, _Reading) or read.status in IN_INDEX):
            message = f"{id_!r} is there twice in this run, and {sources[id_]!r} counts. Give this one another name."
            return Outcome(source=source, status="failed", reason="same_id", message=message)
        outcome = self._put(source, read) if isinstance(read, _Reading) else read
        if outcome.status in IN_INDEX:
            sources[id_] = source.name
        return outcome

    def _put(self, source: Source, read: _Reading) -> Outcome:
        document = read.document
        try:
            put = self.index.put(document, corpus=self.corpus, parser_version=PARSER_VERSION, summaries=read.made_by)
        except (ReadOnlyIndexError, IndexVersionError):
            raise
        except (DocumentConflictError, HierarchyError, IndexStoreError) as error:
            return _not_stored(source, error)
        return Outcome(
            source=source,
            status=put.status,
            sections=len(document.sections),
            warnings=document.warnings,
            made_by=read.made_by,
            missing=read.missing,
            seconds=time.perf_counter() - read.begun,
        )


def _ahead(
    sources: Iterable[Source], submit: Callable[[Source], Future[_Reading | Outcome]], most: int
) -> Iterator[tuple[Source, Future[_Reading | Outcome]]]:
    """Yield sources in order with what reads them; at most `most` are read ahead, so that memory stays bounded."""
    waiting: deque[tuple[Source, Future[_Reading | Outcome]]] = deque()
    for source in sources:
        waiting.append((source, submit(source)))
        if len(waiting) == most:
            yield waiting.popleft()
    while waiting:
        yield waiting.popleft()


def _is_cancelled_before(reading: Future[_Reading | Outcome], is_cancelled: Callable[[], bool]) -> bool:
    """Wait for a document, and return whether the run was cancelled before there was one."""
    while not is_cancelled():
        if wait([reading], timeout=_LOOK_S).done:
            return False
    return True


def _not_stored(source: Source, error: Exception) -> Outcome:
    message = f"{source.document_id!r} was not stored. {error}"
    return Outcome(source=source, status="failed", reason="not_stored", message=message)


def _same(left: object, right: object) -> bool:
    return left == right and isinstance(left, bool) == isinstance(right, bool)
