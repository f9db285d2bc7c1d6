"""An index of documents: the one object that the rest of tocwalk, and its users, hold."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Connection

from tocwalk.errors import IndexStoreError, InputError, ReadOnlyIndexError, SettingsError
from tocwalk.index import collection, people, reads, writes
from tocwalk.index.cache import ListCache
from tocwalk.index.cleaning import clean_document, clean_text
from tocwalk.index.filters import conditions_of
from tocwalk.index.langchain import GIVEN, documents_from_langchain
from tocwalk.index.location import database_path
from tocwalk.index.rows import DocumentRow, OutlineEntry, PutResult
from tocwalk.index.versions import open_database
from tocwalk.tree import Document, SectionHead

if TYPE_CHECKING:
    from langchain_core.documents import Document as LangChainDocument

__all__ = ["TreeIndex"]

_CACHED_ROOTS = 50_000
_CACHED_CHILDREN = 20_000


class TreeIndex:
    """The documents of one tenant, `tenant`, in named corpora, in a database file, `location`.

    It answers a walk (`tocwalk.index.reader.TreeReader`), people, and whoever indexes. Every method is one
    transaction, `collect` excepted, and blocks: in async code call it from a thread. Safe for use by many threads,
    and by many processes at once, of which one at a time writes.

    All reads raise `NotFoundError` for a corpus that is not there. Those that are given a generation raise
    `GenerationCollectedError` once what they ask for has been collected: `check` and `roots` as soon as any tree of
    the generation has, the others when the trees of their keys have.
    """

    def __init__(self, location: str | Path, *, tenant: str = "default", read_only: bool = False) -> None:
        """Open an index; one that is missing is made.

        Args:
            location: Path of its file, or `sqlite:///PATH`.
            tenant: Whose documents: nothing of other tenants is ever read or written.
            read_only: Refuse to write, and to make an index.

        Raises:
            NotFoundError: There is no index there and `read_only` forbids to make one.
            IndexVersionError: A newer tocwalk wrote it.
            ReadOnlyIndexError: There is none, and none can be made there.
            IndexStoreError: The location is a folder, or the file another program's, damaged or unreadable.
            SettingsError: The location or the tenant cannot be one.
        """
        if not tenant.strip() or clean_text(tenant) != tenant:
            raise SettingsError(f"{tenant!r} cannot be a tenant: it must not be blank or hold NUL or lone surrogates.")
        self.location = database_path(location)
        self.tenant = tenant
        self.read_only = read_only
        self._database = open_database(self.location, create=not read_only)
        self._roots = ListCache[SectionHead](_CACHED_ROOTS)
        self._roots_lock = threading.Lock()
        self._children = ListCache[SectionHead](_CACHED_CHILDREN)
        self._closed = False

    def __enter__(self) -> Self:
        """Return the index itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the index."""
        self.close()

    def close(self) -> None:
        """Close all connections; the index cannot be used afterwards. A second call does nothing."""
        if not self._closed:
            self._closed = True
            self._database.close()

    # For the walk: see `TreeReader`.

    def generation(self, corpus: str) -> int:
        """Return the newest generation of a corpus."""
        with self._reading() as connection:
            return reads.snapshot(connection, self.tenant, corpus).generation

    def check(self, corpus: str, generation: int) -> None:
        """Return if the generation can still be read."""
        with self._at(corpus, generation) as at:
            at.require_whole()

    def roots(
        self,
        corpus: str,
        generation: int,
        *,
        only_documents: Sequence[str] | None = None,
        filters: Mapping[str, Any] | None = None,
    ) -> Sequence[SectionHead]:
        """Return the documents in scope, ordered by the parts of their ids.

        Args:
            corpus: Name of the corpus.
            generation: As of which generation.
            only_documents: Ids of those that are in scope; ids of no document match nothing. None: all.
            filters: Document metadata that must match: a value, or a list of which one must. Types are strict.

        Raises:
            InputError: A filter is neither a scalar nor a list of scalars, or there are too many.
        """
        only = None if only_documents is None else frozenset(only_documents)
        scope = reads.Scope(only, conditions_of(filters))
        with self._at(corpus, generation) as at:
            at.require_whole()
            key = (at.corpus, generation, scope)
            if (kept := self._roots.get(key)) is not None:
                return kept
            with self._roots_lock:  # many walks that begin together read the documents once
                if (kept := self._roots.get(key)) is not None:
                    return kept
                found = tuple(reads.roots(at, scope))
                self._roots.put(key, found)
                return found

    def sections(self, corpus: str, generation: int, keys: Sequence[reads.Key]) -> Sequence[SectionHead]:
        """Return the sections with these keys, in the order asked for; `NotFoundError` if one is not there."""
        with self._at(corpus, generation) as at:
            return reads.sections(at, keys)

    def children(self, corpus: str, generation: int, keys: Sequence[reads.Key]) -> Sequence[SectionHead]:
        """Return what is directly below each of these, parent by parent; `NotFoundError` if one is not there."""
        with self._at(corpus, generation) as at:
            found: dict[reads.Key, tuple[SectionHead, ...]] = {}
            for key in keys:
                kept = self._children.get((at.corpus, generation, key))
                if kept is not None and at.is_whole:  # else it may have been collected
                    found[key] = kept
            for key, below in reads.children(at, [key for key in keys if key not in found]).items():
                self._children.put((at.corpus, generation, key), below)
                found[key] = below
            return [head for key in keys for head in found[key]]

    def below(self, corpus: str, generation: int, key: reads.Key) -> Sequence[SectionHead]:
        """Return all that is below a section, in reading order, itself left out."""
        with self._at(corpus, generation) as at:
            return reads.below(at, key)

    def ancestors(self, corpus: str, generation: int, key: reads.Key) -> Sequence[SectionHead]:
        """Return the sections from the document down to this one, both included."""
        with self._at(corpus, generation) as at:
            return reads.ancestors(at, key)

    def text(self, corpus: str, generation: int, key: reads.Key, *, subtree: bool) -> str:
        """Return a section's own text, or its subtree text."""
        with self._at(corpus, generation) as at:
            return reads.text(at, key, subtree=subtree)

    # For people: as of the newest generation.

    def corpora(self) -> list[str]:
        """Return the names of the corpora, sorted; those from which all documents were removed too."""
        with self._reading() as connection:
            return people.corpora(connection, self.tenant)

    def documents(self, corpus: str = "default") -> list[DocumentRow]:
        """Return the documents of a corpus, ordered by the parts of their ids."""
        with self._at(corpus) as at:
            return people.documents(at)

    def document(self, corpus: str, document_id: str) -> DocumentRow:
        """Return one document; `NotFoundError`, which names close ids, if it is not there."""
        with self._at(corpus) as at:
            return people.document(at, document_id)

    def outline(self, corpus: str, document_id: str) -> list[OutlineEntry]:
        """Return a document's sections in reading order; `NotFoundError`, which names close ids, if it is not there."""
        with self._at(corpus) as at:
            return people.outline(at, document_id)

    def find(self, corpus: str, section_id: str) -> SectionHead:
        """Return the section, or document, with an id; `NotFoundError`, which names close ids, if it is not there."""
        with self._at(corpus) as at:
            return people.find(at, section_id)

    def read(self, corpus: str, section_id: str, *, subtree: bool) -> str:
        """Return the own text or the subtree text of the section with an id; `NotFoundError` as in `find`."""
        with self._at(corpus) as at:
            return reads.text(at, people.find(at, section_id).key, subtree=subtree)

    # For whoever indexes.

    def put(
        self, document: Document, *, corpus: str = "default", parser_version: str = GIVEN, summaries: str = GIVEN
    ) -> PutResult:
        """Store a document, as a new generation of the corpus, unless it is there unchanged.

        Unchanged means the same id, source, sha256, parser version, summary settings, title and metadata.

        Args:
            document: Checked here. NUL and lone surrogates in it become U+FFFD.
            corpus: Made if it is missing.
            parser_version: Of the parser that made the document; matters where it is indexed again.
            summaries: How its summaries were made, for example "lead".

        Raises:
            DocumentConflictError: Another source is stored under its id, or one of its section ids is another's.
            HierarchyError: Its sections do not form a tree, or an id is blank or looks like a folder or a group.
            InputError: The corpus has to be made and cannot have this name.
            IndexStoreError: It is too large or has metadata that cannot be kept; or the disk is full, the index busy
                or read-only.
        """
        incoming = writes.Incoming(clean_document(document), clean_text(parser_version), clean_text(summaries))
        with self._writing() as connection:
            return writes.put_documents(connection, self.tenant, corpus, [incoming])[0]

    def add_langchain(self, docs: Iterable[LangChainDocument], *, corpus: str = "default") -> list[PutResult]:
        """Store the trees that LangChain documents form, all in one transaction and one generation, or none.

        Raises:
            HierarchyError: They do not form trees; see `documents_from_langchain`.
            IndexStoreError: As in `put`.
        """
        incoming = [writes.Incoming(clean_document(one), GIVEN, GIVEN) for one in documents_from_langchain(docs)]
        if not incoming:
            return []
        with self._writing() as connection:
            return writes.put_documents(connection, self.tenant, corpus, incoming)

    def unchanged(
        self, corpus: str, document_id: str, *, sha256: str, parser_version: str, summaries: str, source: str
    ) -> bool:
        """Return whether a document is stored as this source would make it, so that it need not be parsed again."""
        made = {"sha256": sha256, "parser_version": parser_version, "summaries": summaries, "source": source}
        with self._reading() as connection:
            return writes.is_stored(connection, self.tenant, corpus, document_id, made)

    def remove(self, corpus: str, document_id: str) -> int:
        """Retire a document and return the new generation; walks that have begun still see it.

        Raises:
            NotFoundError: There is no such corpus or document; close ids are named.
        """
        with self._writing() as connection:
            return writes.remove_document(connection, self.tenant, corpus, document_id)

    def collect(self, *, grace_s: float = 86_400.0) -> int:
        """Delete the trees that were retired longer ago than the grace period, and return how many.

        Generations that saw one of them become unreadable first. The trees then go in many short transactions, so
        that others can write in between; what a killed collection leaves over is for the next. The file keeps its
        size: the room is used again.

        Args:
            grace_s: Seconds; longer than the longest walk takes, waits for people and restarts included.

        Raises:
            InputError: The grace period is negative or no number.
        """
        if not (math.isfinite(grace_s) and grace_s >= 0):
            raise InputError(f"A grace period of {grace_s!r} s makes no sense; give seconds, 0 or more.")
        with self._writing() as connection:
            found = collection.close_generations(connection, self.tenant, time.time() - grace_s)
        gone = 0
        for pieces in collection.pieces(found):
            with self._writing() as connection:
                gone += collection.delete_pieces(connection, pieces)
        return gone

    @contextmanager
    def _at(self, corpus: str, generation: int | None = None) -> Generator[reads.Snapshot]:
        """A read transaction on a corpus as `generation` saw it, or as it is."""
        with self._reading() as connection:
            yield reads.snapshot(connection, self.tenant, corpus, generation)

    @contextmanager
    def _reading(self) -> Generator[Connection]:
        self._require_open()
        with self._database.reading() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Generator[Connection]:
        self._require_open()
        if self.read_only:
            raise ReadOnlyIndexError(
                f"The index {str(self.location)!r} was opened read-only; open it without `read_only`."
            )
        with self._database.writing() as connection:
            yield connection

    def _require_open(self) -> None:
        if self._closed:
            raise IndexStoreError(f"The index {str(self.location)!r} is closed; open it anew with TreeIndex(...).")
