"""Opening a database file: what it holds, which schema that has, and making it where it is missing."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select, text

from tocwalk.errors import IndexStoreError, IndexVersionError, NotFoundError, ReadOnlyIndexError
from tocwalk.index.schema import SCHEMA_VERSION, first_number, schema_version, section, tables, tree
from tocwalk.index.sqlite import SqliteDatabase

__all__ = ["open_database"]


def open_database(path: Path, *, create: bool) -> SqliteDatabase:
    """Return the database of the index at `path`; with `create`, one that is missing is made.

    Raises:
        NotFoundError: There is no index, and `create` is false.
        IndexVersionError: A newer tocwalk wrote it; it is left untouched.
        ReadOnlyIndexError: It has to be made and cannot be.
        IndexStoreError: The path is a folder, or its file another program's, damaged or unreadable.
    """
    _require_file(path, create=create)
    database = SqliteDatabase(path)
    try:
        _require_schema(database, path, create=create)
    except BaseException:
        database.close()
        raise
    return database


def _require_schema(database: SqliteDatabase, path: Path, *, create: bool) -> None:
    with database.reading() as connection:
        there = _has_schema(connection, path)
    if not there and not create:
        raise _no_index(path)
    if not there:
        with database.writing() as connection:
            _create_schema(connection, path)
    else:
        _add_page_breaks(database)


def _require_file(path: Path, *, create: bool) -> None:
    """Make sure that there is a file at `path`; an empty one is a database that holds nothing yet."""
    try:
        if not path.exists():
            if not create:
                raise _no_index(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    except OSError as error:
        kind = ReadOnlyIndexError if create else IndexStoreError
        raise kind(
            f"The index {str(path)!r} cannot be reached or made: {error.strerror}. Check the path and your permissions."
        ) from error
    if not path.is_file():
        raise IndexStoreError(f"{str(path)!r} is a folder or a device, no index; give the path of a file.")


def _has_schema(connection: Connection, path: Path) -> bool:
    """Return whether the database holds an index that this version can read; False if it holds nothing.

    Raises:
        IndexVersionError: A newer tocwalk wrote it.
        IndexStoreError: It is the database of another program.
    """
    names = inspect(connection).get_table_names()
    if schema_version.name not in names:
        if names:
            raise IndexStoreError(
                f"{str(path)!r} is the database of another program (it has the table {names[0]!r}). Give another file."
            )
        return False
    version = connection.scalar(select(schema_version.c.version))
    if version is None or version > SCHEMA_VERSION:
        raise IndexVersionError(
            f"The index {str(path)!r} has the schema version {version!r}; this tocwalk reads up to {SCHEMA_VERSION}."
            " Update tocwalk, or give another file. The index was left as it is."
        )
    return True


def _create_schema(connection: Connection, path: Path) -> None:
    """Create the tables, unless another process has done so since we looked."""
    if not _has_schema(connection, path):
        tables.create_all(connection)
        connection.execute(insert(schema_version).values(version=SCHEMA_VERSION))
        number_from = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :last)")
        connection.execute(number_from, {"table": tree.name, "last": first_number()})


def _add_page_breaks(database: SqliteDatabase) -> None:
    """Add the column to an index of an older tocwalk, which neither knows it nor minds it."""
    with database.reading() as connection:
        missing = not _has_page_breaks(connection)
    if missing:
        with database.writing() as connection:
            if not _has_page_breaks(connection):
                connection.execute(text(f"ALTER TABLE {section.name} ADD COLUMN {section.c.page_breaks.name} TEXT"))


def _has_page_breaks(connection: Connection) -> bool:
    there = inspect(connection).get_columns(section.name)
    return any(column["name"] == section.c.page_breaks.name for column in there)


def _no_index(path: Path) -> NotFoundError:
    return NotFoundError(f"There is no index at {str(path)!r}: index documents first.", command="tocwalk index PATH")
