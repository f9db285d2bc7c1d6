"""Which documents of an offer to look into, judged by all that the offer shows of each.

An offer over several documents has room for few titles of each and for fewer summaries, so that a single title tells
little. All that is shown of a document together tells what it is about; its own offer then shows more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tocwalk.navigators.lexical_score import score_offer
from tocwalk.navigators.protocol import OWN_BODY, Candidate, NavigatorRequest

__all__ = ["best_documents"]

_MOST_DOCUMENTS = 3
_NEAR_THE_BEST = 0.4
"""What is looked into scores at least so much of the best: less than a section does, as to look costs only a visit."""
_ABOVE_DOCUMENTS = ("document", "folder", "group")


def best_documents(request: NavigatorRequest, scores: Mapping[str, float]) -> list[Candidate]:
    """Return the documents of an offer that share most with the question, best first; none for an offer within one.

    Folders and groups whose contents are not shown count as documents. A document scores what all its titles and
    summaries shown here score as one, and what the best of them scores alone.

    Args:
        request: The offer and the question.
        scores: How well each candidate fits alone, by ref.
    """
    kinds = {candidate.kind for candidate in request.candidates if candidate.ref != OWN_BODY}
    if request.current.kind not in ("corpus", "folder") and not kinds & {"document", "folder"}:
        return []
    expanded = {candidate.ref.rpartition(".")[0] for candidate in request.candidates}
    documents = [
        candidate
        for candidate in request.candidates
        if candidate.ref != OWN_BODY
        and candidate.kind in _ABOVE_DOCUMENTS
        and (candidate.kind == "document" or candidate.ref not in expanded)
    ]
    parts = {document.ref: _shown_of(document, request.candidates) for document in documents}
    together = score_offer(request.query, [_as_one(document, parts[document.ref]) for document in documents])
    worth = {ref: together[ref] + max(scores[part.ref] for part in parts[ref]) for ref in together}
    order = sorted((d for d in documents if worth[d.ref] > 0), key=lambda document: -worth[document.ref])
    return [d for d in order if worth[d.ref] >= _NEAR_THE_BEST * worth[order[0].ref]][:_MOST_DOCUMENTS]


def _shown_of(document: Candidate, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return a document and what the offer shows below it."""
    return [c for c in candidates if c.ref == document.ref or c.ref.startswith(f"{document.ref}.")]


def _as_one(document: Candidate, parts: Sequence[Candidate]) -> Candidate:
    """Return a document with the words of all its parts as its own."""
    title, summary = "\n".join(part.title for part in parts), "\n".join(part.summary for part in parts)
    return replace(document, title=title, summary=summary)
