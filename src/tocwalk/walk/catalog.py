"""The documents in scope and the folders of their ids: the levels above the documents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby

from tocwalk.state import Place
from tocwalk.tree import SectionHead, one_line
from tocwalk.walk.items import Item, section_item

__all__ = ["CORPUS", "Catalog"]

CORPUS = ""
"""Id of the corpus."""


class Catalog:
    """Corpus and folders as items, each knowing what is directly below it.

    Ids of folders end with "/"; a document "a/b.md" lies in the folder "a/".
    """

    def __init__(self, roots: Sequence[SectionHead], *, corpus: str, max_depth: int) -> None:
        """Build the levels above `roots`, which are ordered by the parts of their ids."""
        self._max_depth = max_depth
        self._documents = {root.tree: root.document for root in roots}
        self._ordinals = {root.tree: ordinal for ordinal, root in enumerate(roots)}
        self._children: dict[str, list[Item]] = {}
        self._items: dict[str, Item] = {}
        self._sizes = list(accumulate((root.end for root in roots), initial=0))
        self.corpus = self._above(CORPUS, corpus, list(enumerate(roots)))

    @property
    def empty(self) -> bool:
        """Whether nothing is in scope."""
        return not self._ordinals

    @property
    def documents(self) -> int:
        """How many documents are in scope."""
        return len(self._ordinals)

    def document_of(self, place: Place) -> str:
        """Return the id of the document in which a place lies; "" for what is above documents."""
        return self._documents.get(place["tree"], "")

    def size_between(self, first: int, behind: int) -> int:
        """Return how many documents and sections the documents from `first` up to `behind` hold together."""
        return self._sizes[behind] - self._sizes[first]

    def item(self, head: SectionHead) -> Item:
        """Return the item of a section of a document in scope."""
        return section_item(head, ordinal=self._ordinals[head.tree], max_depth=self._max_depth)

    def above(self, folder_id: str) -> Item:
        """Return a folder, or the corpus for ""."""
        return self._items[folder_id]

    def children(self, folder_id: str) -> list[Item]:
        """Return the folders and documents directly below, ordered by id."""
        return self._children[folder_id]

    def _above(self, folder_id: str, title: str, roots: Sequence[tuple[int, SectionHead]]) -> Item:
        children: list[Item] = []
        for name, below in groupby(roots, lambda entry: _next_part(entry[1].document, folder_id)):
            members = list(below)
            children += [self.item(root) for _, root in members if root.document == folder_id + name]
            deeper = [entry for entry in members if entry[1].document != folder_id + name]
            if deeper:
                children.append(self._above(f"{folder_id}{name}/", name, deeper))
        place = Place(
            kind="folder" if folder_id else "corpus",
            id=folder_id,
            title=one_line(title, 120),
            span=[roots[0][0], 0, roots[-1][0] + 1, 0] if roots else [0, 0, 0, 0],
            tree=0,
            depth=-1,
            levels=1 + max((child.place["levels"] for child in children), default=0),
            of="",
        )
        item = Item(place=place, kind="folder" if folder_id else "corpus", title=title, children=len(children))
        self._children[folder_id] = children
        self._items[folder_id] = item
        return item


def _next_part(document_id: str, folder_id: str) -> str:
    return document_id[len(folder_id) :].split("/", 1)[0]
