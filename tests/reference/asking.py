"""Walks of small documents through a real index, by navigators that know which place they are shown."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from reference.places import Candidate as ModelCandidate
from reference.trees import Forest, ids_by_number, to_documents
from tocwalk.graph import WalkGraph, build_retrieval_graph
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Candidate, Decision, NavigatorRequest
from tocwalk.state import Request, WalkContext
from tocwalk.tree import Document
from tocwalk.walk.view import WalkView

__all__ = ["PlaceNavigator", "SmallIndex", "context_of", "place_of", "small_index"]

Decide = Callable[[str, int, Sequence[Any]], Decision]
"""Of a reference model's navigator: place id, how-manieth opening, candidates."""


class SmallIndex:
    """One index in which every forest is a corpus of its own."""

    def __init__(self, index: TreeIndex) -> None:
        """Use an empty index."""
        self.index = index
        self._corpora = 0

    def store(self, forest: Forest) -> str:
        """Store the documents of a forest and return the name of their corpus."""
        return self.store_documents(to_documents(forest))

    def store_documents(self, documents: Iterable[Document]) -> str:
        """Store documents and return the name of their corpus."""
        self._corpora += 1
        corpus = f"corpus-{self._corpora}"
        for document in documents:
            self.index.put(document, corpus=corpus, parser_version="1", summaries="none")
        return corpus

    def view(self, corpus: str, *, max_depth: int = 6) -> WalkView:
        """Return the trees of a corpus as a walk sees them."""
        request = Request(query="?", corpus=corpus, only_documents=None, filters={}, visits=0)
        return WalkView(self.index, request, generation=self.index.generation(corpus), max_depth=max_depth)

    def graph(self, navigator: object, **options: Any) -> WalkGraph:
        """Return the graph that walks this index."""
        return build_retrieval_graph(index=self.index, navigator=navigator, **options)


class PlaceNavigator:
    """Asks a reference model's `decide`, which knows places by their ids, in the words of the protocol."""

    def __init__(self, forest: Forest, decide: Decide, *, jitter: Callable[[], float] | None = None) -> None:
        """Know the documents; with `jitter`, answer after so many seconds."""
        self._ids = ids_by_number(forest)
        self._decide = decide
        self._jitter = jitter
        self.opened: Counter[str] = Counter()

    def supports(self, model: str) -> bool:
        """Answer for every model."""
        return True

    async def decide(self, request: NavigatorRequest) -> Decision:
        """Ask."""
        place = place_of(request, self._ids)
        self.opened[place] += 1
        time = self.opened[place]
        if self._jitter:
            await asyncio.sleep(self._jitter())
        return self._decide(place, time, [self._model_candidate(c, place) for c in request.candidates])

    def _model_candidate(self, candidate: Candidate, opened: str) -> ModelCandidate:
        place = self._ids.get(candidate.number or "", f"{opened}{candidate.title}/")
        return ModelCandidate(ref=candidate.ref, place=place, kind=candidate.kind)


def place_of(request: NavigatorRequest, ids: Mapping[str, str]) -> str:
    """Return the id of what is opened, from what a navigator is told."""
    last = request.path[-1].split(" ")[0] if request.path else ""
    folders = "".join(f"{part}/" for part in request.path)
    standing = ids.get(last, folders)
    if request.current.kind == "group":
        return f"{standing}[{request.current.number}]"
    return standing


def context_of(settings: WalkContext) -> dict[str, Any]:
    """Return settings as a caller hands them over."""
    return settings.model_dump()


@pytest.fixture(scope="session")
def small_index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallIndex]:
    """Return an index for small forests."""
    with TreeIndex(tmp_path_factory.mktemp("small-index") / "index.db") as index:
        yield SmallIndex(index)
