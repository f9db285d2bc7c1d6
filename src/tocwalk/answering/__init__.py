"""The answer graph's steps: plan, retrieve, judge, follow, write, check citations."""

from tocwalk.answering.check_citations import after_check_citations, check_citations
from tocwalk.answering.context import AnswerContext
from tocwalk.answering.follow import follow
from tocwalk.answering.judge import judge, next_steps
from tocwalk.answering.plan import PlanInput, plan
from tocwalk.answering.retrieve import retrieve
from tocwalk.answering.services import AnswerServices
from tocwalk.answering.state import AnswerInput, AnswerOutput, AnswerState
from tocwalk.answering.write import write

__all__ = [
    "AnswerContext",
    "AnswerInput",
    "AnswerOutput",
    "AnswerServices",
    "AnswerState",
    "PlanInput",
    "after_check_citations",
    "check_citations",
    "follow",
    "judge",
    "next_steps",
    "plan",
    "retrieve",
    "write",
]
