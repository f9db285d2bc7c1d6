"""tocwalk eval: how well questions with known answers are answered."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tocwalk.cli.options import DEFAULT_JOBS, asked_corpus_option, index_option, json_option
from tocwalk.cli.output import on_stderr, write_json
from tocwalk.cli.settings import walk_settings

if TYPE_CHECKING:
    from tocwalk.cli.scope import Scope
    from tocwalk.evals import Evaluation, Plan, Report

__all__ = ["command"]

_MOST_JOBS = 64


def _names(_ctx: click.Context, _param: click.Parameter, given: str) -> list[str]:
    return [name for part in given.split(",") if (name := part.strip()) and name != "none"]


@click.command("eval")
@click.argument("cases", type=click.Path(path_type=Path), metavar="CASES")
@click.option(
    "--in",
    "paths",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Ask this file or folder without storing it; may be given again. What cannot be read is reported, and the exit"
    " code is then 1.",
)
@asked_corpus_option
@index_option
@click.option(
    "--corpus-wide", is_flag=True, help="Ask all documents at once, instead of each question of its document alone."
)
@click.option(
    "--baselines",
    default="bm25,bm25-titles,random,oracle",
    show_default=True,
    metavar="NAMES",
    callback=_names,
    help="What to compare with, names with commas between: bm25[:K], bm25-titles[:K] (best K sections, else 3), outline"
    " (the navigator, shown the whole outline at once), levels (one level at a time), random, oracle[:ERROR]; or none.",
)
@walk_settings
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep each answer in this file, and ask only for those that are not in it.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, _MOST_JOBS),
    default=DEFAULT_JOBS,
    show_default="processors, at most 4",
    metavar="N",
    help="Questions asked at once.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of all chance.")
@json_option
def command(
    *,
    cases: Path,
    paths: tuple[Path, ...],
    corpus: str | None,
    location: str | None,
    corpus_wide: bool,
    baselines: list[str],
    results: Path | None,
    jobs: int,
    seed: int,
    as_json: bool,
    **settings: Any,
) -> None:
    """Measure how well questions with known answers are answered.

    CASES holds one JSON object a line: `id`, `doc` (a document's id, or that without folders and extension),
    `question`, `kind`, and `gold`, the sections that answer it, by `number` and `title`; none where the document holds
    no answer. Cases whose documents are not there are reported and left out.
    """
    if paths and (corpus or location):
        raise click.UsageError("--in asks files that are not stored: leave out --corpus and --index.")
    from tocwalk.evals import Plan, Report, check_baselines, read_cases
    from tocwalk.state import WalkContext

    plan = Plan(
        cases=read_cases(cases),
        corpus=corpus or "default",
        corpus_wide=corpus_wide,
        settings=WalkContext.of(settings),
        baselines=check_baselines(baselines),
        jobs=jobs,
        seed=seed,
        results=results,
    )
    _check_navigator(plan.settings.navigator_model)
    with _scope(paths, location) as scope:
        report = Report(_evaluated(plan, scope))
        _print(report, as_json=as_json)
    _print_notes(report)
    if report.failed or not scope.complete:
        raise click.exceptions.Exit(1)


def _check_navigator(model: str) -> None:
    from tocwalk.cli.judges import check_judge
    from tocwalk.cli.notice import say_once_that_it_is_offline

    check_judge(model)
    say_once_that_it_is_offline(model)


def _scope(paths: tuple[Path, ...], location: str | None) -> AbstractContextManager[Scope]:
    from tocwalk.cli.scope import files_as_index, stored_index

    return files_as_index(paths, jobs=DEFAULT_JOBS) if paths else stored_index(location)


def _evaluated(plan: Plan, scope: Scope) -> Evaluation:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from tocwalk.cli.interrupting import ended_by_second_interrupt
    from tocwalk.evals import evaluate

    console = on_stderr()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        ended_by_second_interrupt(before_end=scope.clean_up),
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task("", total=None)
        return evaluate(plan, scope.index, on_answer=lambda done, of: progress.update(task, completed=done, total=of))


def _print(report: Report, *, as_json: bool) -> None:
    if as_json:
        from tocwalk.evals import evaluation_record

        write_json(evaluation_record(report))
    else:
        from tocwalk.evals import evaluation_tables

        click.echo(evaluation_tables(report))


def _print_notes(report: Report) -> None:
    """Print on stderr what a reader of the figures has to know."""
    from rich.text import Text

    from tocwalk.evals import evaluation_notes
    from tocwalk.tree.safe_text import many_lines

    console = on_stderr()
    for note in evaluation_notes(report):
        console.print(Text(many_lines(note), style="yellow"))
