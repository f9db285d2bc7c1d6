"""What a reader of the figures has to know beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tocwalk.evals.gold import Target
from tocwalk.evals.report import Report

__all__ = ["evaluation_notes"]

_EXAMPLES = 5


def evaluation_notes(report: Report) -> list[str]:
    """Return a sentence for each thing that was left out, not found or not answered."""
    return [*_left_out(report), *_gold(report), *_failed(report)]


def _left_out(report: Report) -> Iterator[str]:
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for one in report.evaluation.left_out:
        by_reason[one.reason].append(one.case.id)
    for reason, cases in by_reason.items():
        yield f"Left out {_some(cases)}. {reason}"


def _gold(report: Report) -> Iterator[str]:
    targets = [(question.case.id, target) for question in report.evaluation.questions for target in question.targets]
    missing = [f"{case} ({_name(target)})" for case, target in targets if target.found_by is None]
    if missing:
        yield f"Gold that is not in its document's tree, and counts as missed: {_some(missing)}."
    held = [f"{case} ({_name(target)})" for case, target in targets if target.found_by == "evidence"]
    if held:
        yield f"Gold that is no section of the tree; its words are, and count at best as inside one: {_some(held)}."


def _failed(report: Report) -> Iterator[str]:
    for system, scores in report.scores.items():
        for score in scores:
            if score.answer.error:
                case = score.question.case.id
                yield f"No answer to {case} from {system}, which counts as wrong: {score.answer.error}"


def _name(target: Target) -> str:
    gold = target.gold
    return gold.number or gold.title or gold.passage or f"page {min(target.pages)}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _EXAMPLES} more" if len(names) > _EXAMPLES else ""
    return f"{', '.join(names[:_EXAMPLES])}{more}"
