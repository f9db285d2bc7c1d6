"""What a walk asks of an index. Every answer is as of one pinned generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tocwalk.tree import SectionHead

__all__ = ["TreeReader"]


class TreeReader(Protocol):
    """Reads of one corpus at one generation, each one transaction. All of them block: call them from a thread.

    `keys` are `(tree, position)` pairs. `check` and `roots` raise `GenerationCollectedError` as soon as any tree that
    the generation saw has been collected; reads by key only when that key's own tree is gone, so that what landed can
    still be returned.
    """

    def generation(self, corpus: str) -> int:
        """The newest generation of `corpus`.

        Raises:
            NotFoundError: There is no such corpus.
        """
        ...

    def check(self, corpus: str, generation: int) -> None:
        """Return if `generation` can still be read.

        Raises:
            GenerationCollectedError: It cannot.
        """
        ...

    def roots(
        self,
        corpus: str,
        generation: int,
        *,
        only_documents: Sequence[str] | None = None,
        filters: Mapping[str, Any] | None = None,
    ) -> Sequence[SectionHead]:
        """The documents in scope, ordered by the parts of their ids. Filters are on document metadata only."""
        ...

    def sections(self, corpus: str, generation: int, keys: Sequence[tuple[int, int]]) -> Sequence[SectionHead]:
        """The sections with these keys, in the order asked for."""
        ...

    def children(self, corpus: str, generation: int, keys: Sequence[tuple[int, int]]) -> Sequence[SectionHead]:
        """What is directly below each of these, parent by parent in the order asked for, in reading order."""
        ...

    def below(self, corpus: str, generation: int, key: tuple[int, int]) -> Sequence[SectionHead]:
        """All that is below a section, in reading order, itself left out."""
        ...

    def ancestors(self, corpus: str, generation: int, key: tuple[int, int]) -> Sequence[SectionHead]:
        """From the document down to the section, both included."""
        ...

    def text(self, corpus: str, generation: int, key: tuple[int, int], *, subtree: bool) -> str:
        """The section's own text, or its subtree text."""
        ...
