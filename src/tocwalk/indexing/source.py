"""What is to become a document."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from tocwalk.errors import IngestError

__all__ = ["Source", "path_text"]

_UNDECODABLE = re.compile("[\udc80-\udcff]")  # as Python spells bytes of names that are not UTF-8


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file that is to become a document."""

    path: Path
    """What is read: absolute, links not resolved."""
    document_id: str
    name: str
    """Where it came from, as text that can be stored and printed: its path, or `upload:NAME`."""
    named: bool = True
    """True where it was named itself, or sent; False where it was found in a folder."""
    root: Path | None = None
    """The folder, to which no link leads, that must hold it when it is read, links followed; None: it may lie
    anywhere."""
    error: IngestError | None = None
    """Why it is not even tried; None if it is."""


def path_text(path: str) -> str:
    """Return a path with bytes that are not UTF-8 written like "%FF", so that different files stay different."""
    decoded = os.fsencode(path).decode(errors="surrogateescape")
    return _UNDECODABLE.sub(lambda found: f"%{found[0].encode(errors='surrogateescape').hex().upper()}", decoded)
