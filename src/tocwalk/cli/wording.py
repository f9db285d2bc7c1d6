"""How sections are called in front of people: on one line, whatever a document says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tocwalk.tree import counted, one_line

__all__ = ["counted", "in_full", "name_of", "pages_of", "shown"]

_LONGEST = 200
"""Characters of a title shown at most."""


def shown(text: str) -> str:
    """Return a title, id or path on one line, safe for a terminal."""
    return one_line(text, _LONGEST)


def in_full(id_: str) -> str:
    """Return an id on one line, safe for a terminal, to be copied from there."""
    return one_line(id_, len(id_) + 1)


def name_of(section: Mapping[str, Any]) -> str:
    """Return number and title: "4.2 Supervision"."""
    return shown(" ".join(part for part in (section["number"], section["title"]) if part)) or "(untitled)"


def pages_of(section: Mapping[str, Any]) -> str:
    """Return "p. 12-13 (printed 8-9)", or "" for a format without pages."""
    if section["page_start"] is None:
        return ""
    pages = f"p. {_range(section['page_start'], section['page_end'])}"
    labels = _range(section["label_start"], section["label_end"])
    same = labels in ("", _range(section["page_start"], section["page_end"]))
    return pages if same else f"{pages} (printed {shown(labels)})"


def _range(start: int | str | None, end: int | str | None) -> str:
    if start is None:
        return ""
    return str(start) if end in (None, start) else f"{start}-{end}"
