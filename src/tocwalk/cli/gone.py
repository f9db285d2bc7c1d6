"""Documents of an indexed folder whose files are no longer there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tocwalk.index import DocumentRow
from tocwalk.indexing.source import Source

__all__ = ["gone_documents"]


def gone_documents(rows: Iterable[DocumentRow], *, folders: Sequence[Path], found: Iterable[Source]) -> list[str]:
    """Return the ids of the documents that came from below one of the folders and whose files are gone.

    Args:
        rows: Documents of the index.
        folders: Absolute.
        found: The files that are there; the names of some cannot be spelt as a path again.
    """
    there = {source.name for source in found}
    return [
        row.id
        for row in rows
        if row.source not in there
        and any(Path(row.source).is_relative_to(folder) for folder in folders)
        and _is_gone(Path(row.source))
    ]


def _is_gone(path: Path) -> bool:
    """Whether there is no such file, as opposed to one that cannot be looked at."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
