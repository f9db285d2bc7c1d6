"""follow: read the section that a cross-reference leads to. No visit is spent: its place is known."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.config import get_stream_writer

from tocwalk.answering.evidence import Outlines
from tocwalk.answering.services import AnswerServices, node
from tocwalk.answering.state import AnswerState, Found
from tocwalk.models.spending import NOTHING_SPENT
from tocwalk.nodes.emit_landed import landed_section
from tocwalk.state import LandedSection, Update
from tocwalk.tree import tokens_of_bytes
from tocwalk.walk.emission import text_scope

__all__ = ["follow", "follow_tasks"]


def follow(services: AnswerServices) -> RunnableLambda[Any, Update]:
    """Return the node."""

    async def run(task: dict[str, Any], _config: RunnableConfig) -> Update:
        section = await asyncio.to_thread(_section, services, task)
        one = task["follow"]
        found = Found(
            question=one["mention"],
            generation=one["generation"],
            sections=[section],
            stop_reason="CROSS_REFERENCE",
            trace=[],
            usage=NOTHING_SPENT,
            failures=[],
        )
        get_stream_writer()({"event": "reference", **one})
        return {"found": {one["id"]: found}}

    return node("follow", run)


def follow_tasks(state: AnswerState) -> list[dict[str, Any]]:
    """Return what each reading of the coming round is given."""
    size = state["settings"]["max_section_tokens"]
    corpus = state["request"]["corpus"]
    return [{"corpus": corpus, "max_section_tokens": size, "follow": one} for one in state["pending_follows"]]


def _section(services: AnswerServices, task: dict[str, Any]) -> LandedSection:
    reader, one = services.walk.open_index(), task["follow"]
    outline = Outlines(reader, task["corpus"]).of(one["generation"], one["document"])
    head = next(head for head in outline if head.id == one["section"])
    scope = text_scope(
        own=False,
        leaf=head.children == 0,
        subtree_tokens=tokens_of_bytes(head.subtree_bytes),
        max_section_tokens=task["max_section_tokens"],
    )
    return landed_section(reader, task["corpus"], one["generation"], head, reason="CROSS_REFERENCE", text_scope=scope)
