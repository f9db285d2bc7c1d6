"""What a navigator is compared with, by name."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tocwalk.errors import InputError
from tocwalk.evals.answers import Question, System
from tocwalk.evals.bm25 import Bm25System, full_text, load_bm25s, titles_and_summaries
from tocwalk.evals.outlines import Library
from tocwalk.evals.walks import OneGraph, WalkingSystem
from tocwalk.graph import WalkGraph, build_retrieval_graph
from tocwalk.state import WalkContext
from tocwalk.testing import OracleNavigator, RandomNavigator

__all__ = ["BASELINES", "Setting", "baseline_systems", "check_baselines"]

BASELINES: Mapping[str, str] = {
    "bm25": "BM25 over the sections' full texts; bm25:K lands the best K, else 3",
    "bm25-titles": "BM25 over titles and summaries; bm25-titles:K likewise",
    "outline": "the navigator, shown the whole outline at once",
    "levels": "the navigator, shown one level at a time",
    "random": "a walk that decides by chance",
    "oracle": "a walk that knows the gold; oracle:0.2 errs in a fifth of its picks",
}
"""Names of the baselines, and what they are."""

_MOST_LANDED = 3
_WHOLE_OUTLINE = 1_000_000
"""Tokens: as many as an offer may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all systems of an evaluation share."""

    library: Library
    questions: Sequence[Question]
    settings: WalkContext
    navigator: object | None
    """Who judges; None: who the settings name."""
    about: Mapping[str, Any]
    """What the navigator's decisions depend on, beside its model."""
    seed: int


@dataclass(frozen=True, slots=True)
class _Baseline:
    name: str
    kind: str
    number: float | None


def check_baselines(names: Sequence[str]) -> list[str]:
    """Return the names, each once, if all of them name baselines that can be had.

    Raises:
        InputError: One is not the name of a baseline.
        ConfigurationError: One needs a library that is not installed.
    """
    baselines = list(map(_parse, dict.fromkeys(names)))
    for baseline in baselines:
        if baseline.kind in ("bm25", "bm25-titles"):
            load_bm25s(baseline.name)
    return [baseline.name for baseline in baselines]


def baseline_systems(names: Sequence[str], setting: Setting) -> list[System]:
    """Return the baselines with these names.

    Raises:
        InputError: A name is not one of a baseline.
        ConfigurationError: One needs a library that is not installed.
    """
    return [_MAKERS[baseline.kind](baseline, setting) for baseline in map(_parse, names)]


def _parse(name: str) -> _Baseline:
    kind, colon, number = name.partition(":")
    try:
        value = float(number) if colon else None
    except ValueError:
        value = -1.0
    if kind in ("bm25", "bm25-titles"):
        possible = value is None or (value >= 1 and value.is_integer())
    else:
        possible = kind in BASELINES and (value is None or (kind == "oracle" and 0 <= value <= 1))
    if not possible:
        known = "; ".join(f"{name}: {sentence}" for name, sentence in BASELINES.items())
        raise InputError(f"There is no baseline {name!r}. There are {known}.")
    return _Baseline(name, kind, value)


def _bm25(baseline: _Baseline, setting: Setting) -> System:
    fields = full_text if baseline.kind == "bm25" else titles_and_summaries
    most = _MOST_LANDED if baseline.number is None else int(baseline.number)
    return Bm25System(baseline.name, setting.library, fields, most=most)


def _shown_otherwise(baseline: _Baseline, setting: Setting) -> System:
    """The navigator with offers of another form."""
    # One call, however long: budgets would be checked against the largest outline that there may be.
    unlimited = {"max_tokens": None, "max_cost": None}
    whole = {"offer_tokens": _WHOLE_OUTLINE, "offer_levels": None, "max_visits": 1, **unlimited}
    is_whole = baseline.kind == "outline"
    settings = setting.settings.model_copy(update=whole if is_whole else {"offer_levels": 1})
    graphs = OneGraph(setting.library, setting.navigator, setting.about)
    return WalkingSystem(baseline.name, setting.library, graphs, settings, may_be_too_long=is_whole)


def _random(baseline: _Baseline, setting: Setting) -> System:
    navigator = RandomNavigator(setting.seed)
    graphs = OneGraph(setting.library, navigator, {"seed": setting.seed})
    return WalkingSystem(baseline.name, setting.library, graphs, _free(setting.settings, navigator.model))


def _oracle(baseline: _Baseline, setting: Setting) -> System:
    graphs = _OracleGraphs(setting, error_rate=baseline.number or 0.0)
    return WalkingSystem(baseline.name, setting.library, graphs, _free(setting.settings, "test:oracle"))


_MAKERS: Mapping[str, Callable[[_Baseline, Setting], System]] = {
    "bm25": _bm25,
    "bm25-titles": _bm25,
    "outline": _shown_otherwise,
    "levels": _shown_otherwise,
    "random": _random,
    "oracle": _oracle,
}


def _free(settings: WalkContext, model: str) -> WalkContext:
    """Return the settings for a navigator that costs nothing and has no price."""
    return settings.model_copy(update={"navigator_model": model, "max_tokens": None, "max_cost": None})


class _OracleGraphs:
    """A graph with an oracle for each set of documents that is asked: it must know these and no others."""

    def __init__(self, setting: Setting, *, error_rate: float) -> None:
        self._setting = setting
        self._error_rate = error_rate
        self._gold = _gold_by_scope(setting)
        self._graphs: dict[tuple[str, ...] | None, WalkGraph] = {}
        self._lock = threading.Lock()

    def of(self, question: Question) -> WalkGraph:
        with self._lock:
            if question.only not in self._graphs:
                self._graphs[question.only] = self._graph(question.only)
            return self._graphs[question.only]

    def depends_on(self, question: Question) -> Mapping[str, Any]:
        gold = sorted(self._gold[question.only][question.case.question])
        return {"gold": gold, "error_rate": self._error_rate, "seed": self._setting.seed}

    def _graph(self, only: tuple[str, ...] | None) -> WalkGraph:
        library = self._setting.library
        outlines = [library.tree(document).heads for document in only or library.roots]
        oracle = OracleNavigator(
            self._gold[only], outlines, error_rate=self._error_rate, seed=self._setting.seed, model="test:oracle"
        )
        return build_retrieval_graph(index=library.index, navigator=oracle)


def _gold_by_scope(setting: Setting) -> dict[tuple[str, ...] | None, dict[str, set[str]]]:
    """Return, by which documents are asked and by question, the ids of the sections that answer it."""
    gold: dict[tuple[str, ...] | None, dict[str, set[str]]] = {}
    for question in setting.questions:
        heads = setting.library.tree(question.document).heads
        ids = {heads[position].id for target in question.targets for position in target.positions}
        gold.setdefault(question.only, {}).setdefault(question.case.question, set()).update(ids)
    return gold
