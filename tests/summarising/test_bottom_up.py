"""The order in which sections are summarised."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from long_documents import manual

from tocwalk.summarising.bottom_up import bottom_up, children_of


@given(st.lists(st.integers(0, 3), max_size=30))
def test_children_come_before_their_parents(steps: list[int]) -> None:
    """In a tree of any shape each section is made once, of what was made for those directly below, in order."""
    depth, outline = 0, list[tuple[int, str, str]]()
    for number, up in enumerate(steps):
        depth = max(1, depth + 1 - up)
        outline.append((depth, f"s{number}", ""))
    sections = manual(outline).sections
    made: list[int] = []

    async def make(position: int, below: Sequence[str]) -> str:
        await asyncio.sleep(0)
        made.append(position)
        return f"{sections[position].title}({' '.join(below)})"

    async def run() -> Sequence[str]:
        return await bottom_up(children_of(sections), make)

    results = asyncio.run(run())
    assert sorted(made) == list(range(len(sections)))
    for section, result in zip(sections, results, strict=True):
        below = [results[i] for i, other in enumerate(sections) if other.parent == section.id]
        assert result == f"{section.title}({' '.join(below)})"


async def test_leaves_are_made_at_the_same_time() -> None:
    """What does not wait for another is under way at once, wherever it stands."""
    together = asyncio.Barrier(3)

    async def make(position: int, below: Sequence[int]) -> int:
        if not below:
            await asyncio.wait_for(together.wait(), 60)
        return position

    assert await bottom_up([[1, 4], [2, 3], [], [], []], make) == [0, 1, 2, 3, 4]


async def test_the_first_failure_ends_all() -> None:
    """An error comes out as it was raised, and what was under way is cancelled."""
    cancelled: list[int] = []

    async def make(position: int, below: Sequence[int]) -> int:
        if position == 1:
            raise ValueError("as asked")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(position)
            raise
        return position

    with pytest.raises(ValueError, match="as asked"):
        await bottom_up([[1, 2], [], []], make)
    assert cancelled == [2]
