"""check_citations: look every quote up in the section it names; what is not there is rewritten once, then dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.config import get_stream_writer

from tocwalk.answering.evidence import Passage
from tocwalk.answering.quotes import QuotedText
from tocwalk.answering.services import AnswerServices, node, spent_so_far, visits_left
from tocwalk.answering.state import AnswerState, Citation, DroppedStatement, Quote, Statement
from tocwalk.answering.wording import abstention, answer_text, as_message
from tocwalk.state import LandedSection, Update

__all__ = ["after_check_citations", "check_citations"]


class _Proof(NamedTuple):
    """A quote that was found: a range of a passage's text."""

    passage: Passage
    start: int
    end: int


def check_citations(services: AnswerServices) -> RunnableLambda[Any, Update]:
    """Return the node. Where nothing is left to be written again, it writes the result."""

    async def run(state: AnswerState, _config: RunnableConfig) -> Update:
        evidence = await asyncio.to_thread(services.evidence, state)
        checked = await asyncio.to_thread(_checked, state["statements"], evidence.by_ref)
        statements = [statement for statement, _ in checked]
        if not state["rewritten"] and any(statement.get("problem") for statement in statements):
            return {"statements": statements}
        return Update(statements=statements) | _result(state, checked, evidence.unread)

    return node("check_citations", run)


def after_check_citations(state: AnswerState) -> Literal["write", "__end__"]:
    """Write again what is not proved, once."""
    unproved = any(statement.get("problem") for statement in state["statements"])
    return "write" if unproved and not state["rewritten"] else "__end__"


def _checked(statements: list[Statement], passages: Mapping[str, Passage]) -> list[tuple[Statement, list[_Proof]]]:
    """Return each statement with the quotes as their sections have them, or with its problem and none."""
    texts = {ref: QuotedText(passage.text) for ref, passage in passages.items()}
    checked: list[tuple[Statement, list[_Proof]]] = []
    for statement in statements:
        proofs: list[_Proof] = []
        problems = [] if statement["quotes"] else ["it has no quote"]
        for quote in statement["quotes"]:
            problem = _prove(quote, passages, texts, proofs)
            problems += [problem] if problem else []
        judged = Statement(text=statement["text"], quotes=statement["quotes"])
        if problems:
            judged["problem"] = "; ".join(problems)
        checked.append((judged, [] if problems else proofs))
    return checked


def _prove(quote: Quote, passages: Mapping[str, Passage], texts: Mapping[str, QuotedText], proofs: list[_Proof]) -> str:
    """Add the quote's proof, or return its problem."""
    ref = quote["ref"]
    if ref not in passages:
        return f"there is no passage {ref!r}"
    finding = texts[ref].find(quote["quote"])
    if not finding.problem:
        proofs.append(_Proof(passages[ref], finding.start, finding.end))
    return finding.problem


def _result(state: AnswerState, checked: list[tuple[Statement, list[_Proof]]], unread: Collection[str]) -> Update:
    citations: list[Citation] = []
    kept: list[tuple[str, list[int]]] = []
    dropped = list(state["dropped"])
    for statement, proofs in checked:
        if "problem" in statement:
            dropped.append(
                DroppedStatement(text=statement["text"], quotes=statement["quotes"], problem=statement["problem"])
            )
            continue
        kept.append((statement["text"], [_cite(citations, proof) for proof in proofs]))
    sections = _sections(state)
    answer = answer_text(kept) if kept else abstention(sections, unread, cancelled=state["cancelled"])
    entry = {"event": "check", "kept": len(kept), "dropped": len(dropped), "citations": len(citations)}
    get_stream_writer()({**entry, "answer": answer})
    return Update(
        answer=answer,
        answered=bool(kept),
        citations=citations,
        dropped=dropped,
        sections=sections,
        usage=spent_so_far(state),
        remaining_visits=visits_left(state),
        failures=[failure for one in state["found"].values() for failure in one["failures"]],
        trace=[*state["trace"], entry],
        messages=[AIMessage(as_message(answer, citations, left_out=len(dropped)))]
        if state["request"]["by_chat"]
        else [],
    )


def _cite(citations: list[Citation], proof: _Proof) -> int:
    """Return the marker of a citation: that of an equal one, or a new one's."""
    quote = proof.passage.text[proof.start : proof.end]
    for one in citations:
        if one["section"] == proof.passage.head.id and one["quote"] == quote:
            return one["marker"]
    marker = len(citations) + 1
    citations.append(Citation(**proof.passage.source_of(proof.start, proof.end), marker=marker, quote=quote))
    return marker


def _sections(state: AnswerState) -> list[LandedSection]:
    """Return all that was found, each section once, in the order in which it was found."""
    unique: dict[str, LandedSection] = {}
    for one in state["found"].values():
        for section in one["sections"]:
            unique.setdefault(section["id"], section)
    return list(unique.values())
