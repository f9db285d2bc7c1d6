"""An evaluation as JSON. Others rely on these names: add some, rename none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tocwalk.evals.metrics import QUALITY, correct, total
from tocwalk.evals.outlines import Library
from tocwalk.evals.running import NAVIGATOR, Evaluation
from tocwalk.evals.scoring import Score, Scorer, Summary, summarise

__all__ = ["Report", "evaluation_record"]


class Report:
    """The scores and summaries of an evaluation."""

    def __init__(self, evaluation: Evaluation) -> None:
        """Measure all answers."""
        self.evaluation = evaluation
        scorer = Scorer(evaluation)
        self.scores: dict[str, list[Score]] = {
            system: [scorer.score(*pair) for pair in zip(evaluation.questions, answers, strict=True)]
            for system, answers in evaluation.answers.items()
        }
        """By system, the navigator first; each in the order of the questions."""
        self.summaries = {system: self._summary(scores) for system, scores in self.scores.items()}
        kinds = dict.fromkeys(question.case.kind for question in evaluation.questions)
        self.by_kind: dict[str, dict[str, Summary]] = {
            system: {kind: self._summary([s for s in scores if s.question.case.kind == kind]) for kind in kinds}
            for system, scores in self.scores.items()
        }
        """By system and kind of case."""

    @property
    def failed(self) -> list[Score]:
        """The scores of answers that could not be had."""
        return [score for scores in self.scores.values() for score in scores if score.answer.error]

    def _summary(self, scores: Sequence[Score]) -> Summary:
        return summarise(scores, seed=self.evaluation.plan.seed)


def evaluation_record(report: Report) -> dict[str, Any]:
    """Return an evaluation as JSON values."""
    evaluation = report.evaluation
    plan = evaluation.plan
    baselines = [name for name in report.scores if name != NAVIGATOR]
    return {
        "cases": len(evaluation.questions),
        "navigator": plan.settings.navigator_model,
        "metrics": _summary_record(report.summaries[NAVIGATOR]),
        "by_kind": _by_kind(report, NAVIGATOR),
        "per_case": [_case_record(report, place) for place in range(len(evaluation.questions))],
        "baselines": {
            name: {**_summary_record(report.summaries[name]), "by_kind": _by_kind(report, name)} for name in baselines
        },
        "left_out": [{"id": one.case.id, "doc": one.case.doc, "reason": one.reason} for one in evaluation.left_out],
        "corpus": plan.corpus,
        "corpus_wide": plan.corpus_wide,
        "index_version": evaluation.library.generation,
        "settings": plan.settings.model_dump(mode="json"),
        "seed": plan.seed,
    }


def _by_kind(report: Report, system: str) -> dict[str, Any]:
    return {kind: _summary_record(summary) for kind, summary in report.by_kind[system].items()}


def _summary_record(summary: Summary) -> dict[str, Any]:
    return {
        "cases": summary.cases,
        **{name: _rounded(value) for name, value in summary.values.items()},
        "choice_accuracy_by_level": {level: _rounded(value) for level, value in summary.choices.items()},
        "stop_reasons": dict(sorted(summary.stop_reasons.items())),
        "largest_offer_tokens": summary.largest_offer,
        "intervals": {name: [_rounded(end) for end in ends] for name, ends in summary.intervals.items()},
    }


def _case_record(report: Report, place: int) -> dict[str, Any]:
    question = report.evaluation.questions[place]
    library = report.evaluation.library
    heads = library.tree(question.document).heads
    gold = [
        {
            "number": target.gold.number,
            "title": target.gold.title,
            "passage": target.gold.passage,
            "pages": sorted(target.pages),
            "sections": [heads[position].id for position in target.positions],
            "found_by": target.found_by,
        }
        for target in question.targets
    ]
    answers = {system: _answer_record(scores[place], library) for system, scores in report.scores.items()}
    return {
        "id": question.case.id,
        "kind": question.case.kind,
        "document": question.document,
        "question": question.case.question,
        "gold": gold,
        **answers.pop(NAVIGATOR),
        "baselines": answers,
    }


def _answer_record(score: Score, library: Library) -> dict[str, Any]:
    answer = score.answer
    return {
        "landed": [_landed_record(score, place, library) for place in range(len(score.landed))],
        "found": list(score.found),
        "scores": {name: _rounded(total([score.parts[name]])) for name in QUALITY},
        "choices": {level: [int(side) for side in part] for level, part in score.choices.items()},
        **answer.model_dump(mode="json", exclude={"landed", "trace", "error"}),
        "offers": answer.offers,
        "error": answer.error or None,
        "trace": list(answer.trace),
    }


def _landed_record(score: Score, place: int, library: Library) -> Mapping[str, Any]:
    record, landed = score.answer.landed[place], score.landed[place]
    head = library.tree(record.document).heads[landed.extent.start]
    return {
        **record.model_dump(mode="json"),
        "number": head.number,
        "title": head.title,
        "page_start": min(landed.pages, default=None),
        "page_end": max(landed.pages, default=None),
        "correct": correct(landed, score.question.targets),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
