"""Headings of documents whose format could mark headings, but whose author did not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tocwalk.ingest.extracted import Heading

__all__ = ["with_unmarked_headings"]

_DRAWN = 0.5
"""Share of a text; if more of it is preformatted, the page is a plain text file made into a page."""
_FEWEST = 3
"""Numbered headings that show a text to have a structure: other lines that look like titles are as likely terms."""


def with_unmarked_headings(
    text: str, headings: Sequence[Heading], *, name: str, verbatim: Sequence[tuple[int, int]] = ()
) -> tuple[Heading, ...]:
    """Return the marked headings; where there is at most one (the title), also those that a reader of plain text finds.

    Args:
        text: The extracted text.
        headings: Those that the format marks, in reading order.
        name: The file's name.
        verbatim: Spans of code and drawings, in which no heading is looked for unless they are most of the text.
    """
    if len(headings) > 1 or not text.strip():
        return tuple(headings)
    from tocwalk.ingest.text import extract

    plain = extract(text.encode("utf-8", errors="replace"), name=name)
    drawn = sum(end - start for start, end in verbatim) < _DRAWN * len(text)
    taken = [*(verbatim if drawn else ()), *((heading.start, heading.end) for heading in headings)]
    found = [heading for heading in plain.headings if not any(_overlaps(heading, span) for span in taken)]
    if plain.text != text or sum(heading.number is not None for heading in found) < _FEWEST:
        return tuple(headings)
    above = headings[0].level if headings else 0
    below = [replace(heading, level=heading.level + above) for heading in found]
    return tuple(sorted([*headings, *below], key=lambda heading: heading.start))


def _overlaps(heading: Heading, span: tuple[int, int]) -> bool:
    return heading.start < span[1] and span[0] < heading.end
