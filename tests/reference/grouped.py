"""A small offer with groups, so that the model can be tried with them on its own."""

from __future__ import annotations

from collections.abc import Sequence

from reference.places import Candidate, Offer, Place, candidate_of, group_of, own_body_of

__all__ = ["grouped_offer"]


def grouped_offer(at_once: int) -> Offer:
    """Return an offer of one level that groups contiguous children where there are more than `at_once` of them.

    The groups do not depend on what is excluded; one is left out with the last of its children.
    """

    def offer(place: Place, excluded: frozenset[str]) -> Sequence[Candidate]:
        size = 1
        while size * at_once < len(place.children):
            size *= at_once
        # A group counts its children's positions among those of what it belongs to.
        before = (place.of or place).children.index(place.children[0])
        shown = own_body_of(place)
        for start in range(0, len(place.children), size):
            held = place.children[start : start + size]
            first, last = before + start + 1, before + start + len(held)
            ref = str(start // size + 1)
            if first == last:
                found = candidate_of(held[0], ref)
            else:
                group = group_of(place, first, last)
                found = Candidate(ref=ref, place=group.id, kind="group", range=(first, last))
            if found.place not in excluded and any(child.id not in excluded for child in held):
                shown.append(found)
        return shown

    return offer
