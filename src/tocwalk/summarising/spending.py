"""What a run may spend on summaries, and when it stops asking."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from tocwalk.models.spending import cost_of
from tocwalk.models.usage import Usage
from tocwalk.state.operator import Price

__all__ = ["FAILURES_IN_A_ROW", "Budget", "Spending"]

FAILURES_IN_A_ROW = 10
"""After so many calls without an answer no more are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What may be spent; None: without limit."""

    tokens: int | None = None
    """Input and output together."""
    cost: float | None = None
    price: Price | None = None

    def covers(self, usage: Usage) -> bool:
        """Whether it is enough for this usage."""
        tokens, cost = usage.input_tokens + usage.output_tokens, self.cost_of(usage)
        return (self.tokens is None or tokens <= self.tokens) and (
            self.cost is None or cost is None or cost <= self.cost
        )

    def cost_of(self, usage: Usage) -> float | None:
        """Return what this usage costs, None where no price is known."""
        return cost_of(usage, self.price)

    def __str__(self) -> str:
        limits = [f"{self.tokens:,} tokens"] if self.tokens is not None else []
        return " or ".join([*limits, *([f"{self.cost:g}"] if self.cost is not None else [])])


@dataclass(slots=True)
class Spending:
    """What has been spent so far. Calls are admitted on one event loop; read it from anywhere."""

    budget: Budget
    usage: Usage = field(default_factory=Usage)
    counts: Counter[str] = field(default_factory=Counter[str])
    """Sections by how they came by their summary: see `tocwalk.summarising.writing.Written.how`."""
    stopped: str = ""
    """Why no more calls are made; empty while they are."""
    _reserved: list[Usage] = field(default_factory=list[Usage])
    _failed: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def cost(self) -> float | None:
        """What has been spent in money, None where no price is known."""
        return self.budget.cost_of(self.usage)

    async def admit(self, estimate: Usage) -> bool:
        """Whether a call may be made; if so, `settle` must follow.

        Where the budget is enough only if calls under way cost less than was estimated, it waits for them. Once it is
        not enough for a call, no more are made.
        """
        while not self.stopped:
            if self.budget.covers(sum(self._reserved, self.usage) + estimate):
                self._reserved.append(estimate)
                return True
            if not self._reserved:
                self.stop(f"the budget of {self.budget} is spent")
                break
            self._changed.clear()
            await self._changed.wait()
        return False

    def settle(self, estimate: Usage, used: Usage, *, failure: str = "") -> None:
        """Put what a call has used in the place of its estimate.

        Args:
            estimate: As it was admitted.
            used: Of all tries.
            failure: Why it came to nothing, where the reason may be that of all calls.
        """
        self._reserved.remove(estimate)
        self.usage += used
        self._failed = self._failed + 1 if failure else 0
        if self._failed == FAILURES_IN_A_ROW:
            self.stop(f"{FAILURES_IN_A_ROW} calls in a row came to nothing, the last because: {failure}")
        self._changed.set()

    def stop(self, reason: str) -> None:
        """Make no more calls. The first reason stays."""
        self.stopped = self.stopped or reason
        self._changed.set()  # nobody needs to wait any more
