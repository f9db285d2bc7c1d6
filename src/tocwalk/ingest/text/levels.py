"""Which kinds of headings lie above which others, as a document itself shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from tocwalk.ingest.numbering import KEYWORDS
from tocwalk.ingest.text.candidate import Candidate
from tocwalk.ingest.text.lines import Layout

__all__ = ["levels_of"]

_USUAL = {row[0]: place for place, row in enumerate(KEYWORDS)}
_UNNUMBERED = {"outdented", "centred", "capitals", "named"}
_TOP = 1


def levels_of(headings: Sequence[Candidate], layout: Layout) -> list[int]:
    """Return the level of each heading.

    Documents nest parts, chapters, sections and articles in many orders. A kind lies above another if its headings are
    followed by the other's without text between them more often than the other way round; where neither happens, the
    usual order of the words counts, and words count before plain numbers. What is unnumbered, and annexes, are at the
    top, unless what is at the top otherwise follows them directly.
    """
    annex = next((place for place, heading in enumerate(headings) if _is_annex(heading)), len(headings))
    above = _above(headings, layout)
    body = _order(_ranks(headings[:annex]), above)
    behind = _order(_ranks(headings[annex:]), above)
    holds = any(above[kind, body[0]] for kind in _UNNUMBERED) if body else False
    levels: list[int] = []
    for place, heading in enumerate(headings):
        if _is_annex(heading) or heading.kind in _UNNUMBERED:
            levels.append(_TOP)
        elif heading.kind.startswith("underlined"):
            levels.append(_TOP + body.index(heading.rank))
        elif place < annex:
            levels.append(_TOP + body.index(heading.rank) + holds)
        else:
            levels.append(_TOP + 1 + behind.index(heading.rank))
    return levels


def _is_annex(heading: Candidate) -> bool:
    return heading.kind.startswith("annex")


def _ranks(headings: Sequence[Candidate]) -> list[str]:
    """Return the ranks in the order of their first occurrence, without what is at the top anyway."""
    return list(dict.fromkeys(h.rank for h in headings if not _is_annex(h) and h.kind not in _UNNUMBERED))


def _above(headings: Sequence[Candidate], layout: Layout) -> Counter[tuple[str, str]]:
    """Count how often a heading of one rank is followed directly by one of another."""
    return Counter(
        (heading.rank, following.rank)
        for heading, following in pairwise(headings)
        if heading.rank != following.rank and layout.is_blank(heading.end, following.start)
    )


def _order(ranks: Sequence[str], above: Counter[tuple[str, str]]) -> list[str]:
    """Sort by the usual order, then move each rank before those that it is seen to lie above."""
    order = sorted(ranks, key=lambda rank: _usual(rank, ranks))
    for rank in list(order):
        place = order.index(rank)
        lower = [other for other in order[:place] if above[rank, other] > above[other, rank]]
        if lower:
            order.remove(rank)
            order.insert(order.index(lower[0]), rank)
    return order


def _usual(rank: str, ranks: Sequence[str]) -> tuple[int, int, int]:
    """Underlines in the order of their first occurrence, words, then Roman numerals, letters and decimals."""
    if rank.startswith("underlined"):
        return (0, ranks.index(rank), 0)
    word, depth = rank.rstrip("0123456789"), int(rank[len(rank.rstrip("0123456789")) :] or 1)
    if word in _USUAL:
        return (1, _USUAL[word], depth)
    return (2, ["counted", "roman", "letter", "decimal", "lettered"].index(word), depth)
