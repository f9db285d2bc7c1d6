"""Which parts of an offer to look into, judged by all that the offer shows of each.

An offer of many sections has room for titles alone, one over several documents for few of these. A single title tells
little; all that is shown of a part together tells what it is about, and its own offer then shows more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tocwalk.navigators.lexical_score import score_offer
from tocwalk.navigators.protocol import OWN_BODY, Candidate, NavigatorRequest

__all__ = ["best_parts", "is_map"]

_MOST_PARTS = 3
_NEAR_THE_BEST = 0.4
"""What is looked into scores at least so much of the best: less than an answer does, as to look costs only a visit."""
_ENOUGH_TO_LOOK = 0.22
"""What a section whose contents are shown scores at least; less says that another document was meant."""
_ABOVE_SECTIONS = ("document", "folder", "group")
"""What is looked into for any word: their titles say little of what is in them."""


def is_map(request: NavigatorRequest) -> bool:
    """Whether an offer shows where things are rather than what they are.

    It does where there is something to look into, and either what is below it is not shown, or no summary is.
    """
    expanded = {candidate.ref.rpartition(".")[0] for candidate in request.candidates}
    parts = [candidate for candidate in request.candidates if _has_contents(candidate)]
    hidden = any(part.ref not in expanded for part in parts)
    return hidden or (bool(parts) and not any(c.summary for c in request.candidates if c.ref != OWN_BODY))


def best_parts(request: NavigatorRequest) -> list[Candidate]:
    """Return the parts of an offer, its first level, that share most with the question, best first.

    A part scores what all its titles and summaries shown here score as one. Where none shares a word, documents,
    folders and groups are returned in reading order.
    """
    shown: dict[str, list[Candidate]] = {}
    for candidate in request.candidates:
        if candidate.ref != OWN_BODY:
            shown.setdefault(candidate.ref.partition(".")[0], []).append(candidate)
    parts = [below[0] for below in shown.values()]
    scores = score_offer(request.query, [_as_one(below) for below in shown.values()])
    least = _NEAR_THE_BEST * max(scores.values(), default=0.0)
    if least == 0:
        return [part for part in parts if part.kind in _ABOVE_SECTIONS and _has_contents(part)][:_MOST_PARTS]
    # What is below a part that stands alone here is unknown, which is not the same as nothing.
    known = {part.ref for part in parts if part.kind == "section" and len(shown[part.ref]) > 1}
    enough = {part.ref: max(least, _ENOUGH_TO_LOOK) if part.ref in known else least for part in parts}
    order = sorted(parts, key=lambda part: -scores[part.ref])
    return [part for part in order if scores[part.ref] >= enough[part.ref]][:_MOST_PARTS]


def _has_contents(candidate: Candidate) -> bool:
    return candidate.openable and (candidate.has_children or not candidate.takeable)


def _as_one(shown: Sequence[Candidate]) -> Candidate:
    """Return a part, the first of what is shown of it, with the words of all of that as its own."""
    title, summary = "\n".join(c.title for c in shown), "\n".join(c.summary for c in shown)
    return replace(shown[0], title=title, summary=summary)
