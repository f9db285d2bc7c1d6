"""Where an index lives."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from tocwalk.errors import SettingsError
from tocwalk.state.home import home_folder

__all__ = ["database_path", "default_location"]

_DRIVERS = {"sqlite", "sqlite+pysqlite"}


def default_location() -> str | Path:
    """Return where the operator's index is.

    The first of these that is set and not blank: the environment variable TOCWALK_INDEX (a path or a database
    URL), `index.db` in the folder TOCWALK_HOME, `index.db` in the user's data folder of this platform.
    """
    index = os.environ.get("TOCWALK_INDEX", "").strip()
    if index:
        return index if _is_url(index) else Path(index).expanduser()
    return home_folder() / "index.db"


def database_path(location: str | Path) -> Path:
    """Return the file that a path or an SQLite URL names: absolute and, as SQLite and locks need it, without links.

    Raises:
        SettingsError: It names none: blank, a URL of another database, or one with options.
    """
    path = _path_of_url(location) if isinstance(location, str) and _is_url(location) else location
    if not str(path).strip() or "\0" in str(path) or str(path) == ":memory:":
        raise SettingsError(f"{location!r} is no place for an index: give the path of a file, or sqlite:///PATH.")
    return Path(os.path.realpath(path))


def _is_url(location: str) -> bool:
    return "://" in location


def _path_of_url(location: str) -> str:
    try:
        url = make_url(location)
    except ArgumentError as error:
        raise SettingsError("The index's URL cannot be read: it must look like sqlite:///PATH.") from error
    if url.drivername not in _DRIVERS:
        raise SettingsError(f"An index cannot be kept in {url.drivername!r}: give a file's path, or sqlite:///PATH.")
    if url.query or not url.database or url.database == ":memory:" or url.host:
        raise SettingsError(f"{location!r} names no file: give a path, or sqlite:///PATH without options.")
    return url.database
