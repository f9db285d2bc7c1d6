"""How deep headings are, by their looks and numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from tocwalk.ingest.numbering import KEYWORDS
from tocwalk.ingest.pdf.candidates import FLOAT, Look

__all__ = ["ranks"]

_KEYWORD_ORDER = {row[0]: index for index, row in enumerate(KEYWORDS)}
_BOLD = 550
_HALF = 0.5


def ranks(looks: Sequence[Look]) -> dict[Look, int]:
    """Return a rank for each look of a document's headings, 0 for the widest.

    Larger headings are wider than smaller ones, bold ones than regular, capitals than small letters, upright than
    italic; among those that look alike, numbered ones are wider than others. What numbers say is stronger than looks:
    "1.1" is always within "1", an article within a chapter, and equal depths are equal.

    Args:
        looks: Of all headings, in reading order.
    """
    seen = {look: index for index, look in reversed(list(enumerate(looks)))}
    boxed = _boxed(looks)
    order = sorted(
        seen, key=lambda look: (look in boxed, look.scheme != FLOAT and look in boxed, *_appearance(look),
        _scheme_order(look.scheme), seen[look])
    )  # fmt: skip
    places: dict[Look, float] = {look: index for index, look in enumerate(order)}
    _put_in_order(places, [look for look in order if _depth(look) and not _is_inner_list(look, order)], _depth)
    _put_in_order(
        places, [look for look in order if look.scheme in _KEYWORD_ORDER], lambda look: _KEYWORD_ORDER[look.scheme]
    )
    _join_unnumbered(places, looks)
    distinct = sorted(set(places.values()))
    return {look: distinct.index(place) for look, place in places.items()}


def _boxed(looks: Sequence[Look]) -> set[Look]:
    """Return the looks of boxes, and those that only ever stand in boxes: they are within whatever is around them."""
    inside = {look for look in looks if look.scheme == FLOAT}
    outside = {looks[0]} if looks and looks[0] not in inside else set()
    for above, look in pairwise(looks):
        if look not in inside and above not in inside and above != look:
            outside.add(look)
    before = [(above, look) for above, look in pairwise(looks) if above != look]
    inner = {look for above, look in before if above in inside} - outside
    return inside | {look for look in inner if all(above in inside for above, other in before if other == look)}


def _appearance(look: Look) -> tuple[float, bool, bool, bool]:
    return -look.size, look.weight < _BOLD, not look.caps, look.italic


def _scheme_order(scheme: str) -> int:
    if scheme in _KEYWORD_ORDER or scheme == "annex":
        return 0
    if scheme.startswith("decimal"):
        return 1
    return {"roman": 2, "letter": 2, "": 3, "bracketed": 4}[scheme]


def _depth(look: Look) -> int | None:
    return int(look.scheme.removeprefix("decimal")) if look.scheme.startswith("decimal") else None


def _is_inner_list(look: Look, order: Sequence[Look]) -> bool:
    """Say whether "1." is smaller than "1.1": then it counts something inside a section, not the sections."""
    return look.scheme == "decimal1" and any(
        (_depth(other) or 0) > 1 and _appearance(other) < _appearance(look) for other in order
    )


def _put_in_order(places: dict[Look, float], numbered: Sequence[Look], value: object) -> None:
    """Give numbered looks the places they have together in the order of their numbers; equal ones the same place."""
    values = [value(look) for look in numbered]  # type: ignore[operator]
    slots = sorted(places[look] for look in numbered)
    first: dict[int, float] = {}
    for slot, number in zip(slots, sorted(values), strict=True):
        first.setdefault(number, slot)
    for look, number in zip(numbered, values, strict=True):
        places[look] = first[number]


def _join_unnumbered(places: dict[Look, float], looks: Sequence[Look]) -> None:
    """Put unnumbered headings on a level with numbered ones of the same look, if they stand before or after those."""
    by_appearance: dict[tuple[object, ...], list[Look]] = defaultdict(list)
    for look in places:
        by_appearance[*_appearance(look), look.color].append(look)
    for alike in by_appearance.values():
        numbered = [look for look in alike if _scheme_order(look.scheme) < 2]  # noqa: PLR2004
        plain = next((look for look in alike if not look.scheme), None)
        annex = next((look for look in alike if look.scheme == "annex"), None)
        others = [look for look in numbered if look is not annex]
        if annex is not None and others:
            places[annex] = min(places[look] for look in others)
        if plain is not None and len({places[look] for look in numbered}) == 1 and not _within(plain, numbered, looks):
            places[plain] = places[numbered[0]]


def _within(plain: Look, numbered: Sequence[Look], looks: Sequence[Look]) -> bool:
    """Say whether most unnumbered headings stand within numbered ones, not before or behind all of them.

    Behind the last chapter, article or item whatever looks like it is taken for a part of it; behind the last of those
    with plain numbers it is taken for another one ("References").
    """
    positions = [index for index, look in enumerate(looks) if look in numbered]
    last = positions[-1] if any(_depth(look) for look in numbered) else len(looks)
    counts = Counter(positions[0] < index < last for index, look in enumerate(looks) if look == plain)
    return counts[True] > _HALF * counts.total()
