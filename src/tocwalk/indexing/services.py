"""What the nodes of the graph `index` work with and the state does not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tocwalk.index import TreeIndex
from tocwalk.state.operator import OperatorSettings

__all__ = ["IndexServices"]


@dataclass(frozen=True, kw_only=True)
class IndexServices:
    """Shared by all runs of one graph."""

    open_index: Callable[[], TreeIndex]
    """Returns the index, to be written; called at each use, and blocks."""
    operator: OperatorSettings
    jobs: int
    """Documents that one run reads at once."""
