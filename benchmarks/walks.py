"""The same walk of the same document through three doors: a plain loop, an empty graph, the graph."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeAlias

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from empty_graph import empty_graph
from measuring import Prepare
from plain_loop import PlainLoop
from samples import document, two_of
from tocwalk.graph import STEPS_LIMIT, build_retrieval_graph
from tocwalk.index import TreeIndex
from tocwalk.ingest.summaries import lead_summaries
from tocwalk.navigators.protocol import Decision, Pick, PickAction
from tocwalk.state import WalkContext
from tocwalk.testing import ScriptedNavigator

__all__ = ["Door", "Savers", "Walks", "open_savers"]

Door: TypeAlias = Literal["invoke", "ainvoke"]
Savers: TypeAlias = dict[tuple[str, Door], BaseCheckpointSaver[str] | None]
"""By name and door; the saver "none" is None."""

_RUNS = 200
"""Runs for which a script has steps."""
_WARM = "Warm"
"""A corpus and its document, of which a graph just built is asked before it is measured."""


class Walks:
    """Walks in which every visit opens two sections or, on the last level, takes two.

    Attributes:
        visits: Of one walk.
    """

    def __init__(self, folder: Path, savers: Savers, runner: asyncio.Runner, *, width: int, levels: int) -> None:
        """Store a document in which opened sections have `width` subsections; the walk opens `levels` levels."""
        self._path = folder / f"{width}-{levels}.db"
        self._savers = savers
        self._runner = runner
        self._levels = levels
        self._threads = (f"{width}-{levels}-{number}" for number in count())
        self.visits = 2**levels - 1
        self._fresh = self._kept = TreeIndex(self._path)
        self._kept.put(lead_summaries(document("Manual", two_of(width, levels))))
        self._kept.put(document(_WARM, two_of(2, 1)), corpus=_WARM)

    def plain(self, parallel: int, *, again: bool = False) -> Prepare:
        """Return the plain loop, on an index just opened, or `again` with what it read and built before."""
        return self._case(lambda index: self._plain(index, parallel), again=again)

    def walk(self, door: Door, saver: str, parallel: int, *, again: bool = False) -> Prepare:
        """Return the walk through the graph, on an index just opened, or `again` with what it read and built before."""
        return self._case(lambda index: self._walk(index, door, saver, parallel), again=again)

    def empty(self, door: Door, saver: str, parallel: int) -> Prepare:
        """Return the run of a graph of the walk's shape in which nothing is done."""
        graph = empty_graph(self.waves(parallel), checkpointer=self._savers[saver, door])
        run = self._through(graph, door, parallel)
        return lambda: run

    def waves(self, parallel: int) -> list[int]:
        """Return how many calls each wave has.

        Raises:
            AssertionError: The plain loop does not come to what the graph comes to.
        """
        result = self._walk(self._kept, "invoke", "none", parallel)()
        plain = self._plain(self._kept, parallel)()
        if plain != {key: result[key] for key in plain} or result["usage"]["visits"] != self.visits:
            raise AssertionError("The plain loop and the graph walk differently: comparing them means nothing.")
        left = [entry["visits_left"] for entry in result["trace"] if entry["event"] == "open"]
        return [left.count(visits) for visits in dict.fromkeys(left)]

    def _case(self, make: Callable[[TreeIndex], Callable[[], Any]], *, again: bool) -> Prepare:
        if again:
            run = make(self._kept)
            return lambda: run
        return lambda: make(self._reopened())

    def _reopened(self) -> TreeIndex:
        """Return the index as a process finds it: nothing read yet but what opening reads."""
        if self._fresh is not self._kept:
            self._fresh.close()
        self._fresh = TreeIndex(self._path)
        self._fresh.generation("default")
        return self._fresh

    def _plain(self, index: TreeIndex, parallel: int) -> Callable[[], dict[str, Any]]:
        loop = PlainLoop(index, self._navigator(), self._settings(parallel))
        return lambda: self._runner.run(loop.run())

    def _walk(self, index: TreeIndex, door: Door, saver: str, parallel: int) -> Callable[[], Any]:
        checkpointer = self._savers[saver, door]
        graph = build_retrieval_graph(index=index, navigator=self._navigator(), checkpointer=checkpointer)
        self._through(graph, door, parallel, corpus=_WARM)()
        return self._through(graph, door, parallel)

    def _through(self, graph: Any, door: Door, parallel: int, *, corpus: str = "default") -> Callable[[], Any]:
        context = self._settings(parallel)

        def run() -> Any:
            config = {"configurable": {"thread_id": next(self._threads)}, "recursion_limit": STEPS_LIMIT}
            question = {"query": "?", "corpus": corpus}
            if door == "invoke":
                return graph.invoke(question, config, context=context)
            return self._runner.run(graph.ainvoke(question, config, context=context))

        return run

    def _settings(self, parallel: int) -> WalkContext:
        return WalkContext(max_visits=1000, max_depth=self._levels, parallel=parallel, offer_levels=1)

    def _navigator(self) -> ScriptedNavigator:
        steps = dict([*_script("Manual", self._levels), *_script(_WARM, 1)])
        return ScriptedNavigator({place: [step] * _RUNS for place, step in steps.items()})


@contextmanager
def open_savers(folder: Path, runner: asyncio.Runner) -> Generator[Savers]:
    """Open the savers, those of SQLite on files in `folder`."""

    async def enter() -> AsyncSqliteSaver:
        saver = await awaiting.__aenter__()
        await saver.setup()
        return saver

    awaiting = AsyncSqliteSaver.from_conn_string(str(folder / "ainvoke.db"))
    with SqliteSaver.from_conn_string(str(folder / "invoke.db")) as blocking:
        blocking.setup()
        memory = InMemorySaver()
        try:
            yield {
                ("none", "invoke"): None,
                ("none", "ainvoke"): None,
                ("memory", "invoke"): memory,
                ("memory", "ainvoke"): memory,
                ("SQLite", "invoke"): blocking,
                ("SQLite", "ainvoke"): runner.run(enter()),
            }
        finally:
            runner.run(awaiting.__aexit__(None, None, None))


def _script(place: str, levels: int) -> Iterator[tuple[str, Decision]]:
    action: PickAction = "open" if levels > 1 else "take"
    yield place, Decision(action="pick", picks=(Pick(ref="1", action=action), Pick(ref="2", action=action)))
    if levels > 1:
        yield from _script(f"{place}/Part 1", levels - 1)
        yield from _script(f"{place}/Part 2", levels - 1)
