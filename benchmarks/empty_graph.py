"""A graph of the walk's shape in which no node does anything: what langgraph itself costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from tocwalk.state import WalkContext, WalkInput, WalkOutput, WalkState

__all__ = ["empty_graph"]


def empty_graph(waves: Sequence[int], **compile_options: Any) -> Any:
    """Return a graph that takes the same super-steps, and starts the same tasks, as a walk of these waves.

    State, nodes and edges are the walk's, so that channels, triggers and conditional edges cost what they cost there.
    """

    def start_walk(_: WalkState) -> dict[str, Any]:
        return {"remaining_visits": 0, "wave": [], "trace": []}

    def budget_check(state: WalkState) -> dict[str, Any]:
        number = state["remaining_visits"]  # here the number of the wave
        wave = [str(position) for position in range(waves[number])] if number < len(waves) else []
        return {"wave": wave, "remaining_visits": number + 1, "decisions": None}

    def present_children(_: WalkState) -> dict[str, Any]:
        return {"offers": {}}

    def decided(task: dict[str, Any]) -> dict[str, Any]:
        return {"decisions": {task["id"]: {"action": "reject"}}}

    async def decided_async(task: dict[str, Any]) -> dict[str, Any]:
        return decided(task)

    def validate_choice(_: WalkState) -> dict[str, Any]:
        return {"wave": []}

    def emit_landed(_: WalkState) -> dict[str, Any]:
        return {"sections": []}

    builder: Any = StateGraph(WalkState, WalkContext, input_schema=WalkInput, output_schema=WalkOutput)
    for node in (start_walk, budget_check, present_children, validate_choice, emit_landed):
        builder.add_node(node.__name__, node)
    builder.add_node("navigator_decide", RunnableLambda(decided, afunc=decided_async, name="navigator_decide"))
    _connect(builder)
    return builder.compile(**compile_options)


def _connect(builder: Any) -> None:
    """Add the edges of a walk."""

    def go_on(state: WalkState) -> Literal["present_children", "emit_landed"]:
        return "present_children" if state["wave"] else "emit_landed"

    def send(state: WalkState) -> list[Send]:
        return [Send("navigator_decide", {"id": id_}) for id_ in state["wave"]]

    builder.add_edge(START, "start_walk")
    builder.add_edge("start_walk", "budget_check")
    builder.add_conditional_edges("budget_check", go_on)
    builder.add_conditional_edges("present_children", send, ["navigator_decide"])
    builder.add_edge("navigator_decide", "validate_choice")
    builder.add_edge("validate_choice", "budget_check")
    builder.add_edge("emit_landed", END)
