"""Milliseconds per visit: the walk through invoke and ainvoke, with and without savers, beside a plain loop."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measuring import Prepare, Timing, measure, print_table
from walks import Door, Savers, Walks, open_savers

_DOORS: tuple[Door, ...] = ("invoke", "ainvoke")
_SAVERS = ("none", "memory", "SQLite")
_PARALLEL = (1, 4)
_PLAIN = "plain loop"


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as name, asyncio.Runner() as runner, open_savers(Path(name), runner) as savers:
        for width, times in ((8, 15), (500, 4)):
            small = Walks(Path(name), savers, runner, width=width, levels=4)
            _print_doors(small, measure(dict(_cases(small, wide=width > 8)), times=times), width)
        _print_lengths(Path(name), savers, runner)


def _cases(walks: Walks, *, wide: bool) -> Iterator[tuple[str, Prepare]]:
    """Yield the cases of one document; wide offers change nothing about savers and empty graphs."""
    for parallel in _PARALLEL:
        for again in (False, True):
            yield _name(_PLAIN, parallel, again=again), walks.plain(parallel, again=again)
        for door in _DOORS:
            for saver in _SAVERS[: 1 if wide else None]:
                if not wide:
                    yield _name(f"empty graph, {door}, {saver}", parallel), walks.empty(door, saver, parallel)
                for again in (False, True):
                    case = walks.walk(door, saver, parallel, again=again)
                    yield _name(f"walk, {door}, {saver}", parallel, again=again), case


def _name(what: str, parallel: int, *, again: bool = False) -> str:
    return f"{what}, {parallel}, {'again' if again else 'first'}"


def _print_doors(walks: Walks, timings: dict[str, Timing], width: int) -> None:
    what = [_PLAIN, *(f"{kind}, {d}, {s}" for kind in ("empty graph", "walk") for s in _SAVERS for d in _DOORS)]
    columns = [(parallel, again) for parallel in _PARALLEL for again in (False, True)]
    rows: list[list[str]] = []
    for one in what:
        cells = [timings.get(_name(one, parallel, again=again)) for parallel, again in columns]
        if any(cells):
            rows.append([one, *(cell.shown(walks.visits) if cell else "" for cell in cells)])
    header = ["run by (saver)", *(f"parallel {p}, {'again' if again else 'first'}" for p, again in columns)]
    print_table(f"{walks.visits} visits, {width} candidates an offer: ms per visit, min / median", header, rows)


def _print_lengths(folder: Path, savers: Savers, runner: asyncio.Runner) -> None:
    rows: list[list[object]] = []
    for levels, times in ((4, 10), (6, 5), (8, 2)):
        walks = Walks(folder, savers, runner, width=4, levels=levels)
        cases = {_PLAIN: walks.plain(4)}
        cases |= {f"{door}, {saver}": walks.walk(door, saver, 4) for saver in ("none", "SQLite") for door in _DOORS}
        timings = measure(cases, times=times)
        rows.append([walks.visits, *(timing.shown(walks.visits) for timing in timings.values())])
        header = ["visits", *cases]
    print_table("Longer walks, 4 candidates an offer, parallel 4, first: ms per visit, min / median", header, rows)


if __name__ == "__main__":
    main()
