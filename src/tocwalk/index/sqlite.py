"""SQLite as the database of an index: all that is particular to it.

Readers and the writer have engines of their own. A read is one deferred transaction, that is one snapshot, on
a connection that can neither write nor checkpoint; a write is one `BEGIN IMMEDIATE` under the writer lock, so
that it never starts from a snapshot it could not upgrade.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, NullPool, QueuePool, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from tocwalk.errors import IndexBusyError, IndexStoreError, ReadOnlyIndexError
from tocwalk.index.lock import WriterLock

__all__ = ["BUSY_TIMEOUT_S", "SqliteDatabase"]

BUSY_TIMEOUT_S: Final = 10.0
"""How long a transaction waits for another process before it gives up."""

_READ_PRAGMAS = ("query_only=1", "mmap_size=0")
_WRITE_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "mmap_size=0")
_READERS = 32
_MAGIC = b"SQLite format 3\0"


class SqliteDatabase:
    """The two engines of one database file, and the lock of its writer. The file must exist."""

    def __init__(self, path: Path) -> None:
        """Prepare the engines; each connection is made when first needed.

        Raises:
            IndexStoreError: The file is no database, or may not be read.
        """
        _refuse_other_files(path)
        self.path = path
        self._lock = WriterLock(path)
        self._written = False
        self._reads = _read_engine(path)
        self._writes = create_engine(
            "sqlite://", creator=lambda: _connect(path, "mode=rw", _WRITE_PRAGMAS), poolclass=NullPool
        )
        _begin_with(self._writes, "BEGIN IMMEDIATE")

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """One read transaction: everything read in it is as of one moment."""
        with _explained(self.path), self._reads.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """One write transaction: committed as a whole, or not at all when an exception leaves it.

        Raises:
            IndexBusyError: Another was writing for longer than the time-out.
            ReadOnlyIndexError: The file or its folder cannot be written.
            IndexStoreError: The disk is full, or the file is damaged.
        """
        with _explained(self.path), self._lock.held(BUSY_TIMEOUT_S):
            with self._writes.begin() as connection:
                yield connection
            self._written = True

    def close(self) -> None:
        """Close every connection. After writes the log is folded into the file, unless others are using it."""
        self._reads.dispose()
        if self._written and self.path.exists():
            with suppress(IndexBusyError), _explained(self.path), self._lock.held(0), self._writes.connect():
                pass  # the last connection to close does it; another writer (busy) will do it in our place
        self._written = False


def _refuse_other_files(path: Path) -> None:
    """Raise unless the file is empty or begins as databases do: SQLite takes the shortest files for empty ones."""
    try:
        with path.open("rb") as file:
            begins = file.read(len(_MAGIC))
    except OSError as error:
        raise IndexStoreError(
            f"The index {str(path)!r} cannot be opened: {error.strerror}. Check that you may read it."
        ) from error
    if begins not in (b"", _MAGIC):
        raise IndexStoreError(f"{str(path)!r} is no index but another kind of file. Give another path.")


def _read_engine(path: Path) -> Engine:
    def connect() -> sqlite3.Connection:
        return _connect(path, _reader_options(path), _READ_PRAGMAS)

    if _is_writable(path.parent):
        engine = create_engine(
            "sqlite://",
            creator=connect,
            poolclass=QueuePool,
            pool_size=_READERS,
            max_overflow=0,
            pool_timeout=BUSY_TIMEOUT_S,
        )
    else:  # each connection must look anew whether somebody is writing
        engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    _begin_with(engine, "BEGIN")
    return engine


def _reader_options(path: Path) -> str:
    """Return how to open the file for reading.

    A reader takes part in the write-ahead log, which needs a file of shared memory in the folder. Where we may
    not make one and there is no log, nobody is writing, and the file can be read as it lies there.
    """
    log = path.with_name(f"{path.name}-wal")
    if _is_writable(path.parent) or (log.exists() and log.stat().st_size > 0):
        return "mode=ro"
    return "mode=ro&immutable=1"


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _begin_with(engine: Engine, statement: str) -> None:
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    event.listen(engine, "begin", begin)


def _connect(path: Path, options: str, pragmas: tuple[str, ...]) -> sqlite3.Connection:
    """Open a connection in autocommit mode: the engine says when a transaction begins."""
    uri = f"file:{quote(os.fsencode(path))}?{options}"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").fetchall()
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()  # opening is lazy: fail here
    except sqlite3.Error:
        connection.close()
        raise
    return connection


@contextmanager
def _explained(path: Path) -> Generator[None]:
    """Turn what the database reports into an error that says what to do."""
    try:
        yield
    except PoolTimeoutError as error:
        raise IndexBusyError(
            f"More than {_READERS} reads of the index {str(path)!r} at once for {BUSY_TIMEOUT_S:g} s. Try again later."
        ) from error
    except DBAPIError as error:
        raise _explain(error, str(path)) from error


def _explain(error: DBAPIError, path: str) -> IndexStoreError:
    code = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the rest is detail
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return IndexBusyError(
            f"Another process kept the index {path!r} locked for more than {BUSY_TIMEOUT_S:g} s. Try again later."
        )
    if code == sqlite3.SQLITE_FULL:
        return IndexStoreError(
            f"The disk with the index {path!r} is full. Nothing of this operation was stored and what was there is"
            " intact; free some space and do it again."
        )
    if code == sqlite3.SQLITE_READONLY:
        return ReadOnlyIndexError(f"The index {path!r} cannot be written. Get write permission for it and its folder.")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return IndexStoreError(
            f"{path!r} is no index, or a damaged one ({error.orig}). Give another file, or index anew."
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        return IndexStoreError(f"The index {path!r} cannot be opened. Check that it is there and that you may read it.")
    return IndexStoreError(f"The index {path!r} failed: {error.orig}.")
