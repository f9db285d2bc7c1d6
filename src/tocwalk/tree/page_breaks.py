"""Where the pages change in a section's own text, so that a quote has its exact page."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tocwalk.tree.section import SectionHead

__all__ = ["PageBreak", "page_at"]


class PageBreak(NamedTuple):
    """A page that begins inside a section's own text."""

    offset: int
    """Code-point offset in the section's text."""
    page: int
    """Physical, 1-based."""
    label: str | None
    """As printed, where that is known."""


def page_at(head: SectionHead, offset: int) -> tuple[int | None, str | None] | None:
    """Return the page on which an offset of a section's own text lies, and its printed label.

    Returns:
        None where no page breaks are known: the text lies on one page, or was handed over without them.
    """
    if not head.page_breaks:
        return None
    position = bisect_right([one.offset for one in head.page_breaks], offset)
    if position == 0:
        return head.page_start, head.label_start
    return head.page_breaks[position - 1].page, head.page_breaks[position - 1].label
