"""Files on the server: only those that lie below a folder which the operator has opened, whatever links say."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from tocwalk.errors import IngestError, InputError, SettingsError
from tocwalk.indexing.folders import files_at
from tocwalk.indexing.source import Source
from tocwalk.indexing.uploads import MOST_DOCUMENTS
from tocwalk.models.encodable import encodable

__all__ = ["opened_files"]


def opened_files(paths: Sequence[str], roots: Sequence[Path]) -> list[Source]:
    """Return the files that paths name and, of folders, those below, each once; a path that is refused is one too.

    A document's id is its path below the opened folder, so that it is the same whichever folder was named. Hidden
    files are left out of folders, and refused where they are named.

    Args:
        paths: Absolute, or relative to an opened folder.
        roots: The opened folders.

    Raises:
        SettingsError: None is opened.
        InputError: There are too many files.
    """
    if not paths:
        return []
    if not roots:
        raise SettingsError(
            f"The server reads no paths, got paths={list(paths)!r}: its operator names the folders that may be read in"
            " TOCWALK_INDEX_ROOTS. Or send the documents as `files` or `texts`."
        )
    real = [Path(os.path.realpath(root)) for root in roots]
    found: dict[tuple[Path, str], Source] = {}
    for path in paths:
        below = list(islice(_sources(path, real), MOST_DOCUMENTS + 1))
        for source in sorted(below, key=lambda source: source.path.parts):
            found.setdefault((source.path, source.document_id), source)
        if len(found) > MOST_DOCUMENTS or len(below) > MOST_DOCUMENTS:
            raise InputError(
                f"More than {MOST_DOCUMENTS} files lie below {path!r}: name fewer, or run `tocwalk index`."
            )
    return list(found.values())


def _sources(path: str, roots: Sequence[Path]) -> Iterable[Source]:
    try:
        place, root = _placed(path, roots)
    except IngestError as error:
        shown = encodable(path)
        return [Source(path=Path(path.replace("\0", "?")), document_id=shown, name=shown, error=error)]
    return files_at(place, root=root)


def _placed(path: str, roots: Sequence[Path]) -> tuple[Path, Path]:
    """Return where a path leads, links followed, and the opened folder that holds it.

    Raises:
        IngestError: `outside_roots`, `hidden` or `not_found`.
    """
    if not _can_be_path(path):
        raise IngestError(f"{path!r} is no path: name a file or a folder.", reason="not_found")
    places = [(Path(os.path.realpath(root / path)), root) for root in roots]
    inside = [(place, root) for place, root in places if place.is_relative_to(root)]
    if not inside:
        raise IngestError(
            f"{path!r} does not lie below a folder that the operator has opened (TOCWALK_INDEX_ROOTS).",
            reason="outside_roots",
        )
    for place, root in inside:
        if os.path.lexists(place):
            if any(part.startswith(".") for part in place.relative_to(root).parts):
                raise IngestError(f"{path!r} is hidden, and hidden files are not read.", reason="hidden")
            return place, root
    raise IngestError(f"There is no file or folder {path!r} below the opened folders.", reason="not_found")


def _can_be_path(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return "\0" not in path and bool(path.strip())
