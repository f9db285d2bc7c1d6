"""The answer graph over a library, with a scripted model and walks that take the sections a question names."""

from __future__ import annotations

from typing import Any

from scripted_chat import ScriptedChat, draft, enough, plan_for

from tocwalk.graph import WalkGraph, build_answer_graph
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.testing import FunctionNavigator

__all__ = ["MONTHLY", "NOTHING", "RENT", "graph_of", "script", "take_named"]

RENT = "Rent is due monthly, on the first working day"
NOTHING: dict[str, Any] = {"statements": []}
MONTHLY = draft(("Rent is due monthly.", "S1", RENT))


def take_named(request: NavigatorRequest) -> Decision:
    """Take the sections whose titles stand in the question; else nothing."""
    words = request.query.casefold().replace("?", "").split()
    picks = tuple(Pick(ref=c.ref, action="take") for c in request.candidates if c.title.casefold() in words)
    return Decision(action="pick", picks=picks) if picks else Decision(action="reject")


def graph_of(library: TreeIndex, chat: ScriptedChat, navigate: Any = take_named, **options: Any) -> WalkGraph:
    """Return the graph over a library."""
    return build_answer_graph(index=library, model=chat, navigator=FunctionNavigator(navigate), **options)


def script(**steps: Any) -> ScriptedChat:
    """Return a model that plans one question on rent, finds it enough and answers it, unless told otherwise."""
    return ScriptedChat(
        script={"plan": plan_for("rent"), "judge": enough, "write": MONTHLY, "rewrite": NOTHING, **steps}
    )
