"""What is asked of a system, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from tocwalk.evals.cases import Case
from tocwalk.evals.gold import Target
from tocwalk.navigators.protocol import Cancellation
from tocwalk.state import TextScope

__all__ = ["Answer", "LandedRecord", "Question", "System"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A case, ready to be asked."""

    case: Case
    document: str
    """Id of the document that the case is about."""
    only: tuple[str, ...] | None
    """Ids of the documents that are asked; None: all of the corpus."""
    targets: tuple[Target, ...]
    """Its gold in the tree: what answers are judged by, and what the oracle knows."""


class LandedRecord(BaseModel):
    """A landed section, without its text."""

    model_config = ConfigDict(frozen=True)

    id: str
    document: str
    text_scope: TextScope
    stop_reason: str | None
    """None where no walk landed it."""
    tokens: int
    """Of the text with which it landed."""


class Answer(BaseModel):
    """What a system answered to one question, and what that cost."""

    model_config = ConfigDict(frozen=True)

    landed: tuple[LandedRecord, ...] = ()
    """Best first."""
    stop_reason: str | None = None
    """None where there was no walk."""
    visits: int = 0
    calls: int = 0
    """Requests sent to a model."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    trace: tuple[dict[str, Any], ...] = ()
    error: str = ""
    """Why there is no answer; empty where there is one."""

    @property
    def offers(self) -> list[int]:
        """The tokens of each outline that the navigator was shown."""
        return [entry["offer"]["tokens"] for entry in self.trace if entry["event"] == "open"]


class System(Protocol):
    """Something that is asked the questions: a navigator walking, or a baseline. Safe for use by many threads."""

    @property
    def name(self) -> str:
        """What it is called in results."""
        ...

    def depends_on(self, question: Question) -> Mapping[str, Any]:
        """Return what its answer depends on, beside its name, the question and the documents; JSON values."""
        ...

    def answer(self, question: Question, cancellation: Cancellation) -> Answer:
        """Answer; blocks.

        Raises:
            ConfigurationError: It can answer nothing as it is set up.
            IndexStoreError: The index cannot be read, or has changed since the evaluation began.
        """
        ...
