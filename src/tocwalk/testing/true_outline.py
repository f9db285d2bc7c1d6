"""The true outline of some documents, and where an offer stands in it: what the oracle knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tocwalk.errors import NavigatorError
from tocwalk.navigators.protocol import OWN_BODY, Candidate, NavigatorRequest
from tocwalk.tree import Document, Section, SectionHead, one_line

__all__ = ["Outline", "TrueOutline", "TruePlace"]

Outline: TypeAlias = Document | Sequence[SectionHead]
"""A document, or what an index knows of all its sections, in reading order."""

_TITLE, _NUMBER = 120, 40
"""Characters that are compared: offers clip what is longer."""


@dataclass(eq=False, slots=True)
class TruePlace:
    """The corpus, a folder, a document, a section, or a group, with what is directly below it."""

    id: str
    number: str = ""
    title: str = ""
    page_start: int | None = None
    parent: TruePlace | None = None
    children: list[TruePlace] = field(default_factory=list["TruePlace"])

    def add(self, child: TruePlace) -> TruePlace:
        """Put `child` behind the other children and return it."""
        child.parent = self
        self.children.append(child)
        return child

    def shown_as(self, title: str) -> bool:
        """Whether a path may show this as `title`: with its number."""
        return _comparable(f"{self.number} {self.title}") == _comparable(title)

    def looks_like(self, candidate: Candidate) -> bool:
        """Whether an offer that shows `candidate` may mean this."""
        if (candidate.kind == "folder") != self.id.endswith("/"):
            return False
        if self.page_start is not None and candidate.page_start not in (None, self.page_start):
            return False
        number = one_line(self.number, _NUMBER) == one_line(candidate.number or "", _NUMBER)
        return number and _comparable(self.title or self.id) == _comparable(candidate.title)


class TrueOutline:
    """Finds the places that the candidates of an offer stand for, by their titles, numbers, pages and order."""

    def __init__(self, outlines: Iterable[Outline]) -> None:
        """Take the documents in scope, each whole; folders come from their ids."""
        self.corpus = TruePlace("")
        self._places = {"": self.corpus}
        documents = [outline.sections if isinstance(outline, Document) else outline for outline in outlines]
        for sections in sorted(documents, key=lambda sections: sections[0].id.split("/")):
            self._add(sections)

    def ways(self, ids: Iterable[str]) -> set[str]:
        """Return the ids of everything above the sections with these ids, corpus and folders included.

        Raises:
            NavigatorError: An id is not in the outline.
        """
        return {place.id for id_ in ids for place in _above(self._place(id_))}

    def opened(self, request: NavigatorRequest) -> TruePlace:
        """Return the corpus, folder, document or section that is opened; for a group the one it belongs to.

        Raises:
            NavigatorError: The path is not in the outline.
        """
        places = [self.corpus]
        for title in request.path:
            places = [child for place in places for child in place.children if child.shown_as(title)]
        if not places:
            raise NavigatorError(
                f"The path {request.path!r} is not in the true outline: was it made from other documents?"
            )
        alike = [place for place in places if place.looks_like(request.current)]
        return (alike or places)[0]

    def shown(self, request: NavigatorRequest) -> dict[str, TruePlace]:
        """Return what the candidates stand for, by ref; the own body and what is not found are left out."""
        opened = self.opened(request)
        found: dict[str, TruePlace] = {}
        behind: dict[str, int] = {}  # by ref of the parent: where the search for the next child begins
        for candidate in request.candidates:
            above = candidate.ref.rpartition(".")[0]
            parent = found.get(above) if above else opened
            if candidate.ref == OWN_BODY or parent is None:
                continue
            if candidate.kind == "group":
                found[candidate.ref] = _group(parent, candidate)
                continue
            for position in range(behind.get(above, 0), len(parent.children)):
                if parent.children[position].looks_like(candidate):
                    found[candidate.ref] = parent.children[position]
                    behind[above] = position + 1
                    break
        return found

    def _add(self, sections: Sequence[Section] | Sequence[SectionHead]) -> None:
        path = [self._folder(sections[0].id.rpartition("/")[0])]
        for section in sections:
            del path[section.depth + 1 :]
            place = TruePlace(
                id=section.id, number=section.number or "", title=section.title, page_start=section.page_start
            )
            self._places[section.id] = path[-1].add(place)
            path.append(place)

    def _folder(self, path: str) -> TruePlace:
        """Return the folder `path`, made with all above it where it is not there yet."""
        if not path:
            return self.corpus
        id_ = f"{path}/"
        if id_ not in self._places:
            above, _, name = path.rpartition("/")
            self._places[id_] = self._folder(above).add(TruePlace(id=id_, title=name))
        return self._places[id_]

    def _place(self, id_: str) -> TruePlace:
        if id_ not in self._places:
            raise NavigatorError(f"There is no section {id_!r} in the true outline: is the id right?")
        return self._places[id_]


def _above(place: TruePlace) -> Iterator[TruePlace]:
    while place.parent is not None:
        place = place.parent
        yield place


def _group(parent: TruePlace, candidate: Candidate) -> TruePlace:
    """Return a group of the children at the positions that its number gives, "12-40"."""
    first, last = (candidate.number or "1-0").split("-")
    return TruePlace(id="", children=parent.children[int(first) - 1 : int(last)])


def _comparable(title: str) -> str:
    return one_line(title, _TITLE)[: _TITLE - 1].rstrip("…").rstrip()
