"""START -> plan: check what was asked, pin what must not change, say what to look for and where."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, cast

from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.channels import EphemeralValue
from langgraph.config import get_stream_writer
from langgraph.graph.message import add_messages
from langgraph.runtime import get_runtime
from pydantic import ValidationError
from typing_extensions import TypedDict

from tocwalk.answering.context import AnswerContext
from tocwalk.answering.prompts.plan import Plan, plan_prompt
from tocwalk.answering.services import AnswerServices, label_documents, node
from tocwalk.answering.state import AnswerInput, AnswerRequest, Ask
from tocwalk.errors import InputError, SettingsError
from tocwalk.models.spending import NOTHING_SPENT
from tocwalk.nodes.start_walk import StartInput, check_walk
from tocwalk.nodes.telling import label_calls
from tocwalk.state import VISITS_CEILING, Update
from tocwalk.state.faults import faults
from tocwalk.tree import SectionHead

__all__ = ["PlanInput", "plan"]

_CHAT = 20  # messages before the question that are read
_MESSAGE = 4000  # characters of each


class PlanInput(TypedDict, total=False):
    """The input as it comes, before it is checked: `AnswerInput` says what it should be."""

    question: Annotated[Any, EphemeralValue]
    messages: Annotated[list[AnyMessage], add_messages]
    corpus: Annotated[Any, EphemeralValue]
    only_documents: Annotated[Any, EphemeralValue]
    filters: Annotated[Any, EphemeralValue]
    visits: Annotated[Any, EphemeralValue]


def plan(services: AnswerServices) -> RunnableLambda[Any, Update]:
    """Return the node. Every key of the run is set anew, so that a thread used again starts fresh.

    Raises:
        InputError: There is no question, or the input cannot be used.
        ConfigurationError: There is no model to answer, or it cannot be used as it is set up.
        NotFoundError: There is no such corpus.
    """

    async def run(state: PlanInput, config: RunnableConfig) -> Update:
        settings = AnswerContext.of(get_runtime(AnswerContext).context)
        request = _request(state, settings, ceiling=services.walk.operator.max_visits)
        label_calls(corpus=request["corpus"])
        label_documents(request["only_documents"] or [])
        await asyncio.to_thread(_check_walks, services, request, settings, config)
        model = await asyncio.to_thread(services.answer_model, settings)
        _check_budget(services, settings, model.name)
        documents = await asyncio.to_thread(_documents, services, request)
        asks, spent, cancelled = list[Ask](), NOTHING_SPENT, False
        if documents:
            prompt = plan_prompt(request["question"], request["chat"], documents, max_questions=settings.max_questions)
            planned, spent = await services.ask(settings, prompt, NOTHING_SPENT, config=config)
            cancelled = planned is None
            if planned is not None:
                # What stands alone stays as it was asked: no title may put another question in its place.
                request["question"] = planned["question"] if request["chat"] else request["question"]
                asks = _asks(planned)
        entry = {"event": "plan", "question": request["question"], "documents": len(documents), "asks": asks}
        get_stream_writer()(entry)
        return _fresh(request, settings) | Update(
            asked=asks, pending_asks=asks, spent=spent, cancelled=cancelled, trace=[entry]
        )

    return node("plan", run)


def _asks(planned: Plan) -> list[Ask]:
    return [
        Ask(id=f"q{number}", question=one["question"], documents=one["documents"])
        for number, one in enumerate(planned["asks"], 1)
    ]


def _fresh(request: AnswerRequest, settings: AnswerContext) -> Update:
    """Return every key of a run, as it begins."""
    return Update(
        request=request,
        settings=settings.model_dump(mode="json"),
        pending_follows=[],
        found=None,  # the reducer's word for "empty"
        rounds=0,
        cancelled=False,
        advice="",
        missing="",
        statements=[],
        rewritten=False,
        answer="",
        answered=False,
        citations=[],
        dropped=[],
        sections=[],
        usage=NOTHING_SPENT,
        remaining_visits=request["visits"],
        failures=[],
    )


def _request(state: PlanInput, settings: AnswerContext, *, ceiling: int) -> AnswerRequest:
    """Check the input.

    Raises:
        InputError: Naming what is wrong.
    """
    messages: Sequence[AnyMessage] = state.get("messages") or []
    values = {key: value for key, value in state.items() if key != "messages"}
    try:
        given = AnswerInput.model_validate(values, strict=True)
    except ValidationError as error:
        raise InputError(f"The input cannot be used: {faults(error)}.") from error
    by_chat = given.question is None
    question = _last_question(messages) if given.question is None else given.question
    if not question.strip():
        raise InputError(f"The question is blank, got {question!r}: ask something.")
    visits = min(settings.max_visits, ceiling, VISITS_CEILING)
    return AnswerRequest(
        question=question.strip(),
        chat=[f"{one.type}: {str(one.text)[:_MESSAGE]}" for one in messages[:-1][-_CHAT:]] if by_chat else [],
        by_chat=by_chat,
        corpus=given.corpus,
        only_documents=given.only_documents or None,
        filters=given.filters or {},
        visits=visits if given.visits is None else min(visits, given.visits),
    )


def _last_question(messages: Sequence[AnyMessage]) -> str:
    if not messages or not isinstance(messages[-1], HumanMessage):
        last = messages[-1].type if messages else "no message"
        raise InputError(
            f"There is no question: give `question`, or `messages` whose last is a person's, not {last!r}."
        )
    return str(messages[-1].text)


def _check_walks(
    services: AnswerServices, request: AnswerRequest, settings: AnswerContext, config: RunnableConfig
) -> None:
    """Refuse what the walks would refuse, before anything is spent. May import: blocks."""
    asked = StartInput(query=request["question"], filters=request["filters"], only_documents=request["only_documents"])
    check_walk(services.walk, asked, settings, config)


def _check_budget(services: AnswerServices, settings: AnswerContext, model: str) -> None:
    """Refuse a money budget that could not be kept."""
    if settings.max_cost is not None and services.walk.operator.price(model) is None:
        raise SettingsError(
            f"max_cost={settings.max_cost!r} needs the price of {model!r}: set TOCWALK_PRICES, or use max_tokens."
        )


def _documents(services: AnswerServices, request: AnswerRequest) -> Sequence[SectionHead]:
    """Return the documents in scope. Blocks."""
    reader = services.walk.open_index()
    filters = {key: value for key, value in request["filters"].items() if not key.startswith("section.")}
    return reader.roots(
        request["corpus"],
        reader.generation(request["corpus"]),
        only_documents=request["only_documents"],
        filters=cast("dict[str, Any]", filters),
    )
