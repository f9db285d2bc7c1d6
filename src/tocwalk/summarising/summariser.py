"""Documents whose sections are summarised by a model."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from tocwalk.errors import SettingsError
from tocwalk.models.model import handed_over
from tocwalk.models.resolving import chat_model
from tocwalk.models.usage import Usage
from tocwalk.state.operator import OperatorSettings
from tocwalk.summarising.bottom_up import bottom_up, children_of
from tocwalk.summarising.event_loop import EventLoop
from tocwalk.summarising.material import material_of
from tocwalk.summarising.spending import Budget, Spending
from tocwalk.summarising.writing import Cache, Writer, Written
from tocwalk.tree import Document

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["Summarised", "Summariser", "SummariserSettings"]

_MOST_PARALLEL = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class SummariserSettings:
    """How a model is asked, and what may be spent."""

    parallel: int = 4
    """Calls in flight at once, over all documents."""
    max_tokens: int | None = None
    """Input and output tokens spent at most; None: no limit."""
    max_cost: float | None = None
    """Money spent at most, by the operator's prices; None: no limit."""
    summary_timeout_s: float = 120.0
    """Wall clock for one summary, retries included."""

    def check(self) -> None:
        """Raise `SettingsError` unless the settings can be used."""
        if not 1 <= self.parallel <= _MOST_PARALLEL:
            raise SettingsError(f"parallel={self.parallel!r} must be from 1 to {_MOST_PARALLEL}.")
        if not 0 < self.summary_timeout_s < math.inf:
            raise SettingsError(f"summary_timeout_s={self.summary_timeout_s!r} must be a positive number of seconds.")
        for name, limit in (("max_tokens", self.max_tokens), ("max_cost", self.max_cost)):
            if limit is not None and not 0 <= limit < math.inf:
                raise SettingsError(f"{name}={limit!r} must be 0 or more, or None for no limit.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """A document with summaries, and how they came to be."""

    document: Document
    """As it was, with summaries; with a warning where some are not the model's."""
    made_by: str
    """For `TreeIndex.put(summaries=...)`: model and version, and where some are missing how many and (a hash) which."""
    counts: Mapping[str, int]
    """Sections by how they came by their summary: `text`, `kept`, `written`, `lead`; see `writing.How`."""
    instead: Mapping[str, int]
    """Of those that kept the summary they came with (`lead`): how many for which reason."""
    usage: Usage
    """What this document has cost."""

    @property
    def missing(self) -> int:
        """Sections that kept the summary they came with."""
        return self.counts.get("lead", 0)


class Summariser:
    """Has a model write summaries, bottom-up: leaves from their text, parents from the summaries below and their text.

    What has been written is kept at once and never paid for again, whatever becomes of the process. A section that the
    model gives no summary of, once its retries are spent, keeps the summary it came with, and the document says so.

    Use it as a context manager. `summarise` may be called from several threads; the limits hold over all of them.
    """

    def __init__(
        self,
        model: str | BaseChatModel,
        cache: Cache,
        *,
        settings: SummariserSettings | None = None,
        operator: OperatorSettings | None = None,
        on_progress: Callable[[Spending], None] | None = None,
    ) -> None:
        """Find the model; nothing is asked yet.

        Args:
            model: A name like "openai:gpt-5-mini", or a LangChain chat model.
            cache: Where summaries are kept: a `SummaryCache` of the index.
            settings: None for the defaults.
            operator: Allow-list, address, key, prices; None: the environment's.
            on_progress: Called after each section that needs the model, with what has been spent so far; in another
                thread.

        Raises:
            SettingsError: A setting is out of bounds, or `max_cost` is set for a model without a price.
            NavigatorResolutionError: There is no such model, or the operator does not allow it.
            CredentialError: There is no key.
        """
        chosen, operator = settings or SummariserSettings(), operator or OperatorSettings.from_environment()
        chosen.check()
        asked = chat_model(model, operator) if isinstance(model, str) else handed_over(model, operator)
        price = operator.price(asked.name)
        if chosen.max_cost is not None and price is None:
            needs = f"max_cost={chosen.max_cost!r} needs the price of {asked.name!r}"
            raise SettingsError(f"{needs}: set TOCWALK_PRICES, or use max_tokens.")
        self.spending = Spending(Budget(tokens=chosen.max_tokens, cost=chosen.max_cost, price=price))
        self._writer = Writer(asked, cache, self.spending, parallel=chosen.parallel, timeout_s=chosen.summary_timeout_s)
        self._on_progress = on_progress
        self._loop = EventLoop()

    def __enter__(self) -> Self:
        """Return the summariser itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the summariser."""
        self.close()

    @property
    def made_by(self) -> str:
        """How complete summaries are made: what `TreeIndex.unchanged` is asked about."""
        return self._writer.made_by

    def close(self) -> None:
        """End the calls in flight, which are paid for but lost, and the connections."""
        self._loop.close()

    def summarise(self, document: Document) -> Summarised:
        """Return the document with the model's summaries. Blocks until all of its sections are done.

        Args:
            document: Its summaries, those of `read_document` for example, stay where the model gives none.

        Raises:
            ConfigurationError: The provider refuses the key or the request.
            IndexStoreError: The summaries that are kept cannot be looked at.
            RuntimeError: The summariser is closed.
        """
        return _summarised(document, self._loop.run(self._written(document)), self.made_by)

    async def _written(self, document: Document) -> Sequence[Written]:
        sections = document.sections
        children = children_of(sections)

        async def written(position: int, below: Sequence[Written]) -> Written:
            of = zip(children[position], below, strict=True)
            material = material_of(document, sections[position], [(sections[child], one.text) for child, one in of])
            made = await self._writer.summary(material, lead=sections[position].summary)
            self.spending.counts[made.how] += 1
            if made.how != "text" and self._on_progress:
                self._on_progress(self.spending)
            return made

        return await bottom_up(children, written)


def _which(document: Document, written: Sequence[Written]) -> str:
    """Return what tells the sections whose summaries are missing from any others."""
    ids = [section.id for section, one in zip(document.sections, written, strict=True) if one.reason]
    return hashlib.sha256("\0".join(ids).encode(errors="replace")).hexdigest()[:8]


def _summarised(document: Document, written: Sequence[Written], made_by: str) -> Summarised:
    instead = Counter(one.reason for one in written if one.reason)
    missing, of = instead.total(), len(written)
    warnings = document.warnings
    if missing:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(instead.items()))
        warnings += (f"The model gave no summary of {missing} of {of} sections ({reasons}): they keep their lead.",)
        made_by += f", {missing} of {of} missing ({_which(document, written)})"
    sections = tuple(
        dataclasses.replace(section, summary=one.text) for section, one in zip(document.sections, written, strict=True)
    )
    return Summarised(
        document=dataclasses.replace(document, sections=sections, warnings=warnings),
        made_by=made_by,
        counts=Counter(one.how for one in written),
        instead=instead,
        usage=sum((one.usage for one in written), Usage()),
    )
