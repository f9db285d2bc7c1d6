"""tocwalk ask: a question to the documents."""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tocwalk.cli.errors import INTERRUPTED
from tocwalk.cli.naming import with_named
from tocwalk.cli.options import (
    DEFAULT_JOBS,
    Scalar,
    asked_corpus_option,
    grouped,
    index_option,
    json_option,
    pairs_option,
)
from tocwalk.cli.output import on_stderr, on_stdout, write_json
from tocwalk.cli.settings import walk_settings

if TYPE_CHECKING:
    from tocwalk.cli.replaying import Recording
    from tocwalk.cli.scope import Scope
    from tocwalk.cli.walking import Question, Walked
    from tocwalk.graph import WalkGraph

__all__ = ["command"]

_BESIDE_A_RECORD = frozenset({"question", "record", "paths", "location", "no_text", "verbose", "as_json"})
"""Parameters that a record does not hold."""


def _one_question(_ctx: click.Context, _param: click.Parameter, words: tuple[str, ...]) -> str | None:
    if len(words) > 1:
        raise click.UsageError(
            f"Put the question in quotes: tocwalk ask {shlex.quote(' '.join(words))}. Files to ask are named with --in."
        )
    return words[0] if words else None


@click.command("ask")
@click.argument("question", metavar="QUESTION", nargs=-1, callback=_one_question)
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
    "--document", "documents", multiple=True, metavar="ID", help="Ask this document only; may be given again."
)
@pairs_option(
    "--filter",
    "filters",
    "Metadata that must match; a KEY given again means one of its values. A VALUE that reads as a JSON number, true,"
    ' false, null or "text" is that, and else text. A KEY `section.x` is x of the sections found.',
)
@walk_settings
@click.option("--no-cache", is_flag=True, help="Ask the navigator even what it has decided before, and keep nothing.")
@click.option(
    "--replay",
    "record",
    type=click.File("rb"),
    metavar="FILE",
    help="Walk a recorded walk again, without a model: FILE holds what --json printed. Question, scope and settings are"
    " the record's; files that were asked with --in must be named again.",
)
@click.option("--no-text", is_flag=True, help="Leave the sections' texts out.")
@click.option("-v", "--verbose", is_flag=True, help="Show why the navigator decided as it did; with --json, its steps.")
@json_option
def command(
    *,
    question: str | None,
    record: IO[bytes] | None,
    paths: tuple[Path, ...],
    location: str | None,
    no_text: bool,
    verbose: bool,
    as_json: bool,
    no_cache: bool,
    **options: Any,
) -> None:
    """Ask the documents a question, and get the sections that answer it.

    A navigator reads the documents' tables of contents and decides, step by step, where to look. What it lands on is
    printed whole. Ctrl-C ends the walk and prints what has landed; a second one ends at once.
    """
    if paths and (options["corpus"] or location):
        raise click.UsageError("--in asks files that are not stored: leave out --corpus and --index.")
    recording = None if record is None else _recording(record, question)
    asked = _asked(question, **options) if recording is None else recording.question
    with _scope(paths, location) as scope:
        graph = (
            _graph(asked, scope, cache=not no_cache) if recording is None else recording.graph(scope, stored=not paths)
        )
        walked = _walk(asked, scope, graph, lines=verbose or not as_json, reasoning=verbose)
    if recording and not walked.interrupted:
        walked = recording.checked(walked)
    read_command = "" if paths else _read_command(None if asked.corpus == "default" else asked.corpus, location)
    _print(asked, walked, with_text=not no_text, as_json=as_json, read_command=read_command, replayed=bool(recording))
    if walked.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)
    if not scope.complete:
        raise click.exceptions.Exit(1)


def _asked(
    question: str | None,
    *,
    corpus: str | None,
    documents: tuple[str, ...],
    filters: tuple[tuple[str, Scalar], ...],
    **settings: Any,
) -> Question:
    """Return what is asked by the options.

    Raises:
        click.UsageError: There is no question.
        TocwalkError: It cannot be asked.
    """
    if question is None:
        raise click.UsageError("Missing argument 'QUESTION'.")
    from tocwalk.cli.walking import Question
    from tocwalk.state import WalkContext

    asked = Question(
        query=question,
        corpus=corpus or "default",
        documents=documents,
        filters=grouped(filters),
        settings=WalkContext.of(settings),
    )
    asked.check()
    return asked


def _recording(record: IO[bytes], question: str | None) -> Recording:
    """Return what is on record.

    Raises:
        click.UsageError: An option says what the record says.
        ReplayError: It cannot be replayed.
    """
    context = click.get_current_context()
    given = [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name not in _BESIDE_A_RECORD
        and context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"--replay takes question, scope and settings from the record: leave out {given[0]}.")
    from tocwalk.cli.replaying import read_recording

    return read_recording(record, query=question)


def _scope(paths: tuple[Path, ...], location: str | None) -> AbstractContextManager[Scope]:
    from tocwalk.cli.scope import files_as_index, stored_index

    return files_as_index(paths, jobs=DEFAULT_JOBS) if paths else stored_index(location)


def _graph(asked: Question, scope: Scope, *, cache: bool) -> WalkGraph:
    from tocwalk.cli.notice import say_once_that_it_is_offline
    from tocwalk.cli.walking import graph_of

    say_once_that_it_is_offline(asked.settings.navigator_model)
    return graph_of(asked, scope, cache=cache)


def _walk(asked: Question, scope: Scope, graph: WalkGraph, *, lines: bool, reasoning: bool) -> Walked:
    from tocwalk.cli.steps import StepsView
    from tocwalk.cli.walking import walk

    title_of = partial(scope.title_of, asked.corpus)
    with StepsView(on_stderr(), title_of=title_of, lines=lines, reasoning=reasoning) as view:
        return walk(asked, graph, before_end=scope.clean_up, on_event=view)


def _print(
    asked: Question, walked: Walked, *, with_text: bool, as_json: bool, read_command: str, replayed: bool
) -> None:
    if as_json:
        from tocwalk.cli.contracts import walked_record

        write_json(walked_record(asked, walked, with_text=with_text))
    else:
        from tocwalk.cli.landed import print_walked

        print_walked(
            on_stdout(),
            walked,
            navigator=asked.settings.navigator_model,
            with_text=with_text,
            read_command=read_command,
            replayed=replayed,
        )


def _read_command(corpus: str | None, location: str | None) -> str:
    named = {"--corpus": corpus, "--index": location}
    return with_named("tocwalk read", {flag: given for flag, given in named.items() if given})
