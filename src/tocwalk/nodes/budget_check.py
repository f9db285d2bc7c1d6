"""budget_check: the gate before money is spent. Ends the walk, or takes the next wave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tocwalk.errors import GenerationCollectedError
from tocwalk.nodes.cancelling import is_cancelled
from tocwalk.nodes.services import Services
from tocwalk.state import StopReason, Update, WalkContext, WalkState
from tocwalk.walk.progress import Progress
from tocwalk.walk.wave import Affordable, affordable_calls, next_wave

__all__ = ["after_budget_check", "budget_check"]

_STEPS_OF_A_WAVE = 8
"""Super-steps that a wave and the end of the walk may need, a second asking included."""


def budget_check(services: Services) -> Callable[[WalkState, RunnableConfig, Runtime[WalkContext]], Update]:
    """Return the node."""

    def budget_check(state: WalkState, config: RunnableConfig, runtime: Runtime[WalkContext]) -> Update:
        progress = Progress(state)
        cancelled = is_cancelled(config, runtime) or state["cancelled"]
        affordable = _affordable(services, state)
        reason, limit = (
            (None, None)
            if not state["frontier"]
            else _reason_to_end(services, state, cancelled=cancelled, affordable=affordable)
        )
        if reason is not None:
            for id_ in progress.in_order():
                progress.cut(id_, reason, land=reason == "BUDGET_EXHAUSTED", limit=limit)
            return Update(cancelled=cancelled, wave=[], **progress.update())
        wave = next_wave(
            state["frontier"],
            state["seen"],
            parallel=state["settings"]["parallel"],
            remaining_visits=state["remaining_visits"],
            affordable=affordable.calls,
        )
        return Update(
            cancelled=cancelled,
            wave=wave,
            frontier=[id_ for id_ in state["frontier"] if id_ not in wave],
            remaining_visits=state["remaining_visits"] - len(wave),
            usage={**state["usage"], "visits": state["usage"]["visits"] + len(wave)},
            reasked=False,
            offers={},
            decisions=None,  # the reducer's word for "empty"
        )

    return budget_check


def after_budget_check(state: WalkState) -> Literal["present_children", "emit_landed"]:
    """Go on with the wave, or end."""
    return "present_children" if state["wave"] else "emit_landed"


def _affordable(services: Services, state: WalkState) -> Affordable:
    settings = WalkContext(**state["settings"])
    return affordable_calls(settings, state["usage"], services.operator.price(settings.navigator_model))


def _reason_to_end(
    services: Services, state: WalkState, *, cancelled: bool, affordable: Affordable
) -> tuple[StopReason | None, str | None]:
    """Return why nothing more is opened, with the limit that was reached; (None, None) to go on."""
    if cancelled:
        return "CANCELLED", None
    if state["index_changed"] or _collected(services, state):
        return "INDEX_CHANGED", None
    if state.get("remaining_steps", _STEPS_OF_A_WAVE) < _STEPS_OF_A_WAVE:
        return "RECURSION_GUARD", None
    if state["remaining_visits"] <= 0:
        return "BUDGET_EXHAUSTED", "visits"
    if affordable.calls == 0:
        return "BUDGET_EXHAUSTED", affordable.limit
    return None, None


def _collected(services: Services, state: WalkState) -> bool:
    try:
        services.open_index().check(state["request"]["corpus"], state["generation"])
    except GenerationCollectedError:
        return True
    return False
