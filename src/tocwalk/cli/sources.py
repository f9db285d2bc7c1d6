"""The files that PATHs name, and the ids of the documents they become."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tocwalk.errors import InputError
from tocwalk.indexing.folders import files_at
from tocwalk.indexing.source import Source, path_text

__all__ = ["absolute", "find_sources"]


def find_sources(paths: Sequence[Path]) -> list[Source]:
    """Return the files that the paths name and, of folders, those below, ordered by path, each once.

    Args:
        paths: Files and folders. A file that is not there is a source too: reading it says so.

    Raises:
        InputError: There is none.
    """
    found: dict[tuple[Path, str], Source] = {}
    for path in paths:
        for source in files_at(absolute(path)):
            found.setdefault((source.path, source.document_id), source)
    if not found:
        names = ", ".join(repr(path_text(str(path))) for path in paths)
        raise InputError(f"No file lies below {names}: name files, or a folder of some.")
    return sorted(found.values(), key=lambda source: (source.path.parts, source.document_id))


def absolute(path: Path) -> Path:
    """Return a path from the root of the file system, without "..", links not resolved."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolving links would change what was named
