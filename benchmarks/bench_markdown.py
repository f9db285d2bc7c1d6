"""Speed of reading Markdown, and how it grows with the number of headings."""

from __future__ import annotations

import gc
import time
from itertools import cycle, islice, pairwise
from typing import NamedTuple

from measuring import print_table
from tocwalk.ingest.markdown import extract
from tocwalk.ingest.structure import build_document
from tocwalk.ingest.summaries import lead_summaries

_BLOCKS = (
    "The *pump* has to be primed before it is started, see [the notes](#notes); a dry start ruins the seal.\n\n",
    "- Open valve `V-12`.\n- Wait until the gauge reads **2.5 bar**.\n  1. Close the drain.\n  2. Start.\n\n",
    "| part | number | price |\n|---|---|---|\n| seal | 4711 | 12.50 |\n| gasket | 4712 | 3.20 |\n\n",
    "```python\n# not a heading\nfor valve in valves:\n    valve.close()\n```\n\n",
    "> Whoever opens the housing under pressure does so at their own risk.\n\n",
)
_LEVELS = (1, 2, 3, 3, 2, 3, 4, 4)
_COLLECTION = (50_000, 20, 50)
"""Thresholds of the garbage collector in the process that parses, `tocwalk.ingest.child`."""


class _Times(NamedTuple):
    """Seconds of processor time for one file: reading it waits for nothing."""

    megabytes: float
    extract: float
    build: float
    summarise: float


def main() -> None:
    """Print the tables."""
    gc.set_threshold(*_COLLECTION)
    _times(100, 1)  # modules load, and tables are built, when they are first needed
    header = ["headings", "MB", "extract s", "build s", "MB/s", "growth", "summaries s", "MB/s", "growth"]
    for blocks, counts in ((2, (1_000, 3_000, 10_000, 30_000, 100_000)), (30, (300, 1_000, 3_000))):
        times = {headings: _best(headings, blocks) for headings in counts}
        rows = [_row(headings, times[headings], times[counts[0]]) for headings in counts]
        size = round(1e6 * times[counts[0]].megabytes / counts[0])
        print_table(
            f"Markdown with {size:,} bytes a heading (growth: seconds per MB, the first row being 1)", header, rows
        )


def _best(headings: int, blocks: int) -> _Times:
    """Return the smallest times; a large file is read once."""
    runs = [_times(headings, blocks) for _ in range(3 if headings <= 10_000 else 1)]
    return _Times(*map(min, zip(*runs, strict=True)))


def _times(headings: int, blocks: int) -> _Times:
    data = _markdown(headings, blocks)
    moments = [time.process_time()]
    extracted = extract(data, name="manual.md")
    moments.append(time.process_time())
    document = build_document(extracted, document_id="manual.md", source="manual.md", sha256="0" * 64)
    moments.append(time.process_time())
    lead_summaries(document)
    moments.append(time.process_time())
    if len(document.sections) != headings + 1:
        raise AssertionError(f"{headings} headings were written, {len(document.sections) - 1} read.")
    return _Times(len(data) / 1e6, *(after - before for before, after in pairwise(moments)))


def _markdown(headings: int, blocks: int) -> bytes:
    """Return a file with so many headings, each with so many blocks of prose, lists, tables, code and quotes."""
    body = cycle(_BLOCKS)
    levels = cycle(_LEVELS)
    parts: list[str] = []
    for number in range(1, headings + 1):
        parts.append(f"{'#' * next(levels)} Section {number}: care of the pump\n\n")
        parts += islice(body, blocks)
    return "".join(parts).encode()


def _row(headings: int, times: _Times, first: _Times) -> list[str]:
    def speed(taken: float, taken_first: float) -> list[str]:
        per_megabyte = taken / times.megabytes
        return [f"{1 / per_megabyte:.2f}", f"{per_megabyte / (taken_first / first.megabytes):.2f}"]

    return [
        f"{headings:,}",
        f"{times.megabytes:.2f}",
        f"{times.extract:.3f}",
        f"{times.build:.3f}",
        *speed(times.extract + times.build, first.extract + first.build),
        f"{times.summarise:.3f}",
        *speed(times.summarise, first.summarise),
    ]


if __name__ == "__main__":
    main()
