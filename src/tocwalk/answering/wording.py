"""The answer in words, with markers and sources."""

from __future__ import annotations

from collections.abc import Sequence

from tocwalk.answering.state import Citation
from tocwalk.state import LandedSection
from tocwalk.tree import one_line

__all__ = ["abstention", "answer_text", "cited", "with_sources"]

_LOOKED_AT = 10
_TITLE = 200


def answer_text(statements: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Return statements, each with the markers of its citations: "Rent is due monthly. [1]"."""
    return " ".join(f"{text} {''.join(f'[{m}]' for m in dict.fromkeys(markers))}" for text, markers in statements)


def abstention(sections: Sequence[LandedSection], *, cancelled: bool) -> str:
    """Return what is said where nothing can be proved: that, and what was looked at."""
    said = "The question was cancelled." if cancelled else "The documents do not answer this."
    names = [one_line(" > ".join(section["path"]), _TITLE) for section in sections[:_LOOKED_AT]]
    more = f"; and {len(sections) - _LOOKED_AT} more" if len(sections) > _LOOKED_AT else ""
    return f"{said} Looked at: {'; '.join(names)}{more}." if names else f"{said} No section on it was found."


def cited(citation: Citation) -> str:
    """Return where a citation stands: "[1] Lease, 2 Rent, p. 3"."""
    name = one_line(" ".join(part for part in (citation["number"], citation["title"]) if part), _TITLE)
    parts = [one_line(citation["document_title"], _TITLE), name if citation["section"] != citation["document"] else ""]
    start, end = citation["page_start"], citation["page_end"]
    pages = "" if start is None else f"p. {start}" if end in (None, start) else f"p. {start}-{end}"
    return f"[{citation['marker']}] {', '.join(part for part in (*parts, pages) if part)}"


def with_sources(answer: str, citations: Sequence[Citation]) -> str:
    """Return the answer and its sources, as a message of a chat."""
    return "\n".join([answer, "", *map(cited, citations)]) if citations else answer
