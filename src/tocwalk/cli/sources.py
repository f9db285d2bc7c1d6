"""The files that PATHs name, and the ids of the documents they become."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tocwalk.errors import InputError

__all__ = ["Source", "absolute", "document_id_of", "find_sources"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file that is to become a document."""

    path: Path
    """Absolute, links not resolved."""
    document_id: str
    named: bool
    """True where it was named itself, False where it was found in a folder."""
    error: str = ""
    """Why it cannot even be tried; empty if it can."""

    @property
    def name(self) -> str:
        """The path as text that can be stored and printed."""
        return _text(str(self.path))


def find_sources(paths: Sequence[Path]) -> list[Source]:
    """Return the files that the paths name and, of folders, those below, ordered by path, each once.

    Hidden files and folders below a folder are left out; links to folders are not followed.

    Args:
        paths: Files and folders. A file that is not there is a source too: reading it says so.

    Raises:
        InputError: There is none.
    """
    found: dict[tuple[Path, str], Source] = {}
    for path in paths:
        place = absolute(path)
        for source in _below(place) if place.is_dir() else [_named(place)]:
            found.setdefault((source.path, source.document_id), source)
    if not found:
        names = ", ".join(repr(_text(str(path))) for path in paths)
        raise InputError(f"No file lies below {names}: name files, or a folder of some.")
    return sorted(found.values(), key=lambda source: (source.path.parts, source.document_id))


def absolute(path: Path) -> Path:
    """Return a path from the root of the file system, without "..", links not resolved."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolving links would change what was named


def document_id_of(path: Path, root: Path) -> str:
    """Return a document's id: its path below the folder `root`, with "/" between its parts."""
    return _text(path.relative_to(root).as_posix())


def _named(path: Path) -> Source:
    return Source(path=path, document_id=document_id_of(path, path.parent), named=True)


def _below(folder: Path) -> Iterator[Source]:
    unreadable: list[OSError] = []
    real = folder.resolve()
    for where, folders, names in os.walk(folder, onerror=unreadable.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                path = Path(where, name)
                error = "" if path.resolve().is_relative_to(real) else _LEADS_OUT.format(_text(str(path)))
                yield Source(path=path, document_id=document_id_of(path, folder), named=False, error=error)
    for failure in unreadable:
        path = Path(failure.filename)
        error = f"The folder {_text(str(path))!r} cannot be read: {failure.strerror}."
        yield Source(path=path, document_id=document_id_of(path, folder), named=False, error=error)


_LEADS_OUT = "{!r} is a link that leads out of the folder; name it on the command line to read it."


def _text(path: str) -> str:
    """Return a path without the surrogates that stand for bytes that are not UTF-8."""
    return os.fsencode(path).decode(errors="replace")
