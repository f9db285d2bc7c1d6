"""Printed tables of contents and lists: numbered lines that follow one another without text between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tocwalk.ingest.text.candidate import Candidate
from tocwalk.ingest.text.lines import Layout

__all__ = ["without_contents"]

_FEWEST = 3
_RECURRING_SHARE = 0.5
_COMPARED = 24
_CONTENTS = re.compile(
    r"(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|[ií]ndice|目\s*[录錄次]|차례|목차",
    re.IGNORECASE,
)


def without_contents(candidates: Sequence[Candidate], layout: Layout) -> list[Candidate]:
    """Return the candidates without the entries of printed tables of contents and the items of lists.

    Candidates without text between them are a table of contents if most of them come again later, or if they come below
    the word "Contents" and again later; they are a list if numbers of one kind follow one another.
    """
    keys = [_key(candidate) for candidate in candidates]
    count = Counter(keys)
    last_place = {key: place for place, key in enumerate(keys)}
    dropped = {place for place, candidate in enumerate(candidates) if candidate.is_entry}
    for run in _runs(candidates, layout):
        recurring = [place for place in run if last_place[keys[place]] > place]
        announced = _CONTENTS.fullmatch(layout.line_before(candidates[run.start].start))
        if recurring and (announced or len(recurring) >= max(_FEWEST, _RECURRING_SHARE * len(run))):
            dropped.update(place for place in range(run.start, recurring[-1] + 1) if count[keys[place]] > 1)
        else:
            dropped.update(_list_items(run, candidates))
    return [candidate for place, candidate in enumerate(candidates) if place not in dropped]


def _runs(candidates: Sequence[Candidate], layout: Layout) -> Iterator[range]:
    """Yield the places of candidates that have nothing but blanks between them."""
    begin = 0
    for place in range(1, len(candidates) + 1):
        at_end = place == len(candidates)
        if at_end or not layout.is_blank(candidates[place - 1].end, candidates[place].start):
            yield range(begin, place)
            begin = place


def _list_items(run: range, candidates: Sequence[Candidate]) -> Iterator[int]:
    """Yield the places of three or more empty headings of one rank in a row; words number no list."""
    begin = run.start
    for place in range(run.start + 1, run.stop + 1):
        same = place < run.stop and candidates[place].rank == candidates[begin].rank
        if not same:
            if place - begin >= _FEWEST and not _is_keyword(candidates[begin]):
                yield from range(begin, place)
            begin = place


def _is_keyword(candidate: Candidate) -> bool:
    return candidate.kind not in {"decimal", "lettered", "letter", "roman", "counted"}


def _key(candidate: Candidate) -> tuple[object, str]:
    """Return what an entry and its heading share, be one "1. Scope" and the other "Chapter 1. Scope"."""
    title = re.sub(r"\W", "", candidate.title).lower()[:_COMPARED]
    return (candidate.value if title else candidate.number, title)
