"""One writing process at a time.

SQLite before 3.51.3 can damage a database in WAL mode when two connections write or checkpoint at the same
moment. So whoever writes holds a lock on a file beside the database; readers need none.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tocwalk.errors import IndexBusyError, ReadOnlyIndexError

__all__ = ["WriterLock"]

_POLL_S = 0.01


class WriterLock:
    """A lock between processes and between the threads of this one. Freed by the system when a process dies."""

    def __init__(self, database: Path) -> None:
        """Name the lock file; nothing is opened yet."""
        self._path = database.with_name(f"{database.name}.lock")
        self._threads = threading.Lock()

    @contextmanager
    def held(self, timeout_s: float) -> Generator[None]:
        """Hold the lock, after waiting for it at most `timeout_s` seconds.

        Raises:
            IndexBusyError: Another held it all the while.
            ReadOnlyIndexError: The lock file cannot be made, so neither can the database be written.
        """
        deadline = time.monotonic() + timeout_s
        if not self._threads.acquire(timeout=timeout_s):
            raise self._busy(timeout_s)
        try:
            descriptor = self._open()
            try:
                while not _taken(descriptor):
                    if time.monotonic() >= deadline:
                        raise self._busy(timeout_s)
                    time.sleep(_POLL_S)
                yield
            finally:
                os.close(descriptor)
        finally:
            self._threads.release()

    def _open(self) -> int:
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise ReadOnlyIndexError(
                f"The index cannot be written: its lock {str(self._path)!r} cannot be opened ({error.strerror})."
                " Reading works; to write, get write permission for the folder and the files of the index."
            ) from error

    def _busy(self, timeout_s: float) -> IndexBusyError:
        return IndexBusyError(
            f"Another process or thread has been writing the index for more than {timeout_s:g} s"
            f" (lock {str(self._path)!r}). Try again when it has finished."
        )


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
