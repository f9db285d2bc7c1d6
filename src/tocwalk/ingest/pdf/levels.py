"""How deep headings are, by their looks and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

from tocwalk.ingest.numbering import KEYWORDS
from tocwalk.ingest.pdf.looks import FLOAT, Look

__all__ = ["ranks"]

_USUAL = {row[0]: place for place, row in enumerate(KEYWORDS)}
_BOLD = 550
"""Weight from which a heading counts as bold beside others."""
_MOST = 0.5


def ranks(headings: Sequence[tuple[Look, bool]]) -> dict[Look, int]:
    """Return a rank for each look of a document's headings, 0 for the widest.

    Larger headings are wider than smaller ones, bold ones than regular, capitals than small letters, upright than
    italic; among those that look alike, numbered ones are wider than others, in the order in which they first occur.
    What numbers say is stronger than looks: "1.1" is always within "1", an article in a chapter (unless the document
    shows otherwise), and equal depths are equal.

    Args:
        headings: The look of each heading in reading order, and whether it directly follows the heading before it,
            without text between them.
    """
    looks = [look for look, _ in headings]
    first = {look: index for index, look in reversed(list(enumerate(looks)))}
    inner = _only_in_boxes(looks)
    order = sorted(
        first,
        key=lambda look: (
            (look.scheme == FLOAT) + 2 * (look in inner), *_appearance(look), _scheme_order(look.scheme), first[look],
        ),
    )  # fmt: skip
    places: dict[Look, int] = {look: place for place, look in enumerate(order)}
    _rearrange(places, [look for look in order if _depth(look) and not _is_inner_list(look, order)], _depth)
    words = _word_order(order, headings)
    _rearrange(places, [look for look in order if look.scheme in words], lambda look: words.index(look.scheme))
    _join(places, looks)
    distinct = sorted(set(places.values()))
    return {look: distinct.index(place) for look, place in places.items()}


def _appearance(look: Look) -> tuple[float, bool, bool, bool]:
    return -look.size, look.weight < _BOLD, not look.caps, look.italic


def _scheme_order(scheme: str) -> int:
    if scheme in _USUAL or scheme == "annex":
        return 0
    return {"": 2, "parenthesised": 3}.get(scheme, 1)


def _depth(look: Look) -> int:
    return int(look.scheme.removeprefix("decimal")) if look.scheme.startswith("decimal") else 0


def _is_inner_list(look: Look, order: Sequence[Look]) -> bool:
    """Say whether "1." is smaller than "1.1": then it counts something inside a section, not the sections."""
    return _depth(look) == 1 and any(_depth(other) > 1 and _appearance(other) < _appearance(look) for other in order)


def _only_in_boxes(looks: Sequence[Look]) -> set[Look]:
    """Return the looks that occur between a numbered box and the next heading of the text, and nowhere else."""
    before: dict[Look, set[Look | None]] = {}
    for above, look in pairwise([None, *looks]):
        if above != look and look is not None:
            before.setdefault(look, set()).add(above)
    return {
        look
        for look, above in before.items()
        if look.scheme != FLOAT and all(other is not None and other.scheme == FLOAT for other in above)
    }


def _word_order(order: Sequence[Look], headings: Sequence[tuple[Look, bool]]) -> list[str]:
    """Return the words that number headings, the widest first: in the usual order unless the document shows another.

    A word lies above another if its headings are directly followed by the other's more often than the other way round.
    """
    words = sorted(
        {look.scheme for look in order if look.scheme in _USUAL and look.scheme != FLOAT}, key=_USUAL.__getitem__
    )
    above = Counter((before.scheme, look.scheme) for (before, _), (look, follows) in pairwise(headings) if follows)
    for word in list(words):
        lower = [other for other in words[: words.index(word)] if above[word, other] > above[other, word]]
        if lower:
            words.remove(word)
            words.insert(words.index(lower[0]), word)
    return words


def _rearrange(places: dict[Look, int], numbered: Sequence[Look], value: Callable[[Look], int]) -> None:
    """Give numbered looks the places they have together in the order of their numbers; equal ones the same place."""
    slots = sorted(places[look] for look in numbered)
    first: dict[int, int] = {}
    for slot, number in zip(slots, sorted(map(value, numbered)), strict=True):
        first.setdefault(number, slot)
    for look in numbered:
        places[look] = first[value(look)]


def _join(places: dict[Look, int], looks: Sequence[Look]) -> None:
    """Put on one level what looks alike: annexes and chapters, and what stands before or behind all numbered ones."""
    alike = sorted(places, key=lambda look: (*_appearance(look), look.color))
    for _, group in groupby(alike, key=lambda look: (*_appearance(look), look.color)):
        family = list(group)
        numbered = [look for look in family if look.scheme in _USUAL or _depth(look)]
        if len({places[look] for look in numbered}) == 1:
            for look in family:
                if look.scheme == "annex" or (look.scheme in {"", "letter"} and not _is_within(look, numbered, looks)):
                    places[look] = places[numbered[0]]


def _is_within(look: Look, numbered: Sequence[Look], looks: Sequence[Look]) -> bool:
    """Say whether most headings of a look stand within numbered ones, not before or behind all of them.

    Behind the last chapter, article or item whatever looks like it is taken for a part of it; behind the last of those
    with plain numbers it is taken for another one ("References"). Letters are, if they only begin there ("A Proofs").
    """
    positions = [index for index, other in enumerate(looks) if other in numbered]
    if look.scheme == "letter":
        return looks.index(look) < positions[-1]
    last = positions[-1] if any(_depth(other) for other in numbered) else len(looks)
    counts = Counter(positions[0] < index < last for index, other in enumerate(looks) if other == look)
    return counts[True] > _MOST * counts.total()
