"""A question, and the walk that answers it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tocwalk.cli.interrupting import cancelled_by_interrupt
from tocwalk.cli.judges import check_judge
from tocwalk.cli.scope import Scope
from tocwalk.errors import InputError
from tocwalk.graph import WalkGraph, build_retrieval_graph
from tocwalk.navigators.protocol import Cancellation
from tocwalk.state import WalkContext, WalkOutput
from tocwalk.state.operator import OperatorSettings

__all__ = ["Question", "Walked", "graph_of", "walk"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked, of what, and how."""

    query: str
    corpus: str
    documents: tuple[str, ...]
    """Ids; none: all documents."""
    filters: Mapping[str, Any]
    settings: WalkContext

    def check(self) -> None:
        """Raise what can be told before any document is read.

        Raises:
            InputError: The question is blank.
            ConfigurationError: No navigator can judge.
        """
        if not self.query.strip():
            raise InputError(f"The question is blank, got {self.query!r}: ask something.")
        check_judge(self.settings.navigator_model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """What came of a question."""

    output: WalkOutput
    seconds: float
    """Wall clock of the walk."""
    interrupted: bool
    """Whether Ctrl-C ended it."""

    @property
    def generation(self) -> int:
        """The generation of the index that the walk saw."""
        return int(self.output["trace"][0]["generation"])


def graph_of(question: Question, scope: Scope, *, cache: bool) -> WalkGraph:
    """Return the graph that walks for a question.

    Args:
        question: Checked.
        scope: What is asked.
        cache: False: ask the navigator even what is kept from before, and keep nothing; True: as the operator says.

    Raises:
        NotFoundError: A document that the question names is not there.
    """
    for document_id in question.documents:
        scope.index.document(question.corpus, document_id)
    operator = OperatorSettings.from_environment()
    if not cache:
        operator = operator.model_copy(update={"decision_cache": False})
    return build_retrieval_graph(index=scope.index, operator=operator)


def walk(
    question: Question, graph: WalkGraph, *, before_end: Callable[[], None], on_event: Callable[[dict[str, Any]], None]
) -> Walked:
    """Walk to the end, or until Ctrl-C.

    Args:
        question: What is asked.
        graph: Who walks.
        before_end: Called when a second Ctrl-C ends the process.
        on_event: Called with each step as it happens.

    Raises:
        TocwalkError: What the walk raises.
    """
    token = Cancellation()
    begun = time.perf_counter()
    values: dict[str, Any] = {}
    with cancelled_by_interrupt(token, before_end=before_end):
        for mode, part in graph.stream(
            _input(question),
            {"configurable": {"cancellation": token}},
            context=question.settings,
            stream_mode=["custom", "values"],
            output_keys=list(WalkOutput.__annotations__),
        ):
            if mode == "custom":
                on_event(part)
            else:
                values = part
    return Walked(output=cast(WalkOutput, values), seconds=time.perf_counter() - begun, interrupted=token.cancelled)


def _input(question: Question) -> dict[str, Any]:
    return {
        "query": question.query,
        "corpus": question.corpus,
        "only_documents": list(question.documents) or None,
        "filters": dict(question.filters) or None,
    }
