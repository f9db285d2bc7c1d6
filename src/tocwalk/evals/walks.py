"""Systems that walk: a navigator, with the settings of its walks."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol

from tocwalk.errors import NavigatorError, ProviderConfigurationError
from tocwalk.evals.answers import Answer, LandedRecord, Question
from tocwalk.evals.outlines import Library
from tocwalk.graph import WalkGraph, build_retrieval_graph
from tocwalk.navigators.protocol import Cancellation
from tocwalk.state import LandedSection, WalkContext, WalkOutput
from tocwalk.state.operator import OperatorSettings
from tocwalk.tree import tokens_of_bytes

__all__ = ["Graphs", "OneGraph", "WalkingSystem"]


class Graphs(Protocol):
    """Gives the graph that walks for a question."""

    def of(self, question: Question) -> WalkGraph:
        """Return it."""
        ...

    def depends_on(self, question: Question) -> Mapping[str, Any]:
        """Return what its navigator's decisions depend on, beside the model, the question and the documents."""
        ...


class OneGraph:
    """The same graph, whatever is asked."""

    def __init__(self, library: Library, navigator: object | None, about: Mapping[str, Any]) -> None:
        """Build it.

        Args:
            library: What is asked.
            navigator: Who judges; None: who the settings name.
            about: What the navigator's decisions depend on.
        """
        # What is measured is what asking costs, not what is left to ask; answers are kept by the evaluation itself.
        operator = OperatorSettings.from_environment().model_copy(update={"decision_cache": False})
        self._graph = build_retrieval_graph(index=library.index, navigator=navigator, operator=operator)
        # Where a model is served, and how far walks may go: the same model elsewhere may be another.
        self._about = {**about, "operator": operator.model_dump(mode="json", include={"openai_base_url", "max_visits"})}

    def of(self, question: Question) -> WalkGraph:  # noqa: ARG002 - the protocol's signature
        """Return it."""
        return self._graph

    def depends_on(self, question: Question) -> Mapping[str, Any]:  # noqa: ARG002
        """Return what was said of the navigator, and what the operator sets."""
        return self._about


class WalkingSystem:
    """Answers each question by a walk."""

    def __init__(
        self,
        name: str,
        library: Library,
        graphs: Graphs,
        settings: WalkContext,
        *,
        may_be_too_long: bool = False,
    ) -> None:
        """Prepare to walk.

        Args:
            name: In results.
            library: What is asked.
            graphs: Who walks.
            settings: Of each walk.
            may_be_too_long: What is asked may be longer than a model takes, so that a request that the provider rejects
                is no answer to one question; else it says that nothing can be asked as things are set up.
        """
        self.name = name
        self._library = library
        self._graphs = graphs
        self._settings = settings
        self._may_be_too_long = may_be_too_long

    def depends_on(self, question: Question) -> Mapping[str, Any]:
        """Return the settings, and what the navigator depends on."""
        return {"settings": self._settings.model_dump(mode="json"), **self._graphs.depends_on(question)}

    def answer(self, question: Question, cancellation: Cancellation) -> Answer:
        """Walk; a navigator that gives no decision is an answer too, with an error."""
        request = {
            "query": question.case.question,
            "corpus": self._library.corpus,
            "only_documents": None if question.only is None else list(question.only),
        }
        config: Any = {"configurable": {"cancellation": cancellation}}
        begun = time.perf_counter()
        try:
            output: Any = self._graphs.of(question).invoke(request, config, context=self._settings)
        except NavigatorError as error:
            return Answer(error=f"{error.reason}: {error}", seconds=time.perf_counter() - begun)
        except ProviderConfigurationError as error:
            if not self._may_be_too_long:
                raise
            return Answer(error=f"rejected: {error}", seconds=time.perf_counter() - begun)
        return self._answer(output, time.perf_counter() - begun)

    def _answer(self, output: WalkOutput, seconds: float) -> Answer:
        if output["trace"][0]["generation"] != self._library.generation:
            raise self._library.changed()
        usage = output["usage"]
        return Answer(
            landed=tuple(map(_landed, output["sections"])),
            stop_reason=output["stop_reason"],
            visits=usage["visits"],
            calls=usage["model_calls"],
            input_tokens=usage["input_tokens"],
            output_tokens=usage["output_tokens"],
            cached_tokens=usage["cached_tokens"],
            cost=usage["cost"],
            seconds=seconds,
            trace=tuple(output["trace"]),
        )


def _landed(section: LandedSection) -> LandedRecord:
    return LandedRecord(
        id=section["id"],
        document=section["document"],
        text_scope=section["text_scope"],
        stop_reason=section["stop_reason"],
        tokens=tokens_of_bytes(len(section["text"].encode())),
    )
