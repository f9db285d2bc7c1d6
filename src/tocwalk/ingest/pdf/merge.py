"""Puts together what bookmarks, a printed table of contents and the layout say about headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import inf
from statistics import mode

from tocwalk.ingest.pdf.assemble import Words, title_of
from tocwalk.ingest.pdf.candidates import Candidate
from tocwalk.ingest.pdf.levels import ranks
from tocwalk.ingest.pdf.looks import Look, Strength, look_of
from tocwalk.ingest.pdf.model import Line, Mark
from tocwalk.ingest.pdf.numbers import follow_numbers
from tocwalk.ingest.pdf.titles import best_text

__all__ = ["merge"]

_COMPLETE = 0.85
"""Share of the plain headings that bookmarks must name to be taken for complete."""
_SEVERAL = 4
"""Headings of one look that are kept though a complete table of contents names none: it may leave out whole levels."""


def merge(anchors: Sequence[Mark], found: Sequence[Candidate], lines: Sequence[Line], words: Words) -> list[Mark]:
    """Return all headings in reading order, with levels.

    A bookmark (or entry of a table of contents) and the heading that was found where it is printed are one. Headings
    found besides are added: bookmarks are often shallow. Not added are, where bookmarks name nearly all that is plainly
    a heading, looks that none of them has; and what is larger than all that has a bookmark, as on a title page.

    Args:
        anchors: From bookmarks or a table of contents, in reading order; none if the document has neither.
        found: From the layout, in reading order.
        lines: All lines.
        words: The document's words.
    """
    covered = {index: anchor for anchor in anchors for index in range(anchor.first, anchor.last)}
    looks: dict[int, Look] = {}
    others: list[Candidate] = []
    for candidate in found:
        anchor = next((covered[index] for index in range(candidate.first, candidate.last) if index in covered), None)
        if anchor is None:
            others.append(candidate)
        elif id(anchor) not in looks:
            looks[id(anchor)] = candidate.look
            _widen(anchor, candidate, anchors)
    for anchor in anchors:
        if id(anchor) not in looks and anchor.last > anchor.first and anchor.prefix is None:
            looks[id(anchor)] = look_of(lines[anchor.first : anchor.last], anchor.text)
    for anchor in anchors:
        if anchor.last > anchor.first and anchor.prefix is None:
            anchor.text = best_text(title_of(lines[anchor.first : anchor.last], words), anchor.text)
    kept = _kept(anchors, looks, others, found)
    return _levelled(anchors, looks, kept)


def _widen(anchor: Mark, candidate: Candidate, anchors: Sequence[Mark]) -> None:
    """Take in the lines that the layout adds to a heading: a number above it, a title that goes on."""
    taken = {index for other in anchors if other is not anchor for index in range(other.first, other.last)}
    if anchor.prefix is None and not taken.intersection(range(candidate.first, candidate.last)):
        anchor.first, anchor.last = min(anchor.first, candidate.first), max(anchor.last, candidate.last)


def _kept(
    anchors: Sequence[Mark], looks: dict[int, Look], others: Sequence[Candidate], found: Sequence[Candidate]
) -> list[Candidate]:
    if not anchors:
        return list(others)
    named, unnamed = Counter(looks.values()), Counter(candidate.look for candidate in others)
    plain = [candidate for candidate in found if candidate.strength >= Strength.LARGER]
    missing = {id(candidate) for candidate in others}
    if plain and sum(id(candidate) not in missing for candidate in plain) >= _COMPLETE * len(plain):
        bookmarks = anchors[0].found_by == "bookmark"
        return [
            candidate
            for candidate in others
            if named[candidate.look] >= unnamed[candidate.look]
            or (not bookmarks and unnamed[candidate.look] >= _SEVERAL)
        ]
    largest = max((look.size for look in named), default=inf)
    return [candidate for candidate in others if candidate.look.size <= largest]


def _levelled(anchors: Sequence[Mark], looks: dict[int, Look], others: Sequence[Candidate]) -> list[Mark]:
    marks = [(anchor, looks.get(id(anchor))) for anchor in anchors]
    marks += [(Mark(first=other.first, last=other.last, text=other.text), other.look) for other in others]
    marks.sort(key=lambda item: (item[0].first, item[0].last))
    ends = [None, *(mark.last for mark, _ in marks)]
    rank = ranks(
        [(look, mark.first == end) for (mark, look), end in zip(marks, ends, strict=False) if look is not None]
    )
    levels = _look_levels(anchors, looks, others, rank)
    precise = [float(mark.level) if mark.found_by != "layout" else levels[look] for mark, look in marks]
    distinct = sorted(set(precise))
    for (mark, _), level in zip(marks, precise, strict=True):
        mark.level = distinct.index(level) + 1
    ordered = [mark for mark, _ in marks]
    follow_numbers(ordered)
    return ordered


def _look_levels(
    anchors: Sequence[Mark], looks: dict[int, Look], others: Sequence[Candidate], rank: dict[Look, int]
) -> dict[Look | None, float]:
    """Return the level of each look: that of the anchors that have it, else below those that are wider.

    Where few of a look have an anchor ("Signatures" in the look of all sub-headings), the others are deeper than what
    is wider, too.
    """
    known: dict[int, list[int]] = defaultdict(list)
    for anchor in anchors:
        if id(anchor) in looks:
            known[rank[looks[id(anchor)]]].append(anchor.level)
    unnamed = Counter(rank[other.look] for other in others)
    result: dict[Look | None, float] = {}
    for look, place in rank.items():
        level = mode(known[place]) if place in known else 0
        wider = max((mode(levels) for other, levels in known.items() if other < place), default=0)
        if level > wider or len(known.get(place, ())) > unnamed[place]:
            result[look] = level
        else:
            result[look] = wider + (place + 1) / (len(rank) + 2)
    return result
