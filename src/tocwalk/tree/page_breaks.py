"""Where the pages change in a section's own text: kept in its metadata, so that a quote has its exact page."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tocwalk.tree.section import JsonScalar, SectionHead

__all__ = ["PAGE_BREAKS", "PageBreak", "page_at", "written_breaks"]

PAGE_BREAKS = "page_breaks"
"""Key of the metadata: JSON, `[[offset, page, label], ...]`; missing where the text lies on one page."""


@dataclass(frozen=True, slots=True)
class PageBreak:
    """A page that begins inside a section's own text."""

    offset: int
    """Code-point offset in the section's text."""
    page: int
    """Physical, 1-based."""
    label: str | None
    """As printed, where that is known."""


def written_breaks(breaks: Sequence[PageBreak]) -> Mapping[str, JsonScalar]:
    """Return the metadata of a section in whose text these pages begin; none for none."""
    if not breaks:
        return {}
    rows = [[one.offset, one.page, one.label] for one in breaks]
    return {PAGE_BREAKS: json.dumps(rows, ensure_ascii=False, separators=(",", ":"))}


def page_at(head: SectionHead, offset: int) -> tuple[int | None, str | None] | None:
    """Return the page on which an offset of a section's own text lies, and its printed label.

    Returns:
        None where no page breaks were kept: the text lies on one page, was handed over without them, or is that of a
        document before its first heading.
    """
    written = head.metadata.get(PAGE_BREAKS)
    if not isinstance(written, str):
        return None
    breaks = [PageBreak(*row) for row in json.loads(written)]
    position = bisect_right([one.offset for one in breaks], offset)
    if position == 0:
        return head.page_start, head.label_start
    return breaks[position - 1].page, breaks[position - 1].label
