"""The files at a place: one, or those below a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tocwalk.errors import IngestError
from tocwalk.indexing.source import Source, path_text

__all__ = ["document_id_of", "files_at", "files_below"]


def files_at(place: Path, *, root: Path | None = None) -> Iterable[Source]:
    """Return the files below a folder, or a file that is named itself; one that is not there is a source too.

    Args:
        place: Absolute.
        root: As in `files_below`. None, for a file: its id is its name, and links may lead anywhere.
    """
    if os.path.isdir(place):  # noqa: PTH112 - `Path.is_dir` may raise
        return files_below(place, root=root)
    id_ = document_id_of(place, root or place.parent)
    return [Source(path=place, document_id=id_, name=path_text(str(place)), root=root)]


def files_below(folder: Path, *, root: Path | None = None) -> Iterator[Source]:
    """Yield the files below a folder, in no order.

    Hidden files and folders are left out; links to folders are not followed. Those to files are, and reading refuses
    the ones that lead out. A folder that cannot be looked into is a source too: reading it says so.

    Args:
        folder: Absolute.
        root: The folder above it that ids begin at, and that links may not lead out of; None: the folder itself.
    """
    top = root or folder
    confines = Path(os.path.realpath(top))
    waiting = [folder]  # a stack of our own: folders may be nested deeper than calls can be
    while waiting:
        where = waiting.pop()
        try:
            with os.scandir(where) as entries:
                seen = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as failure:
            error = f"The folder {path_text(str(where))!r} cannot be read: {failure.strerror}."
            yield _found(where, top, confines, error=IngestError(error, reason="unreadable"))
            continue
        for entry in seen:
            path = where / entry.name
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif not (entry.is_symlink() and os.path.isdir(path)):  # noqa: PTH112 - `Path.is_dir` may raise
                yield _found(path, top, confines)


def document_id_of(path: Path, root: Path) -> str:
    """Return a document's id: its path below the folder `root`, with "/" between its parts."""
    return path_text(path.relative_to(root).as_posix())


def _found(path: Path, top: Path, confines: Path, *, error: IngestError | None = None) -> Source:
    return Source(
        path=path,
        document_id=document_id_of(path, top),
        name=path_text(str(path)),
        named=False,
        root=confines,
        error=error,
    )
