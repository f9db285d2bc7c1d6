"""What calls of models have cost, in tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tocwalk.models.encodable import encodable
from tocwalk.models.replies import as_object
from tocwalk.tree import tokens_of_bytes

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

__all__ = ["Ledger", "Usage", "usage_of", "usage_of_aborted", "usage_of_failed"]


_MOST_TOKENS = 10**9
"""Of one call: no model takes or writes as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What calls have cost. All zero where no model was called."""

    calls: int = 0
    """Requests sent to a model."""
    input_tokens: int = 0
    """Cached ones included."""
    output_tokens: int = 0
    """Those of reasoning included."""
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    estimated: bool = False
    """True where the provider sent no count and the numbers are ours."""
    cached_decisions: int = 0
    """Decisions that were there already: no model was called for them."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            estimated=self.estimated or other.estimated,
            cached_decisions=self.cached_decisions + other.cached_decisions,
        )


class Ledger:
    """What has been spent on one thing that was asked for; calls that came to nothing are in it too.

    Attributes:
        total: The sum so far.
    """

    def __init__(self) -> None:
        self.total = Usage()

    def note(self, usage: Usage) -> None:
        """Add what a call has cost."""
        self.total += usage


def usage_of(answer: AIMessage, messages: Sequence[BaseMessage], written: str) -> Usage:
    """Return what a call used, as the provider says; estimated where it says nothing.

    Args:
        answer: The model's message.
        messages: What it was sent.
        written: What it wrote, the arguments of tool calls included.
    """
    if (said := answer.usage_metadata) is not None and _are_counts(said["input_tokens"], said["output_tokens"]):
        return Usage(
            calls=1,
            input_tokens=said["input_tokens"],
            output_tokens=said["output_tokens"],
            cached_tokens=_part(said.get("input_token_details", {}).get("cache_read"), said["input_tokens"]),
            reasoning_tokens=_part(said.get("output_token_details", {}).get("reasoning"), said["output_tokens"]),
        )
    # Streamed with a schema, langchain-openai leaves the provider's counts here alone.
    counted = _counted(answer.response_metadata.get("token_usage") or {})
    if counted is not None:
        return counted
    return Usage(
        calls=1,
        input_tokens=_estimate(messages),
        output_tokens=tokens_of_bytes(len(encodable(written).encode())),
        estimated=True,
    )


def usage_of_failed(error: Exception) -> Usage:
    """Return what a call used that ended with a provider's exception: its tokens only where the exception tells."""
    usage = getattr(getattr(error, "completion", None), "usage", None)  # of openai.LengthFinishReasonError
    dump = getattr(usage, "model_dump", None)
    return (_counted(dump()) if callable(dump) else None) or Usage(calls=1)


def usage_of_aborted(messages: Sequence[BaseMessage]) -> Usage:
    """Return what a call has used that was ended from our side: what was sent is paid for, how much we estimate."""
    return Usage(calls=1, input_tokens=_estimate(messages), estimated=True)


def _counted(raw: Any) -> Usage | None:
    """Return the usage of an answer in OpenAI's form, None where there is none."""
    if not isinstance(raw, Mapping):
        return None
    said: Mapping[str, Any] = raw  # pyright: ignore[reportUnknownVariableType]
    if not _are_counts(said.get("prompt_tokens"), said.get("completion_tokens")):
        return None
    read = as_object(said.get("prompt_tokens_details")) or {}
    wrote = as_object(said.get("completion_tokens_details")) or {}
    return Usage(
        calls=1,
        input_tokens=said["prompt_tokens"],
        output_tokens=said["completion_tokens"],
        cached_tokens=_part(read.get("cached_tokens"), said["prompt_tokens"]),
        reasoning_tokens=_part(wrote.get("reasoning_tokens"), said["completion_tokens"]),
    )


def _are_counts(*said: Any) -> bool:
    """Whether these can be counts of tokens: a server may write anything."""
    return all(type(count) is int and 0 <= count <= _MOST_TOKENS for count in said)


def _part(said: Any, of: int) -> int:
    """Return how many of the tokens are of one kind; 0 where the server says nothing that can be."""
    return min(said, of) if _are_counts(said) else 0


def _estimate(messages: Sequence[BaseMessage]) -> int:
    return tokens_of_bytes(sum(len(encodable(message.text).encode()) for message in messages))
