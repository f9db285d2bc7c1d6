"""The files that PATHs name, and the ids of the documents they become."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tocwalk.errors import InputError

__all__ = ["Source", "absolute", "document_id_of", "find_sources"]

_UNDECODABLE = re.compile("[\udc80-\udcff]")  # as Python spells bytes of names that are not UTF-8


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
    real = folder.resolve()
    waiting = [folder]  # a stack of our own: folders may be nested deeper than calls can be
    while waiting:
        where = waiting.pop()
        try:
            with os.scandir(where) as entries:
                seen = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as failure:
            error = f"The folder {_text(str(where))!r} cannot be read: {failure.strerror}."
            yield Source(path=where, document_id=document_id_of(where, folder), named=False, error=error)
            continue
        for entry in seen:
            path = where / entry.name
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif not (entry.is_symlink() and os.path.isdir(path)):  # noqa: PTH112 - `Path.is_dir` may raise
                error = _link_error(entry, real)
                yield Source(path=path, document_id=document_id_of(path, folder), named=False, error=error)


def _link_error(entry: os.DirEntry[str], folder: Path) -> str:
    """Return why a file found in a folder cannot be read; "" if it can, as far as links go."""
    if not entry.is_symlink():
        return ""
    try:
        inside = Path(entry.path).resolve().is_relative_to(folder)
    except (OSError, RuntimeError):  # a circle of links is the one or the other
        return f"{_text(entry.path)!r} is a link that leads nowhere; take it away, or mend it."
    if inside:
        return ""
    return f"{_text(entry.path)!r} is a link that leads out of the folder; name it on the command line to read it."


def _text(path: str) -> str:
    """Return a path with bytes that are not UTF-8 written like "%FF", so that different files stay different."""
    decoded = os.fsencode(path).decode(errors="surrogateescape")
    return _UNDECODABLE.sub(lambda found: f"%{found[0].encode(errors='surrogateescape').hex().upper()}", decoded)
