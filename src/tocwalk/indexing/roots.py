"""Files on the server: only those that lie below a folder which the operator has opened, whatever links say."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from tocwalk.errors import IngestError, InputError, SettingsError
from tocwalk.indexing.arrivals import MOST_DOCUMENTS, Arrival

__all__ = ["files_below"]


def files_below(paths: Sequence[str], roots: Sequence[Path]) -> list[Arrival]:
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
    found: dict[Path, Arrival] = {}
    for path in paths:
        for arrival in _arrivals(path, real):
            found.setdefault(arrival.path, arrival)
            if len(found) > MOST_DOCUMENTS:
                raise InputError(
                    f"More than {MOST_DOCUMENTS} files lie below {path!r}: name fewer, or run `tocwalk index`."
                )
    return list(found.values())


def _arrivals(path: str, roots: Sequence[Path]) -> Iterator[Arrival]:
    try:
        place, root = _placed(path, roots)
    except IngestError as error:
        yield Arrival(path=Path(path.replace("\0", "?")), document_id=path, source=path, error=error)
        return
    if place.is_dir():
        yield from _in_folder(place, root)
    else:
        yield _arrival(place, root, named=True)


def _placed(path: str, roots: Sequence[Path]) -> tuple[Path, Path]:
    """Return where a path leads, links followed, and the opened folder that holds it.

    Raises:
        IngestError: `outside_roots`, `hidden` or `not_found`.
    """
    if "\0" in path or not path.strip():
        raise IngestError(f"{path!r} is no path: name a file or a folder.", reason="not_found")
    places = [(Path(os.path.realpath(root / path)), root) for root in roots]
    inside = [(place, root) for place, root in places if place.is_relative_to(root)]
    if not inside:
        raise IngestError(
            f"{path!r} does not lie below a folder that the operator has opened (TOCWALK_INDEX_ROOTS).",
            reason="outside_roots",
        )
    for place, root in inside:
        if place.exists():
            if any(part.startswith(".") for part in place.relative_to(root).parts):
                raise IngestError(f"{path!r} is hidden, and hidden files are not read.", reason="hidden")
            return place, root
    raise IngestError(f"There is no file or folder {path!r} below the opened folders.", reason="not_found")


def _in_folder(folder: Path, root: Path) -> Iterator[Arrival]:
    for where, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.startswith("."):
                continue
            yield _arrival(Path(where) / name, root, named=False)


def _arrival(path: Path, root: Path, *, named: bool) -> Arrival:
    id_ = path.relative_to(root).as_posix()
    real = Path(os.path.realpath(path))
    error = None
    if not real.is_relative_to(root):
        error = IngestError(f"{id_!r} is a link that leads out of the opened folder.", reason="outside_roots")
    # What is read is where the link led when it was checked.
    return Arrival(path=real, document_id=id_, source=str(path), named=named, error=error)
