"""Opening a file that lies below a folder, whatever links say, and whoever changes them at the same time."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from tocwalk.errors import IngestError

__all__ = ["open_below"]

_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_CHANGED = {errno.ELOOP, errno.ENOTDIR}
"""What a link in the place of a folder, or of the file, is answered with."""


def open_below(root: Path, path: Path, flags: int) -> int:
    """Open a file and return its descriptor. Links are followed first, and none is followed while it is opened.

    Args:
        root: The folder that must hold it; no link leads to it.
        path: The file.
        flags: As `os.open` has them.

    Raises:
        IngestError: `outside_roots`: a link leads out of the folder; `unreadable`: links lead round in a circle.
        OSError: As `os.open` raises it.
    """
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(root):
        raise IngestError(
            f"{str(path)!r} is a link that leads out of the folder {str(root)!r}; name the file that it leads to.",
            reason="outside_roots",
        )
    where = os.open(root, _FOLDER)
    try:
        for folder in real.parent.relative_to(root).parts:
            below = os.open(folder, _FOLDER, dir_fd=where)
            os.close(where)
            where = below
        return os.open(real.name, flags | os.O_NOFOLLOW, dir_fd=where)
    except OSError as error:
        if error.errno not in _CHANGED:
            raise
        raise IngestError(
            f"{str(path)!r} is a link that leads nowhere, or became one meanwhile; take it away, or mend it.",
            reason="unreadable",
        ) from error
    finally:
        os.close(where)
