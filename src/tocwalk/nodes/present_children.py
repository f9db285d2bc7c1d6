"""present_children: build the offers of the wave, and send each to a navigator call of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from langgraph.config import get_stream_writer
from langgraph.types import Send

from tocwalk.errors import GenerationCollectedError
from tocwalk.nodes.services import Services
from tocwalk.state import Update, WalkState

__all__ = ["after_present_children", "present_children", "undecided"]


def present_children(services: Services) -> Callable[[WalkState], Update]:
    """Return the node. The state keeps of each offer only what a person stepping through wants to see."""

    def present_children(state: WalkState) -> Update:
        write = get_stream_writer()
        glimpses: dict[str, dict[str, Any]] = {}
        try:
            for id_ in state["wave"]:
                offer = services.offer_of(state, id_)
                glimpses[id_] = offer.glimpse()
                write({"event": "offer", "id": id_, **offer.summary(), "outline": offer.outline})
        except GenerationCollectedError:
            return Update(index_changed=True)
        return Update(offers=glimpses)

    return present_children


def undecided(state: WalkState) -> list[str]:
    """Return the ids of the wave for which there is no decision."""
    return [id_ for id_ in state["wave"] if state["decisions"].get(id_) is None]


def after_present_children(state: WalkState) -> list[Send] | Literal["validate_choice"]:
    """Send every undecided offer of the wave to a task of its own; none, and the choices are checked."""
    if state["index_changed"]:
        return "validate_choice"
    return [
        Send(
            "navigator_decide",
            {
                "id": id_,
                "place": state["seen"][id_]["place"],
                "rejected": state["rejected"].get(id_, []),
                "request": state["request"],
                "settings": state["settings"],
                "generation": state["generation"],
                "remaining_visits": state["remaining_visits"],
            },
        )
        for id_ in undecided(state)
    ] or "validate_choice"
