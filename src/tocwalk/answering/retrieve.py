"""retrieve: one walk for one question, within its share of the run's budget."""

from __future__ import annotations

from typing import Any, cast

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.config import get_stream_writer
from langgraph.graph.state import CompiledStateGraph

from tocwalk.answering.services import settings_of, spent_so_far, visits_left
from tocwalk.answering.sharing import shares, walk_settings
from tocwalk.answering.state import AnswerState, Found
from tocwalk.errors import NavigatorError
from tocwalk.models.spending import NOTHING_SPENT
from tocwalk.state import Failure, Update, UsageTotals, WalkContext

__all__ = ["retrieve", "walk_tasks"]


def retrieve(walk: CompiledStateGraph[Any, Any, Any, Any]) -> RunnableLambda[Any, Update]:
    """Return the node around the retrieval graph.

    Args:
        walk: The retrieval graph; as a subgraph it is checkpointed, streamed and drawn with the graph around it.

    Raises:
        NavigatorError: A walk failed under the policy `raise`; resuming the run walks on from there.
    """

    def blocking(task: dict[str, Any], config: RunnableConfig) -> Update:
        try:
            output = walk.invoke(task["input"], config, context=WalkContext(**task["settings"]))
        except NavigatorError as error:
            return _failed(task, error)
        return _found(task, output)

    async def native(task: dict[str, Any], config: RunnableConfig) -> Update:
        try:
            output = await walk.ainvoke(task["input"], config, context=WalkContext(**task["settings"]))
        except NavigatorError as error:
            return _failed(task, error)
        return _found(task, output)

    return RunnableLambda(blocking, afunc=native, name="retrieve")


def walk_tasks(state: AnswerState) -> list[dict[str, Any]]:
    """Return what each walk of the coming round is given; their visits add up to what is left."""
    asks, request = state["pending_asks"], state["request"]
    if not asks:
        return []
    settings = walk_settings(settings_of(state), spent_so_far(state), walks=len(asks))
    return [
        {
            "id": ask["id"],
            "input": {
                "query": ask["question"],
                "corpus": request["corpus"],
                "only_documents": ask["documents"] or request["only_documents"],
                "filters": request["filters"],
                "visits": visits,
            },
            "settings": {**settings, "max_visits": visits},
        }
        for ask, visits in zip(asks, shares(visits_left(state), len(asks)), strict=True)
    ]


def _found(task: dict[str, Any], output: dict[str, Any]) -> Update:
    found = Found(
        question=task["input"]["query"],
        generation=output["trace"][0]["generation"],
        sections=output["sections"],
        stop_reason=output["stop_reason"],
        trace=output["trace"],
        usage=output["usage"],
        failures=output["failures"],
    )
    return _update(task, found)


def _failed(task: dict[str, Any], error: NavigatorError) -> Update:
    """Survive a walk in which nothing landed but failures, if the policy is `partial`."""
    if task["settings"]["on_failure"] == "raise":
        raise error
    found = Found(
        question=task["input"]["query"],
        generation=0,
        sections=[],
        stop_reason="NAVIGATOR_ERROR",
        trace=[],
        usage=NOTHING_SPENT if error.usage is None else cast("UsageTotals", error.usage),
        failures=[Failure(step="retrieve", section=task["id"], reason=error.reason, detail=str(error))],
    )
    return _update(task, found)


def _update(task: dict[str, Any], found: Found) -> Update:
    get_stream_writer()(
        {
            "event": "walk",
            "id": task["id"],
            "question": found["question"],
            "sections": [section["id"] for section in found["sections"]],
            "stop_reason": found["stop_reason"],
            "visits": found["usage"]["visits"],
        }
    )
    return {"found": {task["id"]: found}}
