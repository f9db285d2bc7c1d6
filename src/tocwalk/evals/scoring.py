"""From answers to measures: of each case, and of many together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tocwalk.evals.answers import Answer, LandedRecord, Question
from tocwalk.evals.choices import Places, choice_parts, level_order
from tocwalk.evals.intervals import Interval, intervals
from tocwalk.evals.metrics import QUALITY, Found, Landed, Part, found, gold_sections, quality, total
from tocwalk.evals.outlines import Library
from tocwalk.evals.running import Evaluation
from tocwalk.tree import SectionHead, tokens_of_bytes

__all__ = ["COST", "Score", "Scorer", "Summary", "summarise"]

COST: Mapping[str, str] = {
    "choice_accuracy": "visits judged rightly: a choice leads to gold, or nothing is chosen where there is none",
    "visits": "offers opened a case",
    "calls": "requests to a model a case",
    "input_tokens": "tokens a model read a case, cached ones included",
    "output_tokens": "tokens a model wrote a case",
    "cached_tokens": "tokens that the provider had cached",
    "offer_tokens": "tokens of the outlines shown a case",
    "cost": "money a case, where prices are known",
    "seconds": "wall clock a case",
    "failed": "cases without an answer",
}
"""What is measured beside quality, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """An answer, measured."""

    question: Question
    answer: Answer
    landed: tuple[Landed, ...]
    """The landed sections, in the answer's order."""
    found: tuple[Found | None, ...]
    """How each entry of the gold was found."""
    parts: Mapping[str, Part]
    """By measure: see `QUALITY` and `COST`."""
    choices: Mapping[str, Part]
    """By level: visits judged rightly, and all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Many scores together."""

    cases: int
    values: Mapping[str, float | None]
    """By measure; None where no case says anything of it."""
    intervals: Mapping[str, Interval]
    choices: Mapping[str, float | None]
    """By level, the share of visits judged rightly."""
    stop_reasons: Mapping[str, int]
    """How often walks ended for which reason."""
    largest_offer: int
    """Tokens of the largest outline that was shown."""


class Scorer:
    """Measures the answers of one evaluation."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._settings = evaluation.plan.settings
        self._library: Library = evaluation.library
        self._places: dict[tuple[str, ...] | None, Places] = {}

    def score(self, question: Question, answer: Answer) -> Score:
        """Return an answer, measured by the gold of its question."""
        landed = tuple(map(self._landed, answer.landed))
        gold = gold_sections(question.targets)
        failed = bool(answer.error)
        parts = quality(
            question.targets,
            landed,
            document=question.document,
            gold_tokens=self._gold_tokens(question),
            failed=failed,
        )
        choices = self._choices(question, answer)
        return Score(
            question=question,
            answer=answer,
            landed=landed,
            found=tuple(found(target, landed, gold) for target in question.targets),
            parts={**parts, **_costs(answer, choices, said=not failed)},
            choices=choices,
        )

    def _landed(self, record: LandedRecord) -> Landed:
        tree = self._library.tree(record.document)
        extent = tree.extent(tree.position(record.id), whole=record.text_scope == "subtree")
        return Landed(extent=extent, pages=tree.pages(extent), tokens=record.tokens)

    def _gold_tokens(self, question: Question) -> int:
        """Return the tokens of all gold sections, each whole if it would land whole, and counted once.

        0 where the tree has not all of them as sections: their size is not known then.
        """
        tree = self._library.tree(question.document)
        targets = [target for target in question.targets if target.is_section]
        if any(target.found_by in ("evidence", None) for target in targets):
            return 0
        gold = {(p, target.gold.kind == "section") for target in targets for p in target.positions}
        extents = [tree.extent(p, whole=section and self._lands_whole(tree.heads[p])) for p, section in gold]
        positions = {position for extent in extents for position in range(extent.start, extent.end)}
        return tokens_of_bytes(sum(tree.heads[position].text_bytes for position in positions))

    def _lands_whole(self, head: SectionHead) -> bool:
        return tokens_of_bytes(head.subtree_bytes) <= self._settings.max_section_tokens

    def _choices(self, question: Question, answer: Answer) -> dict[str, Part]:
        """Return the choices by level; of other documents than the case's it is not known that they hold no answer."""
        if question.only is None and not question.targets:
            return {}
        if question.only not in self._places:
            catalog = self._library.catalog(question.only, max_depth=self._settings.max_depth)
            self._places[question.only] = Places(self._library, catalog)
        places = self._places[question.only]
        gold = {places.point(target.document, p) for target in question.targets for p in target.positions}
        return choice_parts(answer.trace, places, gold)


def summarise(scores: Sequence[Score], *, seed: int) -> Summary:
    """Return many scores together; at least one."""
    columns = {name: [score.parts[name] for score in scores] for name in (*QUALITY, *COST)}
    levels = sorted({level for score in scores for level in score.choices}, key=level_order)
    return Summary(
        cases=len(scores),
        values={name: total(parts) for name, parts in columns.items()},
        intervals=intervals(columns, seed=seed),
        choices={level: total(score.choices[level] for score in scores if level in score.choices) for level in levels},
        stop_reasons=Counter(score.answer.stop_reason for score in scores if score.answer.stop_reason),
        largest_offer=max((offer for score in scores for offer in score.answer.offers), default=0),
    )


def _costs(answer: Answer, choices: Mapping[str, Part], *, said: bool) -> dict[str, Part]:
    spent = {
        "visits": answer.visits,
        "calls": answer.calls,
        "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens,
        "cached_tokens": answer.cached_tokens,
        "offer_tokens": sum(answer.offers),
        "cost": answer.cost,
        "seconds": answer.seconds,
    }
    right, visits = (sum(part[side] for part in choices.values()) for side in (0, 1))
    parts = {name: (value or 0.0, float(said and value is not None)) for name, value in spent.items()}
    return {"choice_accuracy": (right, visits), **parts, "failed": (float(not said), 1.0)}
