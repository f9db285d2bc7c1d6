"""Asking all systems all questions, several at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tocwalk.errors import NotFoundError
from tocwalk.evals.answers import Answer, Question, System
from tocwalk.evals.baselines import Setting, baseline_systems
from tocwalk.evals.cases import Case
from tocwalk.evals.gold import locate
from tocwalk.evals.outlines import Library
from tocwalk.evals.results import NoResults, ResultsFile, key_of
from tocwalk.evals.walks import OneGraph, WalkingSystem
from tocwalk.index import TreeIndex
from tocwalk.navigators.prompt import PROMPT_VERSION
from tocwalk.navigators.protocol import Cancellation
from tocwalk.state import WalkContext

__all__ = ["NAVIGATOR", "Evaluation", "LeftOut", "Plan", "evaluate"]

NAVIGATOR = "navigator"
"""The system that the evaluation is about; the others are baselines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is evaluated, and how."""

    cases: Sequence[Case]
    corpus: str = "default"
    corpus_wide: bool = False
    """Ask all documents of the corpus at once; else each question of its document alone."""
    settings: WalkContext
    baselines: Sequence[str] = ()
    """Names: see `BASELINES`."""
    jobs: int = 4
    """Questions asked at once."""
    seed: int = 0
    """Of all chance: random walks, the oracle's errors, intervals."""
    results: Path | None = None
    """Where answers are kept, so that an evaluation that was stopped goes on where it was."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A case that could not be asked."""

    case: Case
    reason: str
    """A sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All answers."""

    plan: Plan
    library: Library
    questions: Sequence[Question]
    left_out: Sequence[LeftOut]
    answers: dict[str, list[Answer]]
    """By system, the navigator first; each in the order of the questions."""


def evaluate(
    plan: Plan,
    index: TreeIndex,
    *,
    navigator: object | None = None,
    on_answer: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Ask the navigator and the baselines all questions.

    Args:
        plan: What and how.
        index: Holds the documents.
        navigator: Who judges, a navigator or a chat model; None: who the settings name.
        on_answer: Called with how many answers there are, and how many there will be; once before the first.

    Raises:
        NotFoundError: There is no such corpus, or none of the cases' documents is in it.
        InputError: A baseline is none, or the file of results cannot be one.
        ConfigurationError: Somebody cannot be asked as things are set up.
        IndexStoreError: The index changed under the evaluation.
    """
    library = Library(index, plan.corpus)
    questions, left_out = _questions(plan, library)
    systems = _systems(plan, library, questions, navigator)
    kept = NoResults() if plan.results is None else ResultsFile(plan.results)
    asked = _all_asked(systems, questions, library)
    done = {one: answer for one in asked if (answer := kept.get(one.key)) is not None}

    def tell() -> None:
        if on_answer is not None:
            on_answer(len(done), len(asked))

    def take(one: _Asked, answer: Answer) -> None:
        done[one] = answer
        if not answer.error:  # what failed is asked again the next time
            kept.add(one.key, system=one.system.name, case=one.question.case.id, answer=answer)
        tell()

    tell()
    _ask([one for one in asked if one not in done], plan.jobs, take)
    answers = {system.name: [done[one] for one in asked if one.system is system] for system in systems}
    return Evaluation(plan=plan, library=library, questions=questions, left_out=left_out, answers=answers)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A question to a system."""

    system: System
    question: Question
    key: str


def _ask(asked: Sequence[_Asked], jobs: int, take: Callable[[_Asked, Answer], None]) -> None:
    """Hand each answer to `take`, in this thread, in the order in which they come."""
    token = Cancellation()
    with ThreadPoolExecutor(jobs, thread_name_prefix="tocwalk-eval") as pool:
        futures = {pool.submit(one.system.answer, one.question, token): one for one in asked}
        try:
            for future in as_completed(futures):
                take(futures[future], future.result())
        except BaseException:  # Ctrl-C too: walks under way end at once, nothing else begins
            token.cancel()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _questions(plan: Plan, library: Library) -> tuple[list[Question], list[LeftOut]]:
    questions: list[Question] = []
    left_out: list[LeftOut] = []
    for case in plan.cases:
        try:
            document = library.find(case.doc)
        except NotFoundError as error:
            left_out.append(LeftOut(case, str(error)))
            continue
        only = None if plan.corpus_wide else (document,)
        targets = locate(case, library.tree(document))
        questions.append(Question(case=case, document=document, only=only, targets=targets))
    if not questions:
        raise NotFoundError(f"No case can be asked. {left_out[0].reason} Index it, or name documents with `--in`.")
    return questions, left_out


def _systems(plan: Plan, library: Library, questions: Sequence[Question], navigator: object | None) -> list[System]:
    about = {} if navigator is None else {"navigator": type(navigator).__qualname__}
    setting = Setting(
        library=library,
        questions=questions,
        settings=plan.settings,
        navigator=navigator,
        about=about,
        seed=plan.seed,
    )
    walking = WalkingSystem(NAVIGATOR, library, OneGraph(library, navigator, about), plan.settings)
    return [walking, *baseline_systems(plan.baselines, setting)]


def _all_asked(systems: Sequence[System], questions: Sequence[Question], library: Library) -> list[_Asked]:
    contents = _contents(library, {question.only for question in questions})
    return [
        _Asked(system, question, _key(system, question, contents[question.only]))
        for system in systems
        for question in questions
    ]


def _contents(library: Library, scopes: Collection[tuple[str, ...] | None]) -> dict[tuple[str, ...] | None, str]:
    """Return, by which documents are asked, what says whether they are the same as in an earlier run."""
    rows = library.index.documents(library.corpus)
    contents = {row.id: [row.sha256, row.parser_version, row.summaries] for row in rows}
    return {
        only: key_of(contents if only is None else {document: contents[document] for document in only})
        for only in scopes
    }


def _key(system: System, question: Question, contents: str) -> str:
    """Return the key of an answer: the same system, asked the same of the same documents, has the same."""
    return key_of(
        {
            "tocwalk": version("tocwalk"),
            "prompt": PROMPT_VERSION,
            "system": system.name,
            "query": question.case.question,
            "only": question.only,
            "contents": contents,
            **system.depends_on(question),
        }
    )
