"""From landings to what is returned: rules 11 and 12."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reference.places import Place, below, matches
from tocwalk.state import CUT_SHORT, StopReason, TextScope, WalkContext

__all__ = ["Emitted", "Landing", "emit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """A section on which a path ended."""

    place: Place
    key: tuple[int, ...]
    """Pick positions from the start (rule 7)."""
    reason: StopReason
    own: bool = False
    """Whether the section was taken as "0"."""


@dataclass(frozen=True, slots=True)
class Emitted:
    """A landing with the text it comes with."""

    id: str
    reason: StopReason
    scope: TextScope
    extent: frozenset[str]
    """Ids of the sections whose texts it holds; titles are no text."""

    @property
    def chosen(self) -> bool:
        """Whether the navigator, not a limit or a fault, put the path's end here."""
        return self.reason not in CUT_SHORT

    def equals(self, other: Emitted) -> bool:
        """Whether both hold the same text."""
        return (self.extent, self.scope) == (other.extent, other.scope)

    def within(self, other: Emitted) -> bool:
        """Whether this text lies within the other and is not the same."""
        if self.extent == other.extent:
            # Rule 11: of one section, its own text lies within its own text with titles.
            return self.scope == "own" and other.scope == "own+titles"
        return self.extent < other.extent


def emit(
    landings: Sequence[Landing], settings: WalkContext, section_filters: Mapping[str, Any]
) -> tuple[list[Emitted], Counter[str]]:
    """Return what a walk returns, best first, and how many landings were dropped for which reason."""
    # Rule 12: in the order of pick keys, those cut short after the others.
    ordered = sorted(landings, key=lambda landing: (landing.reason in CUT_SHORT, landing.key))
    # Rule 12: then filters ...
    wanted = [landing for landing in ordered if matches(landing.place.metadata, section_filters)]
    found = [_with_text(landing, settings.max_section_tokens) for landing in wanted]
    # Rule 11, first pass: what nobody chose makes way for what was chosen inside it.
    chosen = [one for one in found if one.chosen]
    outer = [one.chosen or not any(other.within(one) or other.equals(one) for other in chosen) for one in found]
    left = [one for one, stays in zip(found, outer, strict=True) if stays]
    # Rule 11, second pass: no text twice; of equal texts the first stays.
    apart = [
        one
        for place, one in enumerate(left)
        if not any(one.within(other) for other in left) and not any(one.equals(other) for other in left[:place])
    ]
    # Rule 12: ... then max_results.
    returned = apart[: settings.max_results]
    dropped = Counter(
        filtered=len(ordered) - len(wanted),
        contains=len(found) - len(left),
        contained_in=len(left) - len(apart),
        max_results=len(apart) - len(returned),
    )
    return returned, +dropped


def _with_text(landing: Landing, max_section_tokens: int) -> Emitted:
    """Rule 11: own text of a leaf or "0"; else the whole subtree if it fits; else own text and the titles below."""
    place = landing.place
    alone = frozenset({place.id})
    if landing.own or not place.children:
        return Emitted(place.id, landing.reason, "own", alone)
    subtree = [place, *below(place)]
    # Tokens are a quarter of the UTF-8 bytes, rounded up.
    if -(-sum(section.own_bytes for section in subtree) // 4) <= max_section_tokens:
        return Emitted(place.id, landing.reason, "subtree", frozenset(section.id for section in subtree))
    return Emitted(place.id, landing.reason, "own+titles", alone)
