"""write: the answer as statements with quotes; a second time for those whose quotes were not found."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.config import get_stream_writer

from tocwalk.answering.evidence import Evidence
from tocwalk.answering.prompts.write import rewrite_prompt, write_prompt
from tocwalk.answering.services import AnswerServices, label_documents, node, settings_of
from tocwalk.answering.state import AnswerState, Statement
from tocwalk.state import Update

__all__ = ["write"]


def write(services: AnswerServices) -> RunnableLambda[Any, Update]:
    """Return the node. Where nothing was found nothing is written, and nobody asked."""

    async def run(state: AnswerState, config: RunnableConfig) -> Update:
        evidence = await asyncio.to_thread(services.evidence, state)
        if state["cancelled"] or not evidence.passages:
            return {"statements": []}
        label_documents(passage.head.document for passage in evidence.passages)
        if state["statements"]:
            return await _again(services, state, evidence, config)
        settings, question = settings_of(state), state["request"]["question"]
        prompt = write_prompt(question, evidence.passages, advice=state["advice"], wishes=settings.writing_instructions)
        draft, spent = await services.ask(settings, prompt, state["spent"], config=config)
        if draft is None:
            return Update(statements=[], spent=spent, cancelled=True)
        entry = {
            "event": "write",
            "statements": len(draft["statements"]) + len(draft["surplus"]),
            "missing": draft["missing"],
            "left_out": list(evidence.left_out),
        }
        get_stream_writer()(entry)
        return Update(
            statements=draft["statements"],
            dropped=draft["surplus"],
            missing=draft["missing"],
            spent=spent,
            trace=[*state["trace"], entry],
        )

    return node("write", run)


async def _again(services: AnswerServices, state: AnswerState, evidence: Evidence, config: RunnableConfig) -> Update:
    """Replace the statements that have a problem; those for which nothing comes back keep theirs.

    Nobody is asked where that would exceed a budget of the run.
    """
    unproved = {i: one for i, one in enumerate(state["statements"]) if one.get("problem")}
    settings, question = settings_of(state), state["request"]["question"]
    prompt = rewrite_prompt(question, evidence.passages, unproved, wishes=settings.writing_instructions)
    limit = await asyncio.to_thread(services.exceeded_by, state, prompt)
    if limit:
        return Update(rewritten=True, trace=[*state["trace"], {"event": "budget", "step": "rewrite", "limit": limit}])
    replaced, spent = await services.ask(settings, prompt, state["spent"], config=config)
    if replaced is None:
        return Update(rewritten=True, spent=spent, cancelled=True)
    statements: list[Statement] = [replaced.get(i, one) for i, one in enumerate(state["statements"])]
    entry = {"event": "rewrite", "unproved": len(unproved), "replaced": len(replaced)}
    get_stream_writer()(entry)
    return Update(statements=statements, rewritten=True, spent=spent, trace=[*state["trace"], entry])
