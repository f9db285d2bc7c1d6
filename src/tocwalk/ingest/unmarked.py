"""Headings of documents whose format could mark headings, but whose author did not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tocwalk.ingest.extracted import Heading

__all__ = ["with_unmarked_headings"]

_FEWEST = 3
"""Headings found by layout; fewer are as likely a list."""


def with_unmarked_headings(text: str, headings: Sequence[Heading], *, name: str) -> tuple[Heading, ...]:
    """Return the marked headings; where there is at most one (the title), also those that a reader of plain text finds.

    Args:
        text: The extracted text.
        headings: Those that the format marks, in reading order.
        name: The file's name.
    """
    if len(headings) > 1 or not text.strip():
        return tuple(headings)
    from tocwalk.ingest.text import extract

    plain = extract(text.encode("utf-8", errors="replace"), name=name)
    if plain.text != text or len(plain.headings) < _FEWEST:
        return tuple(headings)
    if not headings:
        return plain.headings
    title = headings[0]
    apart = [heading for heading in plain.headings if heading.end <= title.start or heading.start >= title.end]
    below = [replace(heading, level=heading.level + title.level) for heading in apart]
    return tuple(sorted([title, *below], key=lambda heading: heading.start))
