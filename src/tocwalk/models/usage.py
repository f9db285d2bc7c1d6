"""What calls of models have cost, in tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

from tocwalk.models.encodable import encodable
from tocwalk.models.replies import as_object
from tocwalk.tree import tokens_of_bytes

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

    from tocwalk.state import UsageRecord

__all__ = ["Ledger", "Usage", "usable_usage", "usage_of", "usage_of_aborted"]


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

    def record(self) -> UsageRecord:
        """Return it as JSON values, as the state keeps it."""
        return cast("UsageRecord", asdict(self))

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
    """Return what a call used, as the provider says; estimated where it says nothing that can be.

    Args:
        answer: The model's message.
        messages: What it was sent.
        written: What it wrote, the arguments of tool calls included.
    """
    said = as_object(answer.usage_metadata) or {}
    read, wrote = _count(said, "input_tokens"), _count(said, "output_tokens")
    # Packages make 0 of a count that is missing.
    if not read or wrote is None or (written and not wrote):
        return Usage(
            calls=1,
            input_tokens=_estimate(messages),
            output_tokens=tokens_of_bytes(len(encodable(written).encode())),
            estimated=True,
        )
    return Usage(
        calls=1,
        input_tokens=read,
        output_tokens=wrote,
        cached_tokens=_part(said.get("input_token_details"), "cache_read", of=read),
        reasoning_tokens=_part(said.get("output_token_details"), "reasoning", of=wrote),
    )


def usage_of_aborted(messages: Sequence[BaseMessage]) -> Usage:
    """Return what a call has used that was ended from our side: what was sent is paid for, how much we estimate."""
    return Usage(calls=1, input_tokens=_estimate(messages), estimated=True)


def usable_usage(said: object) -> dict[str, Any] | None:
    """Return the usage of an answer in OpenAI's form, with nothing in it but counts; None where it has none of its own.

    Args:
        said: What the server sent under that name: anything.
    """
    usage = as_object(said) or {}
    read, wrote = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    if read is None or wrote is None:
        return None
    cached = _part(usage.get("prompt_tokens_details"), "cached_tokens", of=read)
    reasoning = _part(usage.get("completion_tokens_details"), "reasoning_tokens", of=wrote)
    return {
        "prompt_tokens": read,
        "completion_tokens": wrote,
        "total_tokens": read + wrote,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }


def _count(said: Mapping[str, Any], name: str) -> int | None:
    """Return a number of tokens; None where what is said, which may be anything, cannot be one."""
    count = said.get(name)
    return count if type(count) is int and 0 <= count <= _MOST_TOKENS else None


def _part(details: object, name: str, *, of: int) -> int:
    """Return how many of the tokens are of one kind; 0 where nothing is said of it that can be."""
    return min(of, _count(as_object(details) or {}, name) or 0)


def _estimate(messages: Sequence[BaseMessage]) -> int:
    return tokens_of_bytes(sum(len(encodable(message.text).encode()) for message in messages))
