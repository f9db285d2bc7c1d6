"""Whether a walk's choices lead to the gold, visit by visit: read from its trace."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from tocwalk.evals.metrics import Part
from tocwalk.evals.outlines import Library
from tocwalk.state import Place
from tocwalk.walk.catalog import Catalog

__all__ = ["ABOVE", "Places", "choice_parts", "level_order"]

ABOVE = "above documents"
"""The level of corpus and folders, and of groups of what is below them."""

Point: TypeAlias = tuple[int, int]
"""A section: where its document stands among those in scope, and its position in it."""

_GROUP = re.compile(r"(.*)\[(\d+)-(\d+)\]", re.DOTALL)


class _Stretch(NamedTuple):
    """What lies in a corpus, folder, section or group: from `start` up to `end`, in reading order."""

    start: Point
    end: Point
    level: str

    def holds(self, points: Collection[Point]) -> bool:
        return any(self.start <= point < self.end for point in points)


class Places:
    """Finds what the ids in a trace mean, in the scope of one walk."""

    def __init__(self, library: Library, catalog: Catalog) -> None:
        """Take the documents, and those of them that are in scope."""
        self._library = library
        self._catalog = catalog

    def point(self, document: str, position: int) -> Point:
        """Return a section of a document in scope."""
        return self._catalog.item(self._library.roots[document]).place["span"][0], position

    def stretch(self, id_: str) -> _Stretch:
        """Return what lies in the place with an id."""
        group = _GROUP.fullmatch(id_)
        if group is None:
            return _stretch(self._place(id_))
        of, first, last = group[1], int(group[2]), int(group[3])
        children = self._children(of)[first - 1 : last]
        begin, end = _stretch(children[0]), _stretch(children[-1])
        return _Stretch(begin.start, end.end, _stretch(self._place(of)).level)

    def _place(self, id_: str) -> Place:
        if _is_above(id_):
            return self._catalog.above(id_).place
        return self._catalog.item(self._library.head(id_)).place

    def _children(self, id_: str) -> Sequence[Place]:
        if _is_above(id_):
            return [item.place for item in self._catalog.children(id_)]
        return [self._catalog.item(head).place for head in self._library.children(self._library.head(id_))]


def choice_parts(trace: Sequence[Mapping[str, Any]], places: Places, gold: Collection[Point]) -> dict[str, Part]:
    """Return by level of what was opened how many visits were judged rightly, of how many.

    Where gold lies in what is opened, a judgement is right if one of its choices is gold, taken, or leads to some,
    opened; where none does, if nothing is chosen. The level is the depth of the section, "0" that of documents.
    """
    parts: dict[str, Part] = {}
    for visit in trace:
        if visit["event"] == "open":
            opened = places.stretch(visit["id"])
            right, all_ = parts.get(opened.level, (0.0, 0.0))
            parts[opened.level] = (right + _is_right(visit, opened, places, gold), all_ + 1)
    return parts


def level_order(level: str) -> tuple[int, str]:
    """Return a key by which levels sort from above documents downwards, and other words by themselves."""
    return (int(level) if level.isdigit() else -1, level)


def _is_right(visit: Mapping[str, Any], opened: _Stretch, places: Places, gold: Collection[Point]) -> bool:
    if visit["decision"] == "error":
        return False
    if opened.holds(gold):
        return any(_leads(visit, places, gold))
    return not visit["chosen"] and not visit.get("landed")


def _leads(visit: Mapping[str, Any], places: Places, gold: Collection[Point]) -> Iterator[bool]:
    """Yield for each choice whether it is or leads to gold; `stop` and "unknown" land what is opened, as a `take`."""
    if visit.get("landed"):
        yield places.stretch(visit["landed"]).start in gold
    for pick in visit["chosen"]:
        chosen = places.stretch(pick["id"])
        yield chosen.start in gold if pick.get("action") == "take" else chosen.holds(gold)


def _stretch(place: Place) -> _Stretch:
    first_document, first, last_document, behind = place["span"]
    level = ABOVE if place["depth"] < 0 else str(place["depth"])
    return _Stretch((first_document, first), (last_document, behind), level)


def _is_above(id_: str) -> bool:
    return not id_ or id_.endswith("/")
