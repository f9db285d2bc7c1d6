"""The order in which sections are summarised: each as soon as all below it are, otherwise all at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from tocwalk.tree import Section

__all__ = ["bottom_up", "children_of"]

T = TypeVar("T")


def children_of(sections: Sequence[Section]) -> list[list[int]]:
    """Return the positions of what is directly below each section, in reading order."""
    positions = {section.id: position for position, section in enumerate(sections)}
    children: list[list[int]] = [[] for _ in sections]
    for position, section in enumerate(sections):
        if section.parent is not None:
            children[positions[section.parent]].append(position)
    return children


async def bottom_up(children: Sequence[Sequence[int]], make: Callable[[int, Sequence[T]], Awaitable[T]]) -> Sequence[T]:
    """Return what `make` returns for each section.

    Args:
        children: Positions of what is below each section, all larger than its own: sections in reading order.
        make: Called once for each position, with what it has returned for those below; for many at the same time.

    Raises:
        Exception: What `make` raised first; all that was under way is cancelled.
    """
    tasks: dict[int, asyncio.Task[T]] = {}

    async def made(position: int) -> T:
        return await make(position, [await tasks[child] for child in children[position]])

    try:
        async with asyncio.TaskGroup() as group:
            for position in reversed(range(len(children))):
                tasks[position] = group.create_task(made(position))
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [tasks[position].result() for position in range(len(children))]
