"""judge: is what was found enough? If not, follow cross-references and ask again, while the budget lasts."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.config import get_stream_writer
from langgraph.types import Send

from tocwalk.answering.evidence import Evidence
from tocwalk.answering.follow import follow_tasks
from tocwalk.answering.prompts.judge import Verdict, judge_prompt
from tocwalk.answering.references import Headings, Reference, find_references
from tocwalk.answering.retrieve import walk_tasks
from tocwalk.answering.services import AnswerServices, label_documents, node, settings_of, spent_so_far, visits_left
from tocwalk.answering.state import AnswerState, Ask, Follow
from tocwalk.models.asking import Prompt
from tocwalk.nodes.cancelling import token_of
from tocwalk.state import Update

__all__ = ["judge", "next_steps"]

_REFERENCES = 30
"""Cross-references shown at most."""


def judge(services: AnswerServices) -> RunnableLambda[Any, Update]:
    """Return the node. The model is asked only where something could come of it."""

    async def run(state: AnswerState, config: RunnableConfig) -> Update:
        cancelled = token_of(config).cancelled or _walk_cancelled(state)
        trace = [*state["trace"], *_arrived(state)]
        update = Update(cancelled=cancelled, rounds=state["rounds"] + 1, pending_asks=[], pending_follows=[])
        if cancelled or not _may_look_further(state):
            return update | {"trace": trace}
        evidence = await asyncio.to_thread(services.evidence, state)
        references = await asyncio.to_thread(_references, state, evidence)
        visits = visits_left(state)
        if not references and not visits:
            return update | {"trace": trace}
        prompt = _prompt(state, evidence, references, visits)
        limit = await asyncio.to_thread(services.exceeded_by, state, prompt)
        if limit:
            return update | {"trace": [*trace, {"event": "budget", "step": "judge", "limit": limit}]}
        label_documents(passage.head.document for passage in evidence.passages)
        verdict, spent = await services.ask(settings_of(state), prompt, state["spent"], config=config)
        if verdict is None:
            return update | Update(cancelled=True, spent=spent, trace=trace)
        asks, follows = _next(state, verdict, references)
        entry = {
            "event": "judge",
            "enough": verdict["enough"],
            "advice": verdict["advice"],
            "asks": asks,
            "follows": follows,
            "left_out": list(evidence.left_out),
        }
        get_stream_writer()(entry)
        return update | Update(
            spent=spent,
            advice=verdict["advice"],
            asked=[*state["asked"], *asks],
            pending_asks=asks,
            pending_follows=follows,
            trace=[*trace, entry],
        )

    return node("judge", run)


def _prompt(
    state: AnswerState, evidence: Evidence, references: list[tuple[str, Reference, int]], visits: int
) -> Prompt[Verdict]:
    return judge_prompt(
        state["request"]["question"],
        evidence.passages,
        [(ref, reference) for ref, reference, _ in references],
        asked=[ask["question"] for ask in state["asked"]],
        visits=visits,
    )


def next_steps(state: AnswerState) -> list[Send] | str:
    """Walk for every pending question, read every pending reference; with none go on to write."""
    walks = [Send("retrieve", task) for task in walk_tasks(state)]
    return walks + [Send("follow", task) for task in follow_tasks(state)] or "write"


def _arrived(state: AnswerState) -> list[dict[str, Any]]:
    """Return the trace entries of what was found since the last judging."""
    known = {entry["id"] for entry in state["trace"] if entry["event"] in ("walk", "reference")}
    return [
        {
            "event": "reference" if one["stop_reason"] == "CROSS_REFERENCE" else "walk",
            "id": id_,
            "question": one["question"],
            "sections": [section["id"] for section in one["sections"]],
            "stop_reason": one["stop_reason"],
            "visits": one["usage"]["visits"],
            "steps": one["trace"],
        }
        for id_, one in state["found"].items()
        if id_ not in known
    ]


def _walk_cancelled(state: AnswerState) -> bool:
    return any(one["stop_reason"] == "CANCELLED" for one in state["found"].values())


def _may_look_further(state: AnswerState) -> bool:
    settings, spent = settings_of(state), spent_so_far(state)
    tokens = spent["input_tokens"] + spent["output_tokens"]
    return (
        state["rounds"] + 1 < settings.max_rounds
        and (settings.max_tokens is None or tokens < settings.max_tokens)
        and (settings.max_cost is None or (spent["cost"] or 0.0) < settings.max_cost)
    )


def _references(state: AnswerState, evidence: Evidence) -> list[tuple[str, Reference, int]]:
    """Return what the passages refer to and was not read yet: ref of the passage, reference, generation. Blocks."""
    read = {passage.head.id for passage in evidence.passages} | set(evidence.left_out)
    read |= {section["id"] for one in state["found"].values() for section in one["sections"]}
    generations = {
        section["document"]: one["generation"] for one in state["found"].values() for section in one["sections"]
    }
    found: dict[str, tuple[str, Reference, int]] = {}
    headings: dict[int, Headings] = {}
    for passage in evidence.passages:
        if passage.head.tree not in headings:
            headings[passage.head.tree] = Headings(passage.outline)
        for reference in find_references(passage.text, passage.head, headings[passage.head.tree]):
            if reference.target.id not in read:
                entry = (passage.ref, reference, generations[passage.head.document])
                found.setdefault(reference.target.id, entry)
    return list(found.values())[:_REFERENCES]


def _next(
    state: AnswerState, verdict: Verdict, references: list[tuple[str, Reference, int]]
) -> tuple[list[Ask], list[Follow]]:
    """Return what the verdict asks for and the settings allow; nothing if what there is, is enough."""
    if verdict["enough"]:
        return [], []
    settings = settings_of(state)
    known = {ask["question"].casefold() for ask in state["asked"]}
    fresh = [one for one in dict.fromkeys(verdict["ask"]) if one.casefold() not in known][: settings.max_questions]
    asks = [
        Ask(id=f"q{number}", question=question, documents=None)
        for number, question in enumerate(fresh, len(state["asked"]) + 1)
    ]
    followed = sum(one["stop_reason"] == "CROSS_REFERENCE" for one in state["found"].values())
    follows = [
        Follow(
            id=f"r{number}",
            mention=references[position][1].mention,
            generation=references[position][2],
            document=references[position][1].target.document,
            section=references[position][1].target.id,
        )
        for number, position in enumerate(verdict["follow"][: settings.max_references], followed + 1)
    ]
    return asks, follows
