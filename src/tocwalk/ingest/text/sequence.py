"""Numbers that follow one another: what tells numbered headings from lists and from references."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tocwalk.ingest.text.candidate import Candidate

__all__ = ["in_sequence", "keyword_sequence"]

_FULL_WEIGHT = 1500
_LEAST_WEIGHT = 0.2
_RUN_IN_WEIGHT = 0.6
_GAPS = ((1, 0.0), (2, 1.0), (3, 2.0))
"""How far a number may be from the one before, and what each missing number costs."""
_NO_START = 2.0
_NO_PARENT = 1.0
_MOST_COLUMNS = 4
_LEAP = 3.0
"""What it costs to go on with any larger number, where a stretch of the outline was not found."""
_NEW_SCOPE = 0.15
_FEWEST = 2

_Value = tuple[int, ...]
_Chain = tuple[float, int]


def in_sequence(candidates: Sequence[Candidate], *, scopes: Iterable[Sequence[int]], length: int) -> list[Candidate]:
    """Return the candidates whose numbers form an outline: 1, 1.1, 1.2, 2, ...

    The heaviest such sequence is chosen. A heading weighs the more, the more text follows it, so that the numbers of a
    short list inside a section do not pass for those of sections.

    Args:
        candidates: All of one kind, in reading order.
        scopes: Where numbers may begin again, tried one after the other: offsets of other headings.
        length: Of the text.
    """
    best, heaviest = _best_indent(candidates, length)
    starts = [candidate.start for candidate in candidates]
    for offsets in scopes:
        parts: list[Candidate] = []
        weight = 0.0
        for begin, end in pairwise([0, *offsets, length + 1]):
            inside = candidates[bisect_left(starts, begin) : bisect_left(starts, end)]
            chosen, own = _best_indent(inside, min(end, length))
            parts.extend(chosen)
            weight += max(own - _NEW_SCOPE, 0.0)
        if weight > heaviest - _NEW_SCOPE:
            best, heaviest = parts, weight + _NEW_SCOPE
    is_outline = len(best) >= _FEWEST or any(len(candidate.value) > 1 and candidate.standing for candidate in best)
    return best if is_outline else []


def _best_indent(candidates: Sequence[Candidate], length: int) -> tuple[list[Candidate], float]:
    """Headings of the first level all begin at the same column: try the most frequent ones."""
    columns = Counter(candidate.indent for candidate in candidates if len(candidate.value) == 1)
    tried = (
        _heaviest([c for c in candidates if len(c.value) > 1 or c.indent == column], length)
        for column, _ in columns.most_common(_MOST_COLUMNS) or [(0, 0)]
    )
    chosen, weight = max(tried, key=lambda result: result[1])
    return chosen, weight


def _heaviest(candidates: Sequence[Candidate], length: int) -> tuple[list[Candidate], float]:
    """Return the heaviest sequence in which each number may follow the one before.

    Dynamic programming over the candidates: `ending` holds, for each number, the best sequence that ends with it, and
    `within` the best that ends with it or below it. A sequence is its weight and its last candidate.
    """
    ending: dict[_Value, _Chain] = {}
    within: dict[_Value, _Chain] = {}
    before: list[int] = []
    best: _Chain = (0.0, -1)
    behind = [*(candidate.start for candidate in candidates), length][1:]
    for place, (candidate, next_start) in enumerate(zip(candidates, behind, strict=True)):
        value = candidate.value
        ways = list(_ways_to(value, ending, within))
        if best[1] >= 0 and candidates[best[1]].value < value:
            ways.append((best[0] - _LEAP, best[1]))
        weight, previous = max(ways, key=lambda way: way[0])
        chain = (weight + _weight(candidate, next_start), place)
        before.append(previous)
        if chain[0] >= ending.get(value, chain)[0]:
            ending[value] = chain
        for depth in range(1, len(value) + 1):
            if chain[0] >= within.get(value[:depth], chain)[0]:
                within[value[:depth]] = chain
        best = max(best, chain, key=lambda one: one[0])
    chosen: list[Candidate] = []
    place = best[1]
    while place >= 0:
        chosen.append(candidates[place])
        place = before[place]
    return chosen[::-1], best[0]


def _ways_to(value: _Value, ending: dict[_Value, _Chain], within: dict[_Value, _Chain]) -> Iterable[_Chain]:
    """Yield what may come before a number, with its weight less what is missing between the two."""
    parent, last = value[:-1], value[-1]
    is_first = last in {0, 1}
    yield -_start_cost(value), -1
    if parent and is_first and parent in ending:
        yield ending[parent]
    for gap, cost in _GAPS:
        if chain := within.get((*parent, last - gap)):
            yield chain[0] - cost, chain[1]
    for gap, cost in _GAPS if parent and is_first else ():
        if chain := within.get((*parent[:-1], parent[-1] - gap)):
            yield chain[0] - cost - _NO_PARENT, chain[1]


def _start_cost(value: _Value) -> float:
    """Say what is missing if an outline begins with this number."""
    if all(part in {0, 1} for part in value):
        return 0.0
    return _NO_PARENT if len(value) > 1 and value[-1] in {0, 1} else _NO_START


def _weight(candidate: Candidate, next_start: int) -> float:
    text = min((next_start - candidate.end) / _FULL_WEIGHT, 1.0)
    return (_LEAST_WEIGHT + text) * (1.0 if candidate.standing else _RUN_IN_WEIGHT)


def keyword_sequence(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates numbered with a word, without those that are references in running text.

    "Article 5 Scope" and "Section 2. The parties ..." may be either. The first is a heading unless its number is
    smaller than the one before, the second only where it goes on from that one; both where they begin again at 1.
    """
    kept: list[Candidate] = []
    last: dict[str, int] = {}
    for candidate in candidates:
        number = candidate.value[-1] if candidate.value else 0
        step = number - last.get(candidate.kind, number - 1)
        goes_on = number in {0, 1} or (step >= 0 if candidate.standing else step in {0, 1})
        if candidate.certain or goes_on:
            kept.append(candidate)
            last[candidate.kind] = number
    return kept
