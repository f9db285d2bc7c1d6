"""Milliseconds of a decision outside the model: offer, prompt, asking, reading, checking, ledger.

The model is a fake of LangChain's that answers at once; asking it goes through LangChain as asking a real one does.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import repeat
from pathlib import Path

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from measuring import print_table
from samples import document, even
from tocwalk.index import TreeIndex
from tocwalk.models.spending import NOTHING_SPENT, add_step
from tocwalk.models.usage import Usage
from tocwalk.navigators.chat import ChatNavigator
from tocwalk.navigators.parse import answer_schema, parse_decision
from tocwalk.navigators.prompt import prompt_of
from tocwalk.navigators.protocol import NavigatorRequest
from tocwalk.navigators.received import usable_decision
from tocwalk.navigators.retry import decide_within
from tocwalk.state import Request
from tocwalk.walk.offer import Offer
from tocwalk.walk.view import WalkView
from tocwalk.walk.window import build_offer

_TIMES = 200
_ANSWER = json.dumps(
    {
        "reasoning": "Termination is treated where the lease ends, not where rent is paid. It names the notice.",
        "action": "pick",
        "picks": [{"ref": "3", "action": "take"}, {"ref": "4", "action": "open"}],
    }
)


def main() -> None:
    """Print the table."""
    shapes = {"8 candidates": [8], "80 candidates": [8, 9], "500 candidates": [500]}
    columns = {name: _parts(shape) for name, shape in shapes.items()}
    rows = [[part, *(columns[name][part] for name in shapes)] for part in columns["8 candidates"]]
    print_table("a decision outside the model: ms, min / median", ["part", *shapes], rows)


def _parts(widths: list[int]) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as name, TreeIndex(Path(name) / "index.db") as index, asyncio.Runner() as runner:
        index.put(document("book", even(widths)), corpus="default", parser_version="1", summaries="none")
        wanted = Request(query="?", corpus="default", only_documents=None, filters={}, visits=15)
        view = WalkView(index, wanted, generation=index.generation("default"), max_depth=6)

        def offer() -> Offer:
            return build_offer(view, view.settle(view.catalog.corpus)[0], tokens=6000, levels=None)

        made = offer()
        navigator = ChatNavigator(GenericFakeChatModel(messages=repeat(AIMessage(_ANSWER))))

        def request() -> NavigatorRequest:
            return NavigatorRequest(
                query="How much notice must the tenant give?",
                model=navigator.model,
                current=made.current,
                path=made.path,
                candidates=made.candidates,
                remaining_visits=9,
            )

        decision = runner.run(decide_within(navigator, request(), timeout_s=60))
        return {
            "offer (its trees read before)": _timed(offer),
            "prompt": _timed(lambda: prompt_of(request())),
            "schema": _timed(lambda: answer_schema(made.candidates)),
            "reading the answer": _timed(lambda: parse_decision(_ANSWER, made.candidates)),
            "checking it": _timed(lambda: usable_decision(decision, "fake")),
            "ledger": _timed(lambda: add_step(NOTHING_SPENT, "book", Usage(calls=1, input_tokens=900), None)),
            "all, offer to decision, LangChain's call included": _timed(
                lambda: (offer(), runner.run(decide_within(navigator, request(), timeout_s=60)))
            ),
        }


def _timed(action: Callable[[], object]) -> str:
    times: list[float] = []
    for _ in range(_TIMES):
        begun = time.perf_counter()
        action()
        times.append((time.perf_counter() - begun) * 1000)
    return f"{min(times):.2f} / {statistics.median(times):.2f}"


if __name__ == "__main__":
    main()
