"""Who writes the summaries of what is indexed."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from tocwalk.index import SummaryCache, TreeIndex
from tocwalk.state.operator import OperatorSettings
from tocwalk.summarising import Spending, Summariser, SummariserSettings

__all__ = ["summariser_for"]


@contextmanager
def summariser_for(
    index: TreeIndex,
    model: str | None,
    settings: SummariserSettings,
    *,
    operator: OperatorSettings | None = None,
    on_progress: Callable[[Spending], None],
) -> Generator[Summariser | None]:
    """Open what writes summaries for as long as the context lasts.

    Args:
        index: Where they are kept, for its tenant alone.
        model: A name like "openai:gpt-5-mini"; None or "": none writes any.
        settings: How it is asked, and what may be spent.
        operator: Allow-list, address, key, prices; None: the environment's.
        on_progress: As `Summariser` has it.

    Raises:
        ConfigurationError: The model cannot be asked.
        ReadOnlyIndexError: Nothing can be kept in the index.
    """
    if not model:
        yield None
        return
    with (
        SummaryCache(index.location, tenant=index.tenant) as cache,
        Summariser(model, cache, settings=settings, operator=operator, on_progress=on_progress) as summariser,
    ):
        yield summariser
