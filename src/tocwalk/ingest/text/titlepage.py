"""The title of a plain text: what stands at its top."""

from __future__ import annotations

from tocwalk.ingest.text.lines import Layout

__all__ = ["title_of"]

_LONGEST = 250
_MOST_LINES = 3
_LOOKED_AT = 4
_WIDE = "   "


def title_of(layout: Layout, *, before: int) -> str | None:
    """Return the first short paragraph before the first heading that is no block of columns, or None.

    Args:
        layout: The text.
        before: Offset of the first heading.
    """
    for place, (start, behind) in enumerate(layout.paragraphs()):
        if place == _LOOKED_AT or layout.lines[start].start >= before:
            return None
        first, end = _without_rules(layout, start, behind)
        title = layout.joined(first, end)
        in_columns = any(_WIDE in line.text or "\t" in line.text for line in layout.lines[first:end])
        if end - first <= _MOST_LINES and len(title) <= _LONGEST and not in_columns and _says_something(title):
            return title
    return None


def _without_rules(layout: Layout, first: int, behind: int) -> tuple[int, int]:
    """Return the bounds of a paragraph without the lines of signs alone that stand over and under its words."""
    worded = [at for at in range(first, behind) if any(map(str.isalnum, layout.lines[at].text))]
    return (worded[0], worded[-1] + 1) if worded else (first, behind)


def _says_something(title: str) -> bool:
    return any(character.isalpha() for character in title) and not title.endswith((".", ":", ";", ","))
