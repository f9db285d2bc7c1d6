"""Files as they are before they are parsed: is it one, how large is it, has it changed."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from io import BufferedReader
from pathlib import Path

from tocwalk.errors import IngestError
from tocwalk.ingest.confined import open_below
from tocwalk.ingest.limits import Limits

__all__ = ["check_file", "file_sha256", "read_bytes"]

_KINDS = (
    (stat.S_ISDIR, "a folder; name a file in it, or index the folder"),
    (stat.S_ISFIFO, "a pipe, which can be read only once"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_ADDRESS = re.compile(r"(?:^|/)(?:https?|ftp|s3):/")  # as a path: without the second slash


def check_file(path: Path, *, limits: Limits) -> None:
    """Raise unless `path` is a regular file, not empty and not too large. Does not open it.

    Raises:
        IngestError: `not_found`, `not_a_file`, `unreadable`, `empty_file` or `too_large`.
    """
    try:
        facts = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise _cannot_read(path, error) from error
    _check_facts(path, facts, limits)


def read_bytes(path: Path, *, limits: Limits, root: Path | None = None) -> bytes:
    """Return the bytes of a regular file, checked like `check_file` after opening: nothing can be put in its place.

    Args:
        path: The file.
        limits: What it may be at most.
        root: The folder that it must lie below, links followed; None: it may lie anywhere.

    Raises:
        IngestError: As `check_file` and `open_below` raise it.
    """
    with _opened(path, root) as file:
        _check_facts(path, os.fstat(file.fileno()), limits)
        try:
            data = file.read(limits.max_bytes + 1)
        except OSError as error:
            raise _cannot_read(path, error) from error
    if len(data) > limits.max_bytes:
        raise _too_large(path, len(data), limits)
    return data


def file_sha256(path: Path, *, limits: Limits | None = None, root: Path | None = None) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal: what decides whether a document has changed.

    Args:
        path: The file.
        limits: What it may be at most, so that none is read for long only to be refused; None: of any size.
        root: As in `read_bytes`.

    Raises:
        IngestError: `not_found`, `not_a_file` or `unreadable`; with limits also `empty_file` or `too_large`.
    """
    with _opened(path, root) as file:
        facts = os.fstat(file.fileno())
        if limits is None:
            _check_kind(path, facts)
        else:
            _check_facts(path, facts, limits)
        try:
            return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise _cannot_read(path, error) from error


def _opened(path: Path, root: Path | None) -> BufferedReader:
    """Open without waiting for a writer, should it be a pipe."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return os.fdopen(os.open(path, flags) if root is None else open_below(root, path, flags), "rb")
    except IngestError:
        raise
    except (OSError, ValueError) as error:
        raise _cannot_read(path, error) from error


def _check_facts(path: Path, facts: os.stat_result, limits: Limits) -> None:
    _check_kind(path, facts)
    if facts.st_size == 0:
        raise IngestError(f"{str(path)!r} is empty: there is nothing to read in it.", reason="empty_file")
    if facts.st_size > limits.max_bytes:
        raise _too_large(path, facts.st_size, limits)


def _check_kind(path: Path, facts: os.stat_result) -> None:
    if stat.S_ISREG(facts.st_mode):
        return
    kind = next((text for is_kind, text in _KINDS if is_kind(facts.st_mode)), "no regular file")
    raise IngestError(f"{str(path)!r} is {kind}.", reason="not_a_file")


def _cannot_read(path: Path, error: Exception) -> IngestError:
    if isinstance(error, IsADirectoryError):
        return IngestError(f"{str(path)!r} is {_KINDS[0][1]}.", reason="not_a_file")
    if isinstance(error, OSError) and error.errno == errno.ENXIO:
        return IngestError(f"{str(path)!r} is a socket, or a device that is not there.", reason="not_a_file")
    if isinstance(error, FileNotFoundError | NotADirectoryError | ValueError):
        fetched = " Nothing is fetched from addresses: download it first." if _ADDRESS.search(str(path)) else ""
        return IngestError(f"There is no file {str(path)!r}.{fetched}", reason="not_found")
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return IngestError(f"{str(path)!r} cannot be read: {why}.", reason="unreadable")


def _too_large(path: Path, size: int, limits: Limits) -> IngestError:
    return IngestError(
        f"{str(path)!r} has {size} bytes; the limit is {limits.max_bytes}. Split it, or raise the limit.",
        reason="too_large",
    )
