"""What there is to answer from: the own texts of the sections that were found, each to be cited by a short ref."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import cast

from tocwalk.answering.state import Found, Source
from tocwalk.index.reader import TreeReader
from tocwalk.state import LandedSection
from tocwalk.tree import SectionHead, tokens_of_bytes
from tocwalk.tree.page_breaks import page_at

__all__ = ["Evidence", "Outlines", "Passage", "gather"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A section's own text, from its heading to the next."""

    ref: str
    head: SectionHead
    path: tuple[str, ...]
    """Titles from the document down to the section."""
    text: str
    source: Source
    """Where all of the text stands."""
    outline: Sequence[SectionHead]
    """Of its document, as of the walk that found it."""

    def source_of(self, start: int, end: int) -> Source:
        """Return where a range of the text stands: on its own pages, if the index knows where pages change."""
        first, last = page_at(self.head, start), page_at(self.head, end - 1)
        if first is None or last is None:
            if not any(one.page_breaks for one in self.outline):
                return self.source
            # No page begins inside of this text, in a document of which is known where they begin.
            first = last = (self.head.page_start, self.head.label_start)
        pages = {"page_start": first[0], "label_start": first[1], "page_end": last[0], "label_end": last[1]}
        return cast("Source", {**self.source, **pages})


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages that fit, best first, and what did not."""

    passages: tuple[Passage, ...]
    left_out: tuple[str, ...]
    """Ids of the sections whose own texts did not fit."""
    unread: frozenset[str]
    """Ids of the sections that were found and of which nothing fitted."""

    @property
    def by_ref(self) -> Mapping[str, Passage]:
        """The passages by their refs."""
        return {passage.ref: passage for passage in self.passages}


class Outlines:
    """The outlines of documents, each as of a generation. Reading them blocks."""

    def __init__(self, reader: TreeReader, corpus: str) -> None:
        """Read from one corpus."""
        self._reader = reader
        self._corpus = corpus
        self._read: dict[tuple[int, str], list[SectionHead]] = {}

    def of(self, generation: int, document: str) -> list[SectionHead]:
        """Return a document's sections in reading order, the document first.

        Raises:
            GenerationCollectedError: The generation is no longer there.
        """
        key = (generation, document)
        if key not in self._read:
            root = self._reader.roots(self._corpus, generation, only_documents=[document])[0]
            self._read[key] = [root, *self._reader.below(self._corpus, generation, root.key)]
        return self._read[key]

    def text(self, generation: int, head: SectionHead) -> str:
        """Return a section's own text."""
        return self._reader.text(self._corpus, generation, head.key, subtree=False)


def gather(outlines: Outlines, found: Mapping[str, Found], *, max_tokens: int) -> Evidence:
    """Read the passages of all that was found, the best of each question first.

    A passage is never cut: one that does not fit any more is left out, and said to be. The first always fits.

    Args:
        outlines: Where to read.
        found: What walks and cross-references found, in order.
        max_tokens: Size of all passages together.

    Raises:
        GenerationCollectedError: What was found is no longer there.
    """
    passages: list[Passage] = []
    left_out: list[str] = []
    unread: set[str] = set()
    read: set[str] = set()
    seen: set[str] = set()
    size = 0
    for one, section in _best_first(found):
        outline = outlines.of(one["generation"], section["document"])
        parts = [head for head in _parts(section, outline) if head.has_body]
        for head in parts:
            if head.id in seen:
                continue
            seen.add(head.id)
            tokens = tokens_of_bytes(head.text_bytes)
            if passages and size + tokens > max_tokens:
                left_out.append(head.id)
                continue
            size += tokens
            read.add(head.id)
            text = outlines.text(one["generation"], head)
            passages.append(_passage(f"S{len(passages) + 1}", head, outline, text))
        if parts and not any(head.id in read for head in parts):
            unread.add(section["id"])
    return Evidence(tuple(passages), tuple(left_out), frozenset(unread))


def _best_first(found: Mapping[str, Found]) -> list[tuple[Found, LandedSection]]:
    """Return the first section of each, then the second of each, and so on."""
    columns = [[(one, section) for section in one["sections"]] for one in found.values()]
    return [entry for row in zip_longest(*columns) for entry in row if entry is not None]


def _parts(section: LandedSection, outline: Sequence[SectionHead]) -> Sequence[SectionHead]:
    """Return the sections whose own texts make up the text of a landed one."""
    at = next(position for position, head in enumerate(outline) if head.id == section["id"])
    return outline[at : outline[at].end] if section["text_scope"] == "subtree" else outline[at : at + 1]


def _passage(ref: str, head: SectionHead, outline: Sequence[SectionHead], text: str) -> Passage:
    above = [one for one in outline if one.position <= head.position < one.end]
    # The own text of a section with subsections ends where the first of them begins.
    first_below = outline[head.position + 1] if head.children else None
    return Passage(
        ref=ref,
        head=head,
        path=tuple(f"{one.number} {one.title}" if one.number else one.title for one in above),
        text=text,
        source=Source(
            document=head.document,
            document_title=outline[0].title,
            section=head.id,
            number=head.number,
            title=head.title,
            page_start=head.page_start,
            page_end=first_below.page_start if first_below else head.page_end,
            label_start=head.label_start,
            label_end=first_below.label_start if first_below else head.label_end,
        ),
        outline=outline,
    )
