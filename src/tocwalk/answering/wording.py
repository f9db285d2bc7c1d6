"""The answer in words, with markers and sources."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tocwalk.answering.state import Citation
from tocwalk.state import LandedSection
from tocwalk.tree import one_line

__all__ = ["abstention", "answer_text", "as_message", "cited"]

_LOOKED_AT = 10
_TITLE = 200


def answer_text(statements: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Return statements, each with the markers of its citations: "Rent is due monthly. [1]"."""
    return " ".join(f"{text} {''.join(f'[{m}]' for m in dict.fromkeys(markers))}" for text, markers in statements)


def abstention(sections: Sequence[LandedSection], unread: Collection[str], *, cancelled: bool) -> str:
    """Return what is said where nothing can be proved: that, and what was looked at.

    Args:
        sections: All that was found.
        unread: Ids of those of which nothing fitted into the evidence.
        cancelled: Whether somebody ended the run.
    """
    said = "The question was cancelled." if cancelled else "The documents do not answer this."
    if not sections:
        return f"{said} No section on it was found."
    if cancelled:
        return f"{said} Found so far: {_names(sections)}."
    read = _names([section for section in sections if section["id"] not in unread])
    left_out = _names([section for section in sections if section["id"] in unread])
    not_read = f" Found, but not read, as `evidence_tokens` allows no more: {left_out}." if left_out else ""
    return f"{said} Looked at: {read}.{not_read}"


def _names(sections: Sequence[LandedSection]) -> str:
    names = [one_line(" > ".join(section["path"]), _TITLE) for section in sections[:_LOOKED_AT]]
    more = [f"and {len(sections) - _LOOKED_AT} more"] if len(sections) > _LOOKED_AT else []
    return "; ".join([*names, *more])


def cited(citation: Citation) -> str:
    """Return where a citation stands: "[1] Lease, 2 Rent, p. 3"."""
    name = one_line(" ".join(part for part in (citation["number"], citation["title"]) if part), _TITLE)
    parts = [one_line(citation["document_title"], _TITLE), name if citation["section"] != citation["document"] else ""]
    start, end = citation["page_start"], citation["page_end"]
    pages = "" if start is None else f"p. {start}" if end in (None, start) else f"p. {start}-{end}"
    return f"[{citation['marker']}] {', '.join(part for part in (*parts, pages) if part)}"


def as_message(answer: str, citations: Sequence[Citation], *, left_out: int) -> str:
    """Return the answer as a message of a chat: with its sources, and how many statements were left out."""
    sources = ["", *map(cited, citations)] if citations else []
    told = ["", _left_out(left_out)] if left_out else []
    return "\n".join([answer, *sources, *told])


def _left_out(count: int) -> str:
    if count == 1:
        return "One statement was left out: it is not proved by a quote."
    return f"{count} statements were left out: they are not proved by quotes."
