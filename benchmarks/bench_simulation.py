"""What the settings of a walk are worth: walks by an oracle that errs at a known rate, over real documents.

Each of the shared questions is asked of its document alone. How much gold lands is a matter of the settings and of the
oracle's errors, and of nothing else: the figures are the same on every machine.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import fmean

from measuring import print_table
from tocwalk import TreeIndex, read_document
from tocwalk.evals import Case, Evaluation, Plan, read_cases
from tocwalk.evals.answers import Answer, Question
from tocwalk.evals.baselines import Setting, baseline_systems
from tocwalk.evals.gold import locate
from tocwalk.evals.metrics import total
from tocwalk.evals.outlines import Library
from tocwalk.evals.scoring import Scorer
from tocwalk.navigators.protocol import Cancellation
from tocwalk.state import WalkContext

_SHARED = Path(os.environ.get("TOCWALK_SHARED") or Path(__file__).parents[2] / "shared")
_ERRORS = (0.0, 0.1, 0.2)
_DEFAULT = WalkContext()
_CHILDREN_ONLY = WalkContext(offer_levels=1)
_FORMS: Mapping[str, WalkContext] = {
    "children only": _CHILDREN_ONLY,
    "1,500 tokens": WalkContext(offer_tokens=1500),
    "3,000 tokens": WalkContext(offer_tokens=3000),
    "6,000 tokens": _DEFAULT,
    "12,000 tokens": WalkContext(offer_tokens=12_000),
    "whole outline": WalkContext(offer_tokens=1_000_000),
}
_VISITS = (1, 2, 3, 4, 6, 15)
_PICKS = (1, 2, 3, 5)
_PARALLEL = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class _Variant:
    """Settings, and how often the oracle errs."""

    settings: WalkContext
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What came of a variant, over all questions and seeds."""

    itself: float
    """Gold that landed itself, not merely inside a section around it."""
    density: float
    """Tokens landed by tokens of the gold."""
    visits: float
    waves: float
    """Calls after one another: those of a wave are made at once."""
    outline: float
    """Tokens of the outlines shown for a question."""
    largest: int
    """Tokens of the largest outline."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="Repetitions of what errs.")
    seeds = parser.parse_args().seeds
    if not _SHARED.is_dir():
        print(f"Nothing to measure: there are no documents and questions in {_SHARED}. Set TOCWALK_SHARED.")
        return
    with tempfile.TemporaryDirectory() as name:
        index = Path(name) / "index.db"
        _store(index)
        variants = list(dict.fromkeys(_variants()))
        with ProcessPoolExecutor() as pool:
            found = pool.map(partial(_outcome, index, seeds), variants)
            outcomes = dict(zip(variants, found, strict=True))
    _print_windows(outcomes)
    _print_visits(outcomes)
    _print_picks(outcomes)
    _print_parallel(outcomes)


def _store(index: Path) -> None:
    """Read the documents whose true outlines are known."""
    names = {path.stem for path in (_SHARED / "eval" / "outline").glob("*.json")}
    with TreeIndex(index) as opened:
        for path in sorted(_SHARED.joinpath("docs").iterdir()):
            if path.stem in names:
                opened.put(read_document(path, document_id=path.name))


def _variants() -> Iterable[_Variant]:
    """Yield all that the tables show."""
    for error in _ERRORS:
        for form in _FORMS.values():
            yield _Variant(form, error)
            yield _Variant(_with(form, backtrack=False), error)
        for form in (_CHILDREN_ONLY, _DEFAULT):
            yield from (_Variant(_with(form, max_visits=visits), error) for visits in _VISITS)
        yield from (_Variant(_with(_CHILDREN_ONLY, max_picks=picks), error) for picks in _PICKS)
        for parallel in _PARALLEL:
            yield _Variant(_with(_CHILDREN_ONLY, parallel=parallel), error)
            yield _Variant(_with(_CHILDREN_ONLY, parallel=parallel, max_visits=4), error)


def _with(settings: WalkContext, **changes: object) -> WalkContext:
    return settings.model_copy(update=changes)


def _outcome(location: Path, seeds: int, variant: _Variant) -> _Outcome:
    """Walk for all questions, once for each seed; without errors all seeds are alike."""
    library, questions = _asked_of(location)
    plan = Plan(cases=(), settings=variant.settings)
    scorer = Scorer(Evaluation(plan=plan, library=library, questions=questions, left_out=(), answers={}))
    answered = [
        (question, answer)
        for seed in range(seeds if variant.error else 1)
        for question, answer in _answers(variant, library, questions, seed)
    ]
    parts = [scorer.score(question, answer).parts for question, answer in answered]

    def of_all(measure: str) -> float:
        return total(part[measure] for part in parts) or 0.0

    return _Outcome(
        itself=of_all("section_recall_itself"),
        density=of_all("token_density"),
        visits=of_all("visits"),
        waves=fmean(_waves(answer) for _, answer in answered),
        outline=of_all("offer_tokens"),
        largest=max(max(answer.offers, default=0) for _, answer in answered),
    )


@cache
def _asked_of(location: Path) -> tuple[Library, list[Question]]:
    """Return the documents and the questions, once for each process."""
    library = Library(TreeIndex(location), "default")
    return library, [_question(case, library) for case in read_cases(_SHARED / "eval" / "questions.jsonl")]


def _question(case: Case, library: Library) -> Question:
    document = library.find(case.doc)
    return Question(case=case, document=document, only=(document,), targets=locate(case, library.tree(document)))


def _answers(
    variant: _Variant, library: Library, questions: list[Question], seed: int
) -> Iterable[tuple[Question, Answer]]:
    setting = Setting(
        library=library, questions=questions, settings=variant.settings, navigator=None, about={}, seed=seed
    )
    (oracle,) = baseline_systems([f"oracle:{variant.error}"], setting)
    return [(question, oracle.answer(question, Cancellation())) for question in questions]


def _waves(answer: Answer) -> int:
    """Return how many waves a walk had: all visits of one leave the same number."""
    return len({entry["visits_left"] for entry in answer.trace if entry["event"] == "open"})


def _print_windows(outcomes: Mapping[_Variant, _Outcome]) -> None:
    rows: list[list[object]] = []
    for name, form in _FORMS.items():
        for error in _ERRORS:
            kept, once = (outcomes[_Variant(_with(form, backtrack=again), error)] for again in (True, False))
            recalls = [f"{one.itself:.3f}" for one in (kept, once)]
            visits = [f"{one.visits:.2f}" for one in (kept, once)]
            sizes = [f"{kept.outline:,.0f}", f"{kept.largest:,}", f"{kept.density:.2f}"]
            rows.append([name, f"{error:.0%}", *recalls, *visits, *sizes])
    print_table(
        "Size of an offer, and second tries",
        ["offer", "errors", "itself", "without", "visits", "without", "outline tokens", "largest", "tokens / gold"],
        rows,
    )


def _print_visits(outcomes: Mapping[_Variant, _Outcome]) -> None:
    columns = [(form, error) for form in (_CHILDREN_ONLY, _DEFAULT) for error in _ERRORS]
    print_table(
        "Visits: gold landed itself",
        ["visits", *(f"{'children only' if form.offer_levels else 'default'}, {error:.0%}" for form, error in columns)],
        (
            [visits, *(_itself(outcomes, _with(form, max_visits=visits), error) for form, error in columns)]
            for visits in _VISITS
        ),
    )


def _print_picks(outcomes: Mapping[_Variant, _Outcome]) -> None:
    print_table(
        "Picks followed: gold landed itself, children only",
        ["picks", *(f"{error:.0%}" for error in _ERRORS)],
        (
            [picks, *(_itself(outcomes, _with(_CHILDREN_ONLY, max_picks=picks), error) for error in _ERRORS)]
            for picks in _PICKS
        ),
    )


def _print_parallel(outcomes: Mapping[_Variant, _Outcome]) -> None:
    rows: list[list[object]] = []
    for parallel in _PARALLEL:
        form = _with(_CHILDREN_ONLY, parallel=parallel)
        waves = [f"{outcomes[_Variant(form, error)].waves:.2f}" for error in _ERRORS]
        few = [_itself(outcomes, _with(form, max_visits=4), error) for error in _ERRORS]
        rows.append([parallel, *waves, *few])
    errors = [f"{error:.0%}" for error in _ERRORS]
    print_table(
        "Calls in flight, children only: waves a question, and gold landed itself with four visits",
        ["parallel", *(f"waves, {error}" for error in errors), *(f"itself, {error}" for error in errors)],
        rows,
    )


def _itself(outcomes: Mapping[_Variant, _Outcome], settings: WalkContext, error: float) -> str:
    return f"{outcomes[_Variant(settings, error)].itself:.3f}"


if __name__ == "__main__":
    main()
