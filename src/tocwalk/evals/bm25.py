"""Baselines that compare words: BM25 over the sections, without any walk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeAlias

import snowballstemmer

from tocwalk.errors import ConfigurationError
from tocwalk.evals.answers import Answer, LandedRecord, Question
from tocwalk.evals.outlines import DocumentTree, Library
from tocwalk.navigators.protocol import Cancellation
from tocwalk.tree import tokens_of_bytes

__all__ = ["Bm25System", "full_text", "load_bm25s", "titles_and_summaries"]

Fields: TypeAlias = Callable[[DocumentTree], Sequence[str]]
"""What of each section of a document is searched."""


def full_text(tree: DocumentTree) -> Sequence[str]:
    """Return the sections' own texts, headings included."""
    return tree.texts


def titles_and_summaries(tree: DocumentTree) -> Sequence[str]:
    """Return what a navigator may see of the sections."""
    return [f"{head.number or ''} {head.title}\n{head.summary}" for head in tree.heads]


class Bm25System:
    """Lands the sections, own text only, that have the question's words: the best few with any."""

    def __init__(self, name: str, library: Library, fields: Fields, *, most: int) -> None:
        """Prepare to search.

        Args:
            name: In results.
            library: What is searched.
            fields: What of it.
            most: How many sections land at most.

        Raises:
            ConfigurationError: The library bm25s is not installed.
        """
        self.name = name
        self._bm25s = load_bm25s(name)
        self._library = library
        self._fields = fields
        self._most = most
        self._searches: dict[tuple[str, ...], _Search] = {}
        self._lock = threading.Lock()

    def depends_on(self, question: Question) -> Mapping[str, Any]:  # noqa: ARG002 - the protocol's signature
        """Return how many land."""
        return {"most": self._most}

    def answer(self, question: Question, cancellation: Cancellation) -> Answer:  # noqa: ARG002
        """Search the documents that are asked."""
        documents = tuple(self._library.roots) if question.only is None else question.only
        with self._lock:
            if documents not in self._searches:
                trees = [self._library.tree(document) for document in documents]
                self._searches[documents] = _Search(self._bm25s, trees, self._fields)
            search = self._searches[documents]
        begun = time.perf_counter()
        landed = search.best(question.case.question, self._most)
        return Answer(landed=tuple(landed), seconds=time.perf_counter() - begun)


class _Search:
    """An index of words over some documents."""

    def __init__(self, bm25s: Any, trees: Sequence[DocumentTree], fields: Fields) -> None:
        self._bm25s = bm25s
        self._sections = [(tree, position) for tree in trees for position in range(len(tree.heads))]
        words = self._words([text for tree in trees for text in fields(tree)])
        self._retriever = bm25s.BM25() if any(words) else None
        if self._retriever is not None:
            self._retriever.index(words, show_progress=False)

    def best(self, query: str, most: int) -> list[LandedRecord]:
        (words,) = self._words([query])
        if self._retriever is None or not words:
            return []
        scores: list[float] = self._retriever.get_scores(words).tolist()
        # Of equal scores the section that comes first.
        order = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
        return [_landed(*self._sections[place]) for place in order[:most]]

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        stemmer: Any = snowballstemmer.stemmer("english")  # pyright: ignore[reportUnknownMemberType]
        found: list[list[str]] = self._bm25s.tokenize(
            list(texts), stopwords="english", stemmer=stemmer.stemWords, return_ids=False, show_progress=False
        )
        return found


def _landed(tree: DocumentTree, position: int) -> LandedRecord:
    head = tree.heads[position]
    tokens = tokens_of_bytes(head.text_bytes)
    return LandedRecord(id=head.id, document=tree.id, text_scope="own", stop_reason=None, tokens=tokens)


def load_bm25s(name: str) -> Any:
    """Return the library bm25s, which not everybody has installed, for the baseline `name`.

    Raises:
        ConfigurationError: It cannot be loaded; the message says what to install.
    """
    try:
        return import_module("bm25s")
    except ImportError as error:
        raise ConfigurationError(
            f"The baseline {name!r} needs the library bm25s, which cannot be loaded ({error}): install it with"
            ' `pip install "tocwalk[eval]"`, or leave the baseline out.'
        ) from error
