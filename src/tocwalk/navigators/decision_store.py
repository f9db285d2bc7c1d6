"""Decisions kept in a file, so that the next process finds them too."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import (
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    NullPool,
    Table,
    Text,
    create_engine,
    delete,
    event,
    func,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable

from tocwalk.errors import SettingsError
from tocwalk.navigators.protocol import Decision
from tocwalk.state.home import home_folder

__all__ = ["MOST_DECISIONS", "DecisionStore", "store_at_home"]

MOST_DECISIONS: Final = 20_000
"""Decisions kept at most: some 10 MB."""

_BUSY_S = 5.0  # how long another process is waited for; asking the model takes about as long
_DAMAGED = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
_OURS = 0x746F6364  # application id of a file with this table; with another table it must be another

T = TypeVar("T")

_log = logging.getLogger(__name__)
_decision: TypeAdapter[Decision] = TypeAdapter(Decision)
_table = Table(
    "decision",
    MetaData(),
    Column("key", Text, primary_key=True),
    Column("decision", Text, nullable=False),
    Column("used", Integer, nullable=False),  # goes up with every use, of whatever decision
)
_by_use = Index("decision_by_use", _table.c.used)


class DecisionStore:
    """Decisions by key, in one SQLite file; the least recently used go first. Every method blocks.

    A cache is no reason to fail: what cannot be read or kept is said in the log, once, and the model is asked. A file
    that is damaged is moved aside, a database of anything else is left alone. Safe for use by many threads and
    processes.
    """

    def __init__(self, path: Path, *, most: int = MOST_DECISIONS) -> None:
        """Name the file, which is made when it is first needed, for its owner alone.

        Args:
            path: Of the file.
            most: Decisions kept at most.
        """
        self._path = path
        self._most = most
        self._said: set[str] = set()
        self._engine = create_engine("sqlite://", creator=self._connect, poolclass=NullPool)
        event.listen(self._engine, "begin", _begin)

    def get(self, key: str) -> Decision | None:
        """Return the decision that was kept under a key, without what it cost; None where there is none."""
        text = self._tried(lambda connection: _used_again(connection, key))
        if text is None:
            return None
        try:
            return _decision.validate_json(text)
        except ValidationError:
            self._say(f"holds {text[:100]!r}, which is no decision")
            return None

    def put(self, key: str, decision: Decision) -> None:
        """Keep a decision, and let go of those that were not used for longest until the bound is met."""
        text = _decision.dump_json(decision, exclude={"usage"}).decode()
        self._tried(lambda connection: _keep(connection, key, text, self._most))

    def _tried(self, work: Callable[[Connection], T]) -> T | None:
        """Return what `work` returns, done in one transaction; None where it cannot be done."""
        try:
            with self._engine.begin() as connection:
                _prepare(connection)
                return work(connection)
        except DBAPIError as error:
            if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:  # the rest is detail
                self._set_aside(str(error.orig))
            else:
                self._say(f"cannot be used ({error.orig})")
        except _OtherFileError:
            self._say("is a database of something else, or of another version of tocwalk: move it away")
        except OSError as error:
            self._say(f"cannot be used ({error.strerror})")
        return None

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Made here, because SQLite would make it readable for others.
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        uri = f"file:{quote(os.fsencode(self._path))}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            # What a crash of the machine takes away is asked for again.
            connection.execute("PRAGMA synchronous=OFF")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _set_aside(self, fault: str) -> None:
        aside = self._path.with_name(f"{self._path.name}.damaged")
        try:
            self._path.replace(aside)
        except FileNotFoundError:  # another process was faster
            return
        except OSError as error:
            self._say(f"is damaged ({fault}), and cannot be moved to {str(aside)!r} ({error.strerror})")
            return
        self._said.clear()
        self._say(f"is damaged ({fault}); it was moved to {str(aside)!r}, and a new one is begun")

    def _say(self, fault: str) -> None:
        if fault not in self._said:
            self._said.add(fault)
            _log.warning(
                "The cache of decisions %r %s. Models are asked what it might have held; TOCWALK_DECISION_CACHE=off"
                " does without it.",
                str(self._path),
                fault,
            )


def store_at_home() -> DecisionStore | None:
    """Return the store in the user's folder, `decisions.db`; None where there is no folder, which the log says once."""
    try:
        return _store_at(home_folder().absolute() / "decisions.db")
    except SettingsError as error:
        _say_homeless(str(error))
        return None


@cache
def _store_at(path: Path) -> DecisionStore:
    return DecisionStore(path)


@cache
def _say_homeless(fault: str) -> None:
    _log.warning("No decision is kept. %s", fault)


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")  # a read notes the use, so it writes too


class _OtherFileError(Exception):
    """The file is a database without our table."""


def _prepare(connection: Connection) -> None:
    """Make the table in a new file.

    Raises:
        _OtherFileError: It has others.
    """
    application: int = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
    if application == _OURS:
        return
    if application or connection.exec_driver_sql("SELECT 1 FROM sqlite_master LIMIT 1").first():
        raise _OtherFileError
    connection.execute(CreateTable(_table))
    connection.execute(CreateIndex(_by_use))
    connection.exec_driver_sql(f"PRAGMA application_id={_OURS}")


def _used_again(connection: Connection, key: str) -> str | None:
    text: str | None = connection.scalar(select(_table.c.decision).where(_table.c.key == key))
    if text is not None:
        connection.execute(update(_table).where(_table.c.key == key).values(used=_next_use()))
    return text


def _keep(connection: Connection, key: str, text: str, most: int) -> None:
    values = {"key": key, "decision": text, "used": _next_use()}
    kept = insert(_table).values(values)
    connection.execute(kept.on_conflict_do_update(index_elements=["key"], set_=kept.excluded))
    over = (connection.scalar(select(func.count()).select_from(_table)) or 0) - most
    if over > 0:
        oldest = select(_table.c.key).order_by(_table.c.used).limit(over)
        connection.execute(delete(_table).where(_table.c.key.in_(oldest)))


def _next_use() -> Any:
    return select(func.coalesce(func.max(_table.c.used), 0) + 1).scalar_subquery()
