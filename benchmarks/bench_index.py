"""Storing a large document, beginning a walk over many, and reading what is below a section."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path

from measuring import Prepare, measure, print_table, seconds
from samples import document, even, many_documents
from tocwalk.index import TreeIndex
from tocwalk.tree import Document

_READS = 500
_CALLS = 100


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as opened:
        print_table("put of one document: ms", ["document", "min / median"], _puts(Path(name), opened))
        rows = _roots(Path(name) / "many.db", opened)
        print_table("roots of 10,000 documents: ms", ["read", "min / median"], rows)
        rows = [row for widths in ((500, 8), (20, 500)) for row in _children(Path(name), widths)]
        print_table("children of one section: ms", ["read", "p50", "p99"], rows)


def _puts(folder: Path, opened: ExitStack) -> list[list[str]]:
    small, large = (document("Manual", even(widths)) for widths in ((9, 10), (9, 10, 110)))
    index = opened.enter_context(TreeIndex(folder / "unchanged.db"))
    index.put(large)
    cases: dict[str, Prepare] = {
        f"{len(small.sections):,} sections, new": _put(folder, opened, small),
        f"{len(large.sections):,} sections, new": _put(folder, opened, large),
        f"{len(large.sections):,} sections, unchanged": lambda: lambda: index.put(large),
    }
    return [[name, timing.shown()] for name, timing in measure(cases, times=7).items()]


def _put(folder: Path, opened: ExitStack, one: Document) -> Prepare:
    """Return the case of storing a document in an index that is empty."""
    paths = (folder / f"put-{len(one.sections)}-{number}.db" for number in count())

    def prepare() -> Callable[[], object]:
        index = opened.enter_context(TreeIndex(next(paths)))
        return lambda: index.put(one)

    return prepare


def _roots(path: Path, opened: ExitStack) -> list[list[str]]:
    index = opened.enter_context(TreeIndex(path))
    index.add_langchain(many_documents(20, 500, 4))
    generation = index.generation("default")
    named = [f"folder-{folder:03}/document-0007" for folder in range(10)]

    def first() -> Callable[[], object]:
        reopened = opened.enter_context(TreeIndex(path))
        reopened.generation("default")
        return lambda: reopened.roots("default", generation)

    def cached(only: Sequence[str] | None = None) -> None:
        for _ in range(_CALLS):
            index.roots("default", generation, only_documents=only)

    kept = measure({"all, cached": lambda: cached, "ten of them, cached": lambda: lambda: cached(named)}, times=9)
    return [
        ["all, first", measure({"first": first}, times=9)["first"].shown()],
        *([name, timing.shown(_CALLS)] for name, timing in kept.items()),
    ]


def _children(folder: Path, widths: Sequence[int]) -> list[list[str]]:
    """Read what is below each section of the first level, by an index just opened and then by the same again."""
    path = folder / f"{widths[1]}.db"
    first: list[float] = []
    cached: list[float] = []
    with TreeIndex(path) as index:
        index.put(document("Manual", even(widths)))
        generation = index.generation("default")
        parents = index.children("default", generation, [index.roots("default", generation)[0].key])
    while len(first) < _READS:
        with TreeIndex(path) as index:
            index.generation("default")
            for taken in (first, cached):
                for parent in parents:
                    taken.append(seconds(partial(index.children, "default", generation, [parent.key])))
    return [
        [f"{widths[1]} children, {name}", *_percentiles(taken)]
        for name, taken in (("first", first), ("cached", cached))
    ]


def _percentiles(taken: Sequence[float]) -> list[str]:
    cuts = statistics.quantiles(taken, n=100)
    return [f"{1000 * cuts[49]:.2f}", f"{1000 * cuts[98]:.2f}"]


if __name__ == "__main__":
    main()
