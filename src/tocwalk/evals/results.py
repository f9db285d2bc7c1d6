"""The file of results: each answer is appended as soon as it is there, and read again by the next run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from tocwalk.errors import InputError
from tocwalk.evals.answers import Answer

__all__ = ["NoResults", "ResultsFile", "key_of"]

_HEADER = {"tocwalk_eval": 1}
"""The first line: nobody's other file is taken for one of results, and written to."""


class _Entry(BaseModel):
    key: str
    system: str
    case: str
    answer: Answer


def key_of(depends_on: Mapping[str, Any]) -> str:
    """Return a short name for all that an answer depends on: JSON values."""
    return hashlib.sha256(json.dumps(depends_on, sort_keys=True).encode()).hexdigest()[:32]


class NoResults:
    """Keeps nothing."""

    def get(self, key: str) -> Answer | None:  # noqa: ARG002 - stands in for a file
        """Return None."""
        return None

    def add(self, key: str, *, system: str, case: str, answer: Answer) -> None:
        """Do nothing."""


class ResultsFile:
    """A file with one answer a line. Answers that another run needs may stand in it too."""

    def __init__(self, path: Path) -> None:
        """Read what is there; a file that is missing or empty is begun.

        A line that was not written to its end, because the program was killed, is passed over.

        Raises:
            InputError: The file is another's, or cannot be read or written.
        """
        self._path = path
        content = self._read()
        lines = content.splitlines()
        if not lines:
            self._append(_HEADER)
        elif _json(lines[0]) != _HEADER:
            raise InputError(f"{str(path)!r} is no file of results: name another, it would be written to.")
        elif not content.endswith(b"\n"):
            self._write(b"\n")
        entries = map(_entry, lines[1:])
        self._answers = {entry.key: entry.answer for entry in entries if entry is not None}

    def get(self, key: str) -> Answer | None:
        """Return the answer kept under a key, if there is one."""
        return self._answers.get(key)

    def add(self, key: str, *, system: str, case: str, answer: Answer) -> None:
        """Keep an answer, in the file before this returns.

        Raises:
            InputError: It cannot be written.
        """
        entry = _Entry(key=key, system=system, case=case, answer=answer)
        self._append(entry.model_dump(mode="json"))
        self._answers[key] = answer

    def _append(self, record: Mapping[str, Any]) -> None:
        self._write(json.dumps(record).encode() + b"\n")

    def _read(self) -> bytes:
        try:
            if self._path.exists() and not self._path.is_file():
                raise self._unusable("it is no file")  # and a device may have no end
            return self._path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise self._unusable(error.strerror) from error

    def _write(self, line: bytes) -> None:
        try:
            with self._path.open("ab", buffering=0) as file:  # in one piece, beside others that append
                file.write(line)
        except OSError as error:
            raise self._unusable(error.strerror) from error

    def _unusable(self, why: str | None) -> InputError:
        return InputError(f"The file of results {str(self._path)!r} cannot be used: {why}. Name another.")


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _entry(line: bytes) -> _Entry | None:
    try:
        return _Entry.model_validate_json(line)
    except ValidationError:
        return None
