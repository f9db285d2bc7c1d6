"""What was sent with a run, as files that can be read: each for itself, or the reason why it is refused."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path

from tocwalk.errors import IngestError, InputError
from tocwalk.indexing.source import Source
from tocwalk.indexing.state import IndexInput
from tocwalk.models.encodable import encodable
from tocwalk.state.operator import OperatorSettings

__all__ = ["MOST_DOCUMENTS", "check_size", "uploads"]

MOST_DOCUMENTS = 1000
_LONGEST_NAME = 200
"""Bytes of each part of a name: what file systems bear, less what they add."""


def check_size(given: IndexInput, operator: OperatorSettings) -> None:
    """Refuse a run that was sent more than the operator allows.

    Raises:
        InputError: Naming size and limit.
    """
    # Base64 spells three bytes with four letters.
    size = sum(len(file.content) * 3 // 4 for file in given.files)
    size += sum(len(one.text.encode(errors="replace")) for one in given.texts)
    if size > operator.index_max_bytes:
        raise InputError(
            f"The files and texts have {size} bytes; {operator.index_max_bytes} are the most for one run"
            " (TOCWALK_INDEX_MAX_BYTES). Send them in several runs."
        )
    count = len(given.files) + len(given.texts)
    if count > MOST_DOCUMENTS:
        raise InputError(f"There are {count} documents; {MOST_DOCUMENTS} are the most for one run. Send several.")


def uploads(given: IndexInput, folder: Path) -> Iterator[Source]:
    """Write what was sent into a folder, each file into one of its own as it is asked for, in the order it was sent.

    Names are checked first: none can lead out of the folder.
    """
    named: list[tuple[str, str | bytes]] = [(file.name, file.content) for file in given.files]
    named += [(one.name, one.text.encode(errors="replace")) for one in given.texts]
    for number, (name, content) in enumerate(named):
        path = folder / str(number) / (name.rpartition("/")[2] or "unnamed")
        error = None
        try:
            _check_name(name)
            _write(path, _decoded(name, content) if isinstance(content, str) else content, name)
        except IngestError as refused:
            error = refused
        shown = encodable(name)
        yield Source(path=path, document_id=shown, name=f"upload:{shown}", error=error)


def _write(path: Path, data: bytes, name: str) -> None:
    try:
        path.parent.mkdir()
        path.write_bytes(data)
    except OSError as error:
        raise IngestError(
            f"{name!r} could not be kept while it is read: {error.strerror}. Make room in the server's folder for"
            " temporary files (TMPDIR).",
            reason="unreadable",
        ) from error


def _check_name(name: str) -> None:
    parts = name.split("/")
    if any(_bad(part) for part in parts):
        raise IngestError(
            f"{name!r} cannot be the name of a document: write it like 'handbook.md' or 'staff/handbook.md', without"
            f" '..', empty, hidden or overlong parts ({_LONGEST_NAME} bytes), backslashes or control characters.",
            reason="bad_name",
        )


def _bad(part: str) -> bool:
    return (
        not part.strip()
        or part.startswith(".")
        or "\\" in part
        or not part.isprintable()
        or len(part.encode(errors="replace")) > _LONGEST_NAME
    )


def _decoded(name: str, content: str) -> bytes:
    try:
        return base64.b64decode(_without_blanks(content), validate=True)
    except (binascii.Error, ValueError) as error:
        raise IngestError(
            f"The content of {name!r} is not base64 ({error}): encode the file's bytes, or send it as a text.",
            reason="not_base64",
        ) from error


def _without_blanks(content: str) -> str:
    """Return base64 without the line ends that many encoders put into it."""
    return "".join(content.split())
