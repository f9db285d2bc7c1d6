"""START -> index_documents: read what came with the run, each document for itself, and store its tree."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.channels import EphemeralValue
from langgraph.config import get_stream_writer
from langgraph.runtime import get_runtime
from pydantic import ValidationError
from typing_extensions import TypedDict

from tocwalk.errors import InputError
from tocwalk.index import TreeIndex
from tocwalk.indexing.indexer import Indexer
from tocwalk.indexing.reporting import RunReport
from tocwalk.indexing.roots import opened_files
from tocwalk.indexing.services import IndexServices
from tocwalk.indexing.state import IndexContext, IndexInput, IndexRequest
from tocwalk.indexing.summaries import summariser_for
from tocwalk.indexing.uploads import check_size, uploads
from tocwalk.models.cancellation import Cancellation
from tocwalk.models.spending import NOTHING_SPENT
from tocwalk.nodes.background import in_background
from tocwalk.nodes.cancelling import cancellation_of_calls, is_cancelled, take_flag
from tocwalk.nodes.telling import label_calls
from tocwalk.state import Update
from tocwalk.state.context import settings_error
from tocwalk.state.faults import faults
from tocwalk.state.operator import OperatorSettings
from tocwalk.summarising import Spending, Summariser, SummariserSettings, summaries_report, usage_totals

__all__ = ["ArrivingInput", "index_documents"]


class ArrivingInput(TypedDict, total=False):
    """The input as it comes, before it is checked: `IndexInput` says what it should be."""

    files: Annotated[Any, EphemeralValue]
    texts: Annotated[Any, EphemeralValue]
    paths: Annotated[Any, EphemeralValue]
    corpus: Annotated[Any, EphemeralValue]
    metadata: Annotated[Any, EphemeralValue]


def index_documents(services: IndexServices) -> RunnableLambda[Any, Update]:
    """Return the node. A document that fails is reported and stops no other.

    A run that is cancelled reads no further document and asks no model any more; what it has stored by then stays.
    """

    async def native(state: dict[str, Any], config: RunnableConfig) -> Update:
        runtime = get_runtime()
        async with cancellation_of_calls(config, runtime) as token:
            if await asyncio.to_thread(is_cancelled, config, runtime):
                token.cancel()
            try:
                update = await asyncio.to_thread(_indexed, services, state, token)
            finally:
                token.cancel()  # where this task is cancelled, the thread still runs
        await asyncio.to_thread(take_flag, config, runtime)
        return update

    def blocking(state: dict[str, Any], config: RunnableConfig) -> Update:
        return in_background(native(state, config))

    return RunnableLambda(blocking, afunc=native, name="index_documents")


def _indexed(services: IndexServices, state: dict[str, Any], token: Cancellation) -> Update:
    """Read and store; blocks.

    Raises:
        InputError: Nothing or too much was given, or the corpus cannot have its name.
        SettingsError: Paths were given, but the operator has opened no folder; or a setting cannot be used.
        ReadOnlyIndexError, IndexVersionError: Nothing can be stored.
        ConfigurationError: The model that summarises cannot be asked.
    """
    given, settings, report = _checked(state), _settings(), RunReport(get_stream_writer())
    label_calls(corpus=given.corpus)
    check_size(given, services.operator)
    below = opened_files(given.paths, services.operator.index_roots)
    index = services.open_index()
    with (
        tempfile.TemporaryDirectory(prefix="tocwalk-") as folder,
        _summariser(settings, index, services.operator, on_progress=report.spent) as summariser,
    ):
        count = len(given.files) + len(given.texts) + len(below)
        report.started(corpus=given.corpus, documents=count, summary_model=settings.summary_model)
        indexer = Indexer(
            index=index,
            corpus=given.corpus,
            summaries=settings.summaries,
            summariser=summariser,
            metadata=given.metadata,
            jobs=services.jobs,
        )
        sources = chain(uploads(given, Path(folder)), below)
        indexer.run(sources, on_outcome=report.became, is_cancelled=lambda: token.cancelled)
    usage = usage_totals(summariser.spending) if summariser else NOTHING_SPENT
    cancelled = len(report.documents) < count
    report.ended(usage, cancelled=cancelled)
    return Update(
        request=IndexRequest(corpus=given.corpus, outlines=settings.outlines),
        documents=report.documents,
        index_version=index.generation(given.corpus) if given.corpus in index.corpora() else None,
        outlines=[],
        summaries=summaries_report(summariser) if summariser else None,
        usage=usage,
        cancelled=cancelled,
    )


def _settings() -> IndexContext:
    context: Any = get_runtime().context
    try:
        return context if isinstance(context, IndexContext) else IndexContext.model_validate(context or {})
    except ValidationError as error:
        raise settings_error(error) from error


def _summariser(
    settings: IndexContext, index: TreeIndex, operator: OperatorSettings, *, on_progress: Callable[[Spending], None]
) -> AbstractContextManager[Summariser | None]:
    chosen = SummariserSettings(
        parallel=settings.parallel,
        max_tokens=settings.max_tokens,
        max_cost=settings.max_cost,
        summary_timeout_s=settings.summary_timeout_s,
    )
    return summariser_for(index, settings.summary_model, chosen, operator=operator, on_progress=on_progress)


def _checked(state: dict[str, Any]) -> IndexInput:
    """Check the input.

    Raises:
        InputError: Naming the key, never showing a document.
    """
    try:
        given = IndexInput.model_validate({key: value for key, value in state.items() if value is not None})
    except ValidationError as error:
        raise InputError(f"The input cannot be used: {faults(error, values=False)}.") from error
    if not (given.files or given.texts or given.paths):
        raise InputError("Nothing to index was given: send `files`, `texts` or `paths`.")
    return given
