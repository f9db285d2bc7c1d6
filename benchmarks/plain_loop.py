"""The walk as a plain Python loop: the same index, offers and rules, without a graph, a state or a checkpoint."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from langchain_core.runnables import RunnableLambda

from tocwalk.index import TreeIndex
from tocwalk.models.spending import NOTHING_SPENT
from tocwalk.navigators.protocol import Navigator, NavigatorRequest
from tocwalk.navigators.registry import NavigatorRegistry
from tocwalk.nodes import Services, emit_landed
from tocwalk.nodes.navigator_decide import record_of
from tocwalk.state import DecisionRecord, Request, WalkContext, WalkState
from tocwalk.state.operator import OperatorSettings
from tocwalk.walk.offer import Offer
from tocwalk.walk.picks import apply_decision, opened_entry
from tocwalk.walk.progress import Progress
from tocwalk.walk.view import WalkView
from tocwalk.walk.wave import next_wave
from tocwalk.walk.window import build_offer

__all__ = ["PlainLoop"]


class PlainLoop:
    """Walks one index for one question. Second tries and budgets of money are left out: the scripts need none."""

    def __init__(self, index: TreeIndex, navigator: Navigator, settings: WalkContext) -> None:
        """Prepare to walk; offers that were built are kept for the next run, as the graph keeps them."""
        operator = OperatorSettings()
        services = Services(lambda: index, operator, NavigatorRegistry.from_entry_points(operator))
        # The node asks for the run that it logs.
        self._emit = RunnableLambda(emit_landed(services)).invoke
        self._index = index
        self._navigator = navigator
        self._settings = settings
        self._request = Request(
            query="?", corpus="default", only_documents=None, filters={}, visits=settings.max_visits
        )
        self._offers: dict[str, Offer] = {}
        self._view: WalkView | None = None

    async def run(self) -> dict[str, Any]:
        """Walk, and return what the graph returns of it: `sections`, `stop_reason` and `trace`."""
        generation = self._index.generation("default")
        if self._view is None:
            depth = self._settings.max_depth
            self._view = WalkView(self._index, self._request, generation=generation, max_depth=depth)
        progress = Progress()
        start = self._view.settle(self._view.catalog.corpus).item.place
        progress.open(start, [], None)
        progress.trace.append(
            {"event": "start", "generation": generation, "documents": 1, "id": start["id"], "title": start["title"]}
        )
        visits = self._settings.max_visits
        while frontier := progress.in_order():
            wave = next_wave(
                frontier,
                progress.seen,
                parallel=self._settings.parallel,
                remaining_visits=visits,
                affordable=None,
            )
            visits -= len(wave)
            self._index.check("default", generation)
            decisions = await asyncio.gather(*(self._decide(progress, self._view, id_, visits) for id_ in wave))
            for id_, decision in zip(wave, decisions, strict=True):
                self._apply(progress, self._view, id_, decision, visits)
        return self._emit(cast("WalkState", self._landed(progress, generation)))

    async def _decide(self, progress: Progress, view: WalkView, id_: str, visits: int) -> DecisionRecord:
        if id_ not in self._offers:
            self._offers[id_] = build_offer(
                view,
                view.item(progress.seen[id_]["place"]),
                tokens=self._settings.offer_tokens,
                levels=self._settings.offer_levels,
            )
        offer = self._offers[id_]
        request = NavigatorRequest(
            query="?",
            model=self._settings.navigator_model,
            current=offer.current,
            path=offer.path,
            candidates=offer.candidates,
            remaining_visits=visits,
        )
        return record_of(await self._navigator.decide(request))

    def _apply(self, progress: Progress, view: WalkView, id_: str, decision: DecisionRecord, visits: int) -> None:
        offer = self._offers[id_]
        entry = opened_entry(progress.seen[id_], offer, decision, visits_left=visits)
        picks = self._settings.max_picks
        entry |= apply_decision(progress, view, offer, id_=id_, decision=decision, max_picks=picks)
        progress.trace.append(entry)

    def _landed(self, progress: Progress, generation: int) -> dict[str, Any]:
        return {
            "request": self._request,
            "settings": self._settings.model_dump(mode="json"),
            "generation": generation,
            "landed": progress.landed,
            "trace": progress.trace,
            "usage": {**NOTHING_SPENT, "steps": []},
            "failures": [],
        }
