"""What came with a run, as files that can be read: each for itself, or the reason why it is refused."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tocwalk.errors import IngestError, InputError
from tocwalk.indexing.state import IndexInput
from tocwalk.state.operator import OperatorSettings

__all__ = ["MOST_DOCUMENTS", "Arrival", "check_size", "each_once", "uploads"]

MOST_DOCUMENTS = 1000
_LONGEST_NAME = 200
"""Bytes of each part of a name: what file systems bear, less what they add."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A document that is to be read."""

    path: Path
    document_id: str
    source: str
    """Where it came from: its path, or `upload:NAME`."""
    named: bool = True
    """False where it was only found in a folder."""
    error: IngestError | None = None
    """Why it is refused; None if it is not."""


def check_size(given: IndexInput, operator: OperatorSettings) -> None:
    """Refuse a run that was sent more than the operator allows.

    Raises:
        InputError: Naming size and limit.
    """
    # Base64 spells three bytes with four letters.
    size = sum(len(file.content) * 3 // 4 for file in given.files) + sum(len(one.text.encode()) for one in given.texts)
    if size > operator.index_max_bytes:
        raise InputError(
            f"The files and texts have {size} bytes; {operator.index_max_bytes} are the most for one run"
            " (TOCWALK_INDEX_MAX_BYTES). Send them in several runs."
        )
    count = len(given.files) + len(given.texts)
    if count > MOST_DOCUMENTS:
        raise InputError(f"There are {count} documents; {MOST_DOCUMENTS} are the most for one run. Send several.")


def uploads(given: IndexInput, folder: Path) -> Iterator[Arrival]:
    """Write what was sent into a folder, each file into one of its own, and yield them in their order.

    Names are checked first: none can lead out of the folder.
    """
    named: list[tuple[str, str | bytes]] = [(file.name, file.content) for file in given.files]
    named += [(one.name, one.text.encode(errors="replace")) for one in given.texts]
    for number, (name, content) in enumerate(named):
        path = folder / str(number) / (name.rpartition("/")[2] or "unnamed")
        source = f"upload:{name}"
        try:
            _check_name(name)
            data = _decoded(name, content) if isinstance(content, str) else content
        except IngestError as error:
            yield Arrival(path=path, document_id=name, source=source, error=error)
            continue
        path.parent.mkdir()
        path.write_bytes(data)
        yield Arrival(path=path, document_id=name, source=source)


def each_once(arrivals: Iterable[Arrival]) -> list[Arrival]:
    """Refuse all but the first of those that would become the same document.

    They are read at the same time, so which of them stayed in the index would be chance.
    """
    seen: set[str] = set()
    once: list[Arrival] = []
    for arrival in arrivals:
        if arrival.error is None and arrival.document_id in seen:
            message = (
                f"{arrival.document_id!r} is there twice in this run: the first counts. Give this one another name."
            )
            once.append(replace(arrival, error=IngestError(message, reason="same_id")))
            continue
        if arrival.error is None:
            seen.add(arrival.document_id)
        once.append(arrival)
    return once


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
