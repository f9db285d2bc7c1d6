"""Size of the largest checkpoint after 15 visits, by what is indexed and by how much the navigator says."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Send

from measuring import print_table
from samples import document, even, many_documents
from tocwalk.graph import build_retrieval_graph
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick, PickAction
from tocwalk.testing import FunctionNavigator

_QUERY = "What does the tenant owe when the roof is repaired in the second year, and to whom is it to be paid?"
_WIDE = 500
_REASONING = (0, 200, 2000)
"""Characters of a navigator's own words: none, a sentence or two, more than is kept."""


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with TreeIndex(folder / "many.db") as index:
            index.add_langchain(many_documents(20, _WIDE, 4))
            _print_sizes("Walks over 10,000 documents", _sizes("10,000 documents", index))
        rows: list[list[object]] = []
        for leaves in (5, 50, 500):
            large = document("Manual", even((4, 5, 10, leaves)))
            with TreeIndex(folder / f"{leaves}.db") as index:
                index.put(large)
                rows += _sizes(f"{len(large.sections):,} sections", index)
        _print_sizes("Walks through one document", rows)


def _print_sizes(title: str, rows: list[list[object]]) -> None:
    largest = ["JSON", "msgpack", "msgpack with the result"]
    header = ["indexed", "reasoning", "visits", f"offers of {_WIDE}+", *largest, "msgpack, all together"]
    print_table(f"{title}: bytes of the largest checkpoint", header, rows)


def _sizes(indexed: str, index: TreeIndex) -> list[list[object]]:
    return [[indexed, f"{reasoning:,}", *_walk(index, reasoning)] for reasoning in _REASONING]


def _walk(index: TreeIndex, reasoning: int) -> list[object]:
    """Walk, and return its visits, its wide offers, and the bytes of its checkpoints."""
    saver = InMemorySaver()
    navigator = FunctionNavigator(lambda request: _decide(request, reasoning))
    config: Any = {"configurable": {"thread_id": "1"}}
    graph = build_retrieval_graph(index=index, navigator=navigator, checkpointer=saver)
    result = graph.invoke({"query": _QUERY}, config, context={"max_picks": 4})
    opened = [entry for entry in result["trace"] if entry["event"] == "open"]
    checkpoints = [entry.checkpoint for entry in saver.list(config)]
    under_way = [one for one in checkpoints if not one["channel_values"].get("sections")]
    packed = [_packed(one) for one in checkpoints]
    return [
        len(opened),
        sum(entry["offer"]["shown"] >= _WIDE for entry in opened),
        f"{max(map(_json_bytes, under_way)):,}",
        f"{max(map(_packed, under_way)):,}",
        f"{max(packed):,}",
        f"{sum(packed):,}",
    ]


def _decide(request: NavigatorRequest, reasoning: int) -> Decision:
    """Open the last four candidates of the first level, whose positions have the most digits; take leaves."""
    top = [candidate for candidate in request.candidates if "." not in candidate.ref and candidate.openable]
    actions: list[PickAction] = ["open" if candidate.has_children else "take" for candidate in top[-4:]]
    picks = tuple(Pick(ref=one.ref, action=action) for one, action in zip(top[-4:], actions, strict=True))
    return Decision(action="pick", picks=picks, reasoning="because " * (reasoning // 8))


def _packed(checkpoint: object) -> int:
    return len(JsonPlusSerializer().dumps_typed(checkpoint)[1])


def _json_bytes(checkpoint: object) -> int:
    return len(json.dumps(checkpoint, default=_task, ensure_ascii=False).encode())


def _task(value: object) -> object:
    """Return a pending task, the one thing in a checkpoint that is no JSON, as its node and its argument."""
    if isinstance(value, Send):
        return [value.node, value.arg]
    raise TypeError(f"{value!r} is not JSON.")


if __name__ == "__main__":
    main()
