"""Ask long, structured documents a question; get back whole, named sections.

The names below are the public library. Each is imported from its home when it is first used, so that
`import tocwalk` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tocwalk.errors import TocwalkError
    from tocwalk.graph import build_retrieval_graph, retrieval_graph
    from tocwalk.index import TreeIndex
    from tocwalk.ingest import read_document
    from tocwalk.navigators.protocol import Cancellation, Decision, Navigator, NavigatorRequest, Pick
    from tocwalk.state import WalkContext

    __version__: str
    """Version of the installed distribution."""

__all__ = [
    "Cancellation",
    "Decision",
    "Navigator",
    "NavigatorRequest",
    "Pick",
    "TocwalkError",
    "TreeIndex",
    "WalkContext",
    "build_retrieval_graph",
    "read_document",
    "retrieval_graph",
]

_HOMES = {
    "Cancellation": "tocwalk.navigators.protocol",
    "Decision": "tocwalk.navigators.protocol",
    "Navigator": "tocwalk.navigators.protocol",
    "NavigatorRequest": "tocwalk.navigators.protocol",
    "Pick": "tocwalk.navigators.protocol",
    "TocwalkError": "tocwalk.errors",
    "TreeIndex": "tocwalk.index",
    "WalkContext": "tocwalk.state",
    "build_retrieval_graph": "tocwalk.graph",
    "read_document": "tocwalk.ingest",
    "retrieval_graph": "tocwalk.graph",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tocwalk")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, "__version__"])
