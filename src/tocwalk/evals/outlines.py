"""The documents that are asked, as an index has them at one generation: outlines, texts, pages."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import PurePosixPath
from typing import NamedTuple

from tocwalk.errors import IndexStoreError, NotFoundError
from tocwalk.evals.folding import folded
from tocwalk.index import TreeIndex
from tocwalk.tree import SectionHead
from tocwalk.walk.catalog import Catalog

__all__ = ["DocumentTree", "Extent", "Library"]


class Extent(NamedTuple):
    """Sections of one document whose texts come together: positions from `start` up to `end`."""

    document: str
    start: int
    end: int

    def covers(self, document: str, position: int) -> bool:
        """Whether a section's text is among them."""
        return self.document == document and self.start <= position < self.end


class DocumentTree:
    """A document's sections in reading order, with their texts."""

    def __init__(self, heads: Sequence[SectionHead], text: str) -> None:
        """Take the heads, the document's own first, and the document's whole text."""
        self.heads = tuple(heads)
        self.id = self.heads[0].document
        self._text = text

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The own text of each section."""
        encoded = self._text.encode()
        ends = list(accumulate(head.text_bytes for head in self.heads))
        starts = [0, *ends[:-1]]
        return tuple(encoded[start:end].decode() for start, end in zip(starts, ends, strict=True))

    def position(self, section: str) -> int:
        """Return where a section stands, by its id."""
        return self._positions[section]

    def extent(self, position: int, *, whole: bool) -> Extent:
        """Return a section's own text, or with all that is below it."""
        return Extent(self.id, position, self.heads[position].end if whole else position + 1)

    def pages(self, extent: Extent) -> frozenset[int]:
        """Return the physical pages on which these sections stand; none for a format without pages."""
        head = self.heads[extent.start]
        if head.page_start is None:
            return frozenset()
        last = head.page_start if head.page_end is None else head.page_end
        behind = self.heads[extent.end].page_start if extent.end < head.end else None
        return frozenset(range(head.page_start, (last if behind is None else min(last, behind)) + 1))

    def holding(self, words: str) -> list[range]:
        """Return, for each place at which the words stand, the positions of the sections over which they run.

        Only letters and digits are compared, so that line ends, hyphens and quotation marks do not matter.
        """
        wanted = folded(words)
        text, ends = self._folded
        found: list[range] = []
        start = text.find(wanted) if wanted else -1
        while start >= 0:
            # A section without letters ends where it begins: `bisect_right` passes over it.
            found.append(range(bisect_right(ends, start), bisect_right(ends, start + len(wanted) - 1) + 1))
            start = text.find(wanted, start + 1)
        return found

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {head.id: position for position, head in enumerate(self.heads)}

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        """The whole text folded, and where each section ends in it."""
        texts = [folded(text) for text in self.texts]
        return "".join(texts), list(accumulate(map(len, texts)))


class Library:
    """The documents of a corpus, read when they are needed, as of the generation that was the newest at first.

    Safe for use by many threads.
    """

    def __init__(self, index: TreeIndex, corpus: str) -> None:
        """Pin the newest generation.

        Raises:
            NotFoundError: There is no such corpus.
        """
        self.index = index
        self.corpus = corpus
        self.generation = index.generation(corpus)
        self.roots = {root.document: root for root in index.roots(corpus, self.generation)}
        self._trees: dict[str, DocumentTree] = {}
        self._heads: dict[str, SectionHead] = {}
        self._lock = threading.Lock()

    def find(self, name: str) -> str:
        """Return the id of the document that is called `name`: its id, or that without folders and extension.

        Raises:
            NotFoundError: There is none, or several have that name.
        """
        if name in self.roots:
            return name
        found = [id_ for id_ in self.roots if PurePosixPath(id_).stem == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFoundError(f"Several documents are called {name!r}: {', '.join(found)}. Give the id of one.")
        raise NotFoundError(f"Corpus {self.corpus!r} has no document {name!r}.")

    def tree(self, document: str) -> DocumentTree:
        """Return a document, by its id."""
        with self._lock:
            if document not in self._trees:
                key = self.roots[document].key
                heads = [self.roots[document], *self.index.below(self.corpus, self.generation, key)]
                text = self.index.text(self.corpus, self.generation, key, subtree=True)
                self._trees[document] = DocumentTree(heads, text)
            return self._trees[document]

    def head(self, section: str) -> SectionHead:
        """Return what the index knows of a section, by its id.

        Raises:
            IndexStoreError: Its document is no longer the one that was there at first.
        """
        with self._lock:
            if section not in self._heads:
                head = self.index.find(self.corpus, section)
                if head.tree != self.roots[head.document].tree:
                    raise self.changed()
                self._heads[section] = head
            return self._heads[section]

    def children(self, section: SectionHead) -> Sequence[SectionHead]:
        """Return what is directly below a section."""
        return self.index.children(self.corpus, self.generation, [section.key])

    def changed(self) -> IndexStoreError:
        """Return the error for a corpus that is no longer as it was at first."""
        return IndexStoreError(f"Corpus {self.corpus!r} has changed since the evaluation began: run it again.")

    def catalog(self, only: Sequence[str] | None, *, max_depth: int) -> Catalog:
        """Return documents and folders as a walk sees them that looks in all documents, or in some only."""
        roots = [root for id_, root in self.roots.items() if only is None or id_ in only]
        return Catalog(roots, corpus=self.corpus, max_depth=max_depth)
