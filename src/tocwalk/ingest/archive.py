"""Zip files from strangers: looked at before anything is unpacked.

DOCX and EPUB are zip files. What is refused is refused by the table of contents of the zip alone: too many entries,
more bytes than we would hold, bytes packed beyond reason, names that point out of the archive, links, encrypted
entries. Zip files inside are never opened.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from typing import NoReturn

from tocwalk.errors import IngestError

__all__ = [
    "MAX_ELEMENTS",
    "MAX_ENTRIES",
    "MAX_RATIO",
    "MAX_UNPACKED",
    "check_xml",
    "open_archive",
    "read_member",
    "refuse",
]

MAX_ENTRIES = 10_000
"""Entries of an archive; a long EPUB with pictures has some hundreds."""
MAX_UNPACKED = 512 * 1024 * 1024
"""Bytes of all entries together."""
MAX_RATIO = 200
"""Bytes per packed byte of an entry above `_RATIO_FROM`; real XML of tables reaches about 50."""
MAX_ELEMENTS = 2_000_000
"""Elements of one XML part: a tree of them takes some 500 bytes each, so this is a gigabyte."""

_RATIO_FROM = 4 * 1024 * 1024
_DIRECTORY_ENTRY = b"PK\x01\x02"
_ENCRYPTED = 0x1
_ENCODINGS = ("ascii", "utf-16-le", "utf-16-be")
_TYPE = "<!DOCTYPE"
_DECLARATIONS = ("<!ENTITY", "<!ATTLIST")
"""What makes a small file large, or reads another: entities and default attributes."""


def open_archive(data: bytes, *, name: str) -> zipfile.ZipFile:
    """Return the archive after looking at its table of contents.

    Raises:
        IngestError: `parse_failed` for a damaged archive, `too_large` for one that would unpack to too much,
            `unsupported` for names that are absolute or climb with "..", for links and for encrypted entries.
    """
    count = data.count(_DIRECTORY_ENTRY)
    if count > MAX_ENTRIES:
        refuse(name, f"has {count} entries; at most {MAX_ENTRIES} are read", reason="too_large")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        refuse(name, f"is not a readable zip archive ({error})", reason="parse_failed", cause=error)
    for entry in archive.infolist():
        _check_entry(entry, name)
    total = sum(entry.file_size for entry in archive.infolist())
    if total > MAX_UNPACKED:
        refuse(name, f"unpacks to {total} bytes; at most {MAX_UNPACKED} are read", reason="too_large")
    return archive


def _check_entry(entry: zipfile.ZipInfo, name: str) -> None:
    parts = entry.filename.replace("\\", "/").split("/")
    if parts[0] == "" or ":" in parts[0] or ".." in parts:
        refuse(name, f"has an entry {entry.filename!r}, which points out of the archive", reason="unsupported")
    if stat.S_ISLNK(entry.external_attr >> 16):
        refuse(name, f"has an entry {entry.filename!r} that is a link", reason="unsupported")
    if entry.flag_bits & _ENCRYPTED:
        refuse(name, f"has an encrypted entry {entry.filename!r}; save it without a password", reason="unsupported")
    if entry.file_size > _RATIO_FROM and entry.file_size > MAX_RATIO * max(entry.compress_size, 1):
        refuse(
            name,
            f"has an entry {entry.filename!r} that unpacks {entry.compress_size} bytes to {entry.file_size}; at most"
            f" {MAX_RATIO} times are read",
            reason="too_large",
        )


def read_member(archive: zipfile.ZipFile, member: str, *, name: str) -> bytes:
    """Return the bytes of an entry; never more than the archive's table of contents says.

    Raises:
        IngestError: `parse_failed` if the entry is not there or its bytes are damaged.
    """
    try:
        return archive.read(member)
    except KeyError as error:
        refuse(name, f"has no entry {member!r}, which it needs", reason="parse_failed", cause=error)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        refuse(name, f"has a damaged entry {member!r} ({error})", reason="parse_failed", cause=error)


def check_xml(data: bytes, member: str, *, name: str, typed: bool) -> None:
    """Look at the bytes of an XML entry before a parser does.

    Args:
        data: The entry's bytes.
        member: The entry's name.
        name: The file's name.
        typed: Whether it may name a document type, which is not read.

    Raises:
        IngestError: `unsupported` for declarations of entities or attributes, and of a type where none may be;
            `too_large` for more than `MAX_ELEMENTS` elements.
    """
    declarations = _DECLARATIONS if typed else (*_DECLARATIONS, _TYPE)
    for word in declarations:
        if any(word.encode(encoding) in data for encoding in _ENCODINGS):
            refuse(name, f"has a declaration {word!r} in {member!r}, which is not read", reason="unsupported")
    elements = data.count(b"<") - data.count(b"</")
    if elements > MAX_ELEMENTS:
        refuse(name, f"has {elements} elements in {member!r}; at most {MAX_ELEMENTS} are read", reason="too_large")


def refuse(name: str, what: str, *, reason: str, cause: Exception | None = None) -> NoReturn:
    """Raise the error that says what is wrong with a file.

    Args:
        name: The file's name.
        what: What follows it in the sentence, with what to do where that is known.
        reason: The error's reason.
        cause: What was raised by a library.

    Raises:
        IngestError: Always.
    """
    raise IngestError(f"{name!r} {what}.", reason=reason) from cause
