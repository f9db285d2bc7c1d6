"""What a walk moves over: corpus, folders, sections and groups as one tree of values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeAlias

from reference.trees import Forest, Node, lay_out
from tocwalk.navigators.protocol import OWN_BODY, CandidateKind
from tocwalk.state import PlaceKind, WalkContext
from tocwalk.tree import JsonScalar

__all__ = [
    "Candidate",
    "Offer",
    "Place",
    "below",
    "candidate_of",
    "corpus_of",
    "group_of",
    "inside",
    "levels",
    "levels_offer",
    "matches",
    "own_body_of",
    "section_of",
]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Place:
    """Something that can be opened. Its children are those in scope."""

    kind: PlaceKind
    id: str
    """"" for the corpus, "a/b/" for a folder, the section's id, "OF[12-40]" for a group."""
    children: tuple[Place, ...]
    depth: int | None = None
    """Of a section only: a document is 0 (rule 3)."""
    body: bool = False
    own_bytes: int = 0
    """UTF-8 bytes of the section's own text."""
    metadata: Mapping[str, JsonScalar] = field(default_factory=dict[str, JsonScalar])
    of: Place | None = None
    """For a group: whose children it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing that an offer shows."""

    ref: str
    """"0" for the opened section's own body."""
    place: str
    """Id of what is shown; for "0" that of the opened section."""
    kind: CandidateKind
    range: tuple[int, int] | None = None
    """For a group: first and last position, 1-based, among all children in scope of what it belongs to."""


Offer: TypeAlias = Callable[[Place, frozenset[str]], Sequence[Candidate]]
"""What opening a place shows, without the excluded ids: candidates in reading order, "0" first."""


def corpus_of(forest: Forest, only_documents: Sequence[str] | None, filters: Mapping[str, Any]) -> Place:
    """Return the corpus with what is in scope: the documents named (none named: all) that match the filters."""
    documents = [
        _document(name, root)
        for name, root in sorted(forest.items(), key=lambda item: item[0].split("/"))
        if (not only_documents or name in only_documents) and matches(root.metadata, filters)
    ]
    return Place(kind="corpus", id="", children=_level("", documents))


def matches(metadata: Mapping[str, JsonScalar], filters: Mapping[str, Any]) -> bool:
    """Whether every filter finds its value, or one of its values, in the metadata."""
    return all(
        key in metadata and (metadata[key] in wanted if isinstance(wanted, list) else metadata[key] == wanted)
        for key, wanted in filters.items()
    )


def group_of(opened: Place, first: int, last: int) -> Place:
    """Return the group of these positions that `opened`, or the group that `opened` is, is split into."""
    of = opened.of or opened
    children = of.children[first - 1 : last]
    return Place(kind="group", id=f"{of.id}[{first}-{last}]", children=children, depth=of.depth, of=of)


def section_of(place: Place) -> Place | None:
    """Return the section that lands where a path stands at `place`; None for corpus, folders and their groups."""
    owner = place.of or place
    return owner if owner.kind == "section" else None


def below(place: Place) -> Iterator[Place]:
    """Yield all that is below a place in reading order, itself left out."""
    stack = list(reversed(place.children))
    while stack:
        found = stack.pop()
        yield found
        stack.extend(reversed(found.children))


def inside(inner: Place, outer: Place) -> bool:
    """Whether `inner` is `outer` or lies below it. A group lies below whatever all its children lie below."""
    found = {place.id for place in below(outer)}
    return inner.id == outer.id or found.issuperset(
        place.id for place in (inner.children if inner.kind == "group" else (inner,))
    )


def levels(place: Place, max_depth: int) -> int:
    """Return how many levels below a place may be walked (rule 7)."""
    if place.kind != "section" or place.depth is None:
        return 1 + max((levels(child, max_depth) for child in place.children), default=0)
    deepest = max((found.depth or 0 for found in below(place)), default=place.depth)
    return max(0, min(deepest, max_depth) - place.depth)


def levels_offer(settings: WalkContext) -> Offer:
    """Return an offer without groups: whole levels, as many as `offer_levels` and `max_depth` allow."""

    def outline(place: Place, excluded: frozenset[str], prefix: str, level: int) -> Iterator[Candidate]:
        # Rule 3: nothing deeper than max_depth is offered.
        shown = [p for p in place.children if p.id not in excluded and (p.depth or 0) <= settings.max_depth]
        for position, child in enumerate(shown, start=1):
            ref = f"{prefix}{position}"
            yield candidate_of(child, ref)
            if settings.offer_levels is None or level < settings.offer_levels:
                yield from outline(child, excluded, f"{ref}.", level + 1)

    def offer(place: Place, excluded: frozenset[str]) -> Sequence[Candidate]:
        return [*own_body_of(place), *outline(place, excluded, "", 1)]

    return offer


def candidate_of(place: Place, ref: str) -> Candidate:
    """Return a section, document or folder as an offer shows it."""
    kind: CandidateKind = "document" if place.kind == "section" and place.depth == 0 else place.kind
    return Candidate(ref=ref, place=place.id, kind=kind)


def own_body_of(place: Place) -> list[Candidate]:
    """Return the "0" of an opened place: a section with a body has one; by rule 5 a group has none."""
    return [candidate_of(place, OWN_BODY)] if place.kind == "section" and place.body else []


def _document(name: str, root: Node) -> Place:
    """Return a document's root section with all below it, made from the leaves upwards."""
    laid = list(lay_out(name, root))
    children: dict[str | None, list[Place]] = {}
    for section in reversed(laid):
        children.setdefault(section.parent, []).insert(
            0,
            Place(
                kind="section",
                id=section.id,
                children=tuple(children.get(section.id, ())),
                depth=section.depth,
                body=section.node.body,
                own_bytes=len(section.text.encode()),
                metadata=section.node.metadata,
            ),
        )
    return children[None][0]


def _level(prefix: str, documents: Sequence[Place]) -> tuple[Place, ...]:
    """Return the documents and folders directly below the folder `prefix`."""

    def name(document: Place) -> tuple[str, bool]:
        head, slash, _ = document.id.removeprefix(prefix).partition("/")
        return head, bool(slash)

    found: list[Place] = []
    for (head, is_folder), members in groupby(documents, key=name):
        folder = f"{prefix}{head}/"
        held = list(members)
        found.extend([Place(kind="folder", id=folder, children=_level(folder, held))] if is_folder else held)
    return tuple(found)
