"""One section's summary: without a model, from the cache, or written by the model."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias
from weakref import WeakValueDictionary

from tocwalk.errors import IndexStoreError, NavigatorError
from tocwalk.models.asking import Prompt, ask
from tocwalk.models.model import ChatModel
from tocwalk.models.usage import Ledger, Usage
from tocwalk.summarising.material import Material, summary_without_model
from tocwalk.summarising.prompt import SUMMARY_VERSION, summary_prompt
from tocwalk.summarising.spending import Spending

__all__ = ["Cache", "How", "Writer", "Written"]

How: TypeAlias = Literal["text", "kept", "written", "lead"]
"""`text`: no model was needed; `kept`: from the cache; `written`: by the model now; `lead`: it came to nothing."""

_OUTPUT_TOKENS = 200
"""What a summary takes, with room for the form around it; what is estimated before a model is seen to use more."""


class Cache(Protocol):
    """Where summaries are kept: `tocwalk.index.SummaryCache`. Its methods block and may be called from any thread."""

    def get(self, key: str) -> str | None:
        """Return what is kept under a key."""
        ...

    def put(self, key: str, text: str) -> str:
        """Keep a summary, and return the one that is kept."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A section's summary, and how it came to be."""

    text: str
    how: How
    usage: Usage = field(default_factory=Usage)
    reason: str = ""
    """For `lead`: `refused`, `invalid`, `timeout`, `unavailable`, `failed`, or `stopped`: no more calls are made."""


class Writer:
    """Makes summaries of the sections of many documents, on one event loop."""

    def __init__(
        self,
        model: ChatModel,
        cache: Cache,
        spending: Spending,
        *,
        parallel: int,
        timeout_s: float,
    ) -> None:
        self._model = model
        self._cache = cache
        self._spending = spending
        self._timeout_s = timeout_s
        self._slots = asyncio.Semaphore(parallel)
        self._under_way: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def made_by(self) -> str:
        """The model and the version of the prompt: what all summaries are made with."""
        return f"{self._model.name}, {SUMMARY_VERSION}"

    async def summary(self, material: Material, *, lead: str) -> Written:
        """Return the summary of a section.

        Args:
            material: What it is made from.
            lead: The summary that the section has without a model: what stays where the model gives none.

        Raises:
            ConfigurationError: The provider refuses the key or the request.
            IndexStoreError: What is kept cannot be looked at.
        """
        text = summary_without_model(material)
        if text is not None:
            return Written(text=text, how="text")
        async with self._slots:  # prompts are made in turn as well: thousands at once would fill the memory
            prompt = summary_prompt(material)
            key = hashlib.sha256(f"{self.made_by}\0{prompt.shown}".encode()).hexdigest()
            # The same text may stand in many places: it is paid for once.
            async with self._under_way.setdefault(key, asyncio.Lock()):
                kept = await asyncio.to_thread(self._cache.get, key)
                if kept is not None:
                    return Written(text=kept, how="kept")
                return await self._written(prompt, key, lead)

    async def _written(self, prompt: Prompt[str], key: str, lead: str) -> Written:
        estimate = self._estimate(prompt)
        if not await self._spending.admit(estimate):
            return Written(text=lead, how="lead", reason="stopped")
        ledger, failure = Ledger(), ""
        try:
            reply = await ask(
                self._model, prompt, timeout_s=self._timeout_s, timeout_name="summary_timeout_s", ledger=ledger
            )
            text = await self._kept(key, reply.value)
        except NavigatorError as error:
            # A refusal is about this text; all else may befall every call.
            failure = "" if error.reason == "refused" else str(error)
            return Written(text=lead, how="lead", usage=ledger.total, reason=error.reason)
        finally:
            self._spending.settle(estimate, ledger.total, failure=failure)
        return Written(text=text, how="written", usage=ledger.total)

    async def _kept(self, key: str, text: str) -> str:
        """Keep a summary. One that cannot be kept is used all the same, and no more are paid for."""
        try:
            return await asyncio.to_thread(self._cache.put, key, text)
        except IndexStoreError as error:
            self._spending.stop(f"summaries cannot be kept: {error}")
            return text

    def _estimate(self, prompt: Prompt[str]) -> Usage:
        """Return what a call is expected to use: what it shows, and as much as calls have written on average."""
        so_far = self._spending.usage
        written = so_far.output_tokens // max(so_far.calls, 1)
        return Usage(calls=1, input_tokens=prompt.tokens, output_tokens=max(written, _OUTPUT_TOKENS))
