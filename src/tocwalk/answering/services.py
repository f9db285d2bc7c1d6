"""What the nodes of the answer graph work with and the state does not hold."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.runtime import get_runtime

from tocwalk.answering.context import AnswerContext
from tocwalk.answering.evidence import Evidence, Outlines, gather
from tocwalk.answering.model import answer_model
from tocwalk.answering.sharing import exceeded_by, sum_usage
from tocwalk.answering.state import AnswerState
from tocwalk.models.asking import Prompt, ask
from tocwalk.models.cancellation import CallCancelled
from tocwalk.models.model import ChatModel, handed_over
from tocwalk.models.spending import add_usage
from tocwalk.models.usage import Ledger
from tocwalk.nodes.background import in_background
from tocwalk.nodes.cancelling import cancellation_of_calls, is_cancelled, take_flag
from tocwalk.nodes.services import Services
from tocwalk.nodes.telling import label_calls, log_step, milliseconds
from tocwalk.state import Update, UsageTotals

__all__ = ["AnswerServices", "label_documents", "node", "settings_of", "spent_so_far", "visits_left"]

T = TypeVar("T")

_DOCUMENTS = 10
"""Named at most in a label."""


@dataclass(frozen=True, kw_only=True)
class AnswerServices:
    """Shared by all runs of one graph."""

    walk: Services
    """Those of the walks, whose index and operator are the answer's too."""
    model: BaseChatModel | None = None
    """Handed over in code; serves instead of what is named."""

    def answer_model(self, settings: AnswerContext) -> ChatModel:
        """Return the model that answers; see `model.answer_model` for what it raises."""
        return self._handed_over or answer_model(settings.answer_model, self.walk.operator)

    def evidence(self, state: AnswerState) -> Evidence:
        """Read what there is to answer from; blocks."""
        outlines = Outlines(self.walk.open_index(), state["request"]["corpus"])
        return gather(outlines, state["found"], max_tokens=settings_of(state).evidence_tokens)

    async def ask(
        self, settings: AnswerContext, prompt: Prompt[T], spent: UsageTotals, *, config: RunnableConfig
    ) -> tuple[T | None, UsageTotals]:
        """Ask the model; return what it says, and `spent` with what that has cost.

        None where the run is cancelled, by its token or by the flag in the store: the call in flight is aborted, and
        what it has cost still counts.
        """
        runtime = get_runtime(AnswerContext)
        if await asyncio.to_thread(is_cancelled, config, runtime):
            return None, spent
        # The first import of a provider blocks.
        model = await asyncio.to_thread(self.answer_model, settings)
        ledger = Ledger()
        said: T | None = None
        try:
            async with cancellation_of_calls(config, runtime) as cancellation:
                reply = await ask(
                    model,
                    prompt,
                    timeout_s=settings.answer_timeout_s,
                    timeout_name="answer_timeout_s",
                    cancellation=cancellation,
                    ledger=ledger,
                )
            said = reply.value
        except CallCancelled:
            await asyncio.to_thread(take_flag, config, runtime)
        return said, add_usage(spent, ledger.total, self.walk.operator.price(model.name))

    def exceeded_by(self, state: AnswerState, prompt: Prompt[Any]) -> str:
        """Return the budget of the run that asking this would exceed, "" for none. Blocks."""
        settings = settings_of(state)
        price = self.walk.operator.price(self.answer_model(settings).name)
        return exceeded_by(prompt.tokens, settings, spent_so_far(state), price)

    @cached_property
    def _handed_over(self) -> ChatModel | None:
        return None if self.model is None else handed_over(self.model, self.walk.operator)


def node(
    name: str, function: Callable[[Any, RunnableConfig], Coroutine[Any, Any, Update]]
) -> RunnableLambda[Any, Update]:
    """Return an asynchronous node that works in synchronous runs too, and is logged."""

    async def native(state: Any, config: RunnableConfig) -> Update:
        begun = time.perf_counter()
        if "request" in state:
            label_calls(corpus=state["request"]["corpus"])
        try:
            update = await function(state, config)
        except Exception as error:
            failed = type(error).__name__
            log_step("answer", "step_failed", level=logging.WARNING, step=name, error=failed, ms=milliseconds(begun))
            raise
        log_step("answer", "step_ended", step=name, ms=milliseconds(begun))
        return update

    def blocking(state: Any, config: RunnableConfig) -> Update:
        return in_background(native(state, config))

    return RunnableLambda(blocking, afunc=native, name=name)


def label_documents(ids: Iterable[str]) -> None:
    """Name the documents that the running node's model calls are about, where traces are searched for them."""
    unique = list(dict.fromkeys(ids))
    label_calls(document=", ".join([*unique[:_DOCUMENTS], *(["…"] if len(unique) > _DOCUMENTS else [])]))


def settings_of(state: AnswerState) -> AnswerContext:
    """Return the settings as the run began."""
    return AnswerContext(**state["settings"])


def visits_left(state: AnswerState) -> int:
    """Return what no walk of this run has spent yet."""
    return state["request"]["visits"] - sum(one["usage"]["visits"] for one in state["found"].values())


def spent_so_far(state: AnswerState) -> UsageTotals:
    """Return what walks and answering model have cost."""
    return sum_usage([state["spent"], *(one["usage"] for one in state["found"].values())])
