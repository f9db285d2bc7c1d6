"""tocwalk index: documents into the index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tocwalk.cli.opening import open_index
from tocwalk.cli.options import (
    DEFAULT_JOBS,
    Scalar,
    corpus_option,
    index_option,
    json_option,
    pairs_option,
)
from tocwalk.cli.output import on_stderr, write_json
from tocwalk.cli.sources import absolute, find_sources
from tocwalk.cli.summaries import summariser_of, summary_settings
from tocwalk.indexing.source import Source

if TYPE_CHECKING:
    from tocwalk.cli.reports import OutcomesView
    from tocwalk.index import DocumentRow, TreeIndex
    from tocwalk.indexing.indexer import Indexer
    from tocwalk.summarising import Summariser

__all__ = ["command"]

_MOST_JOBS = 64


@click.command("index")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@corpus_option
@index_option
@summary_settings
@click.option(
    "--jobs",
    type=click.IntRange(1, _MOST_JOBS),
    default=DEFAULT_JOBS,
    show_default="processors, at most 4",
    metavar="N",
    help="Files parsed at once.",
)
@pairs_option(
    "--metadata", "metadata", "Metadata for every document, which `ask --filter` tests; VALUEs are read as there."
)
@click.option(
    "--prune", is_flag=True, help="Remove documents that came from a folder named here and whose file is gone."
)
@json_option
def command(
    *,
    paths: tuple[Path, ...],
    corpus: str,
    location: str | None,
    summaries: str,
    jobs: int,
    metadata: tuple[tuple[str, Scalar], ...],
    prune: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Read documents into the index.

    A PATH is a file, or a folder whose files are read with all that are below it; hidden files, empty ones and what is
    no document are passed over. A document's id is its path below the folder. Documents that have not changed are not
    read again; those whose file is gone from the folder are named. One that cannot be read does not stop the others:
    all problems are listed at the end, and the exit code is 1.

    Summaries by a model are kept as soon as they are written: after Ctrl-C, a crash or a budget that is spent, the same
    command goes on where it was. What is unchanged is never paid for again.
    """
    from tocwalk.cli.reports import OutcomesView

    sources = find_sources(paths)
    view = OutcomesView(on_stderr(), len(sources))
    with (
        open_index(location, read_only=False) as index,
        summariser_of(summaries, index, settings, on_progress=view.spent) as summariser,
    ):
        before = _documents(index, corpus)
        indexer = _indexer(index, summaries, summariser, corpus=corpus, metadata=dict(metadata), jobs=jobs)
        with view:
            indexer.run(sources, on_outcome=view)
        gone = _gone(_documents(index, corpus), paths, sources)
        for document_id in gone if prune else ():
            index.remove(corpus, document_id)
        generation = index.generation(corpus) if view.usable else None
        written = _written(summariser) if summariser else None
    about = {"corpus": corpus, "index_version": generation, "summaries": written}
    _report(view, about, gone, prune=prune, as_json=as_json)
    _tell_side_effects(before, view)
    if view.failed or view.missing or not view.usable:
        raise click.exceptions.Exit(1)


def _indexer(index: TreeIndex, summaries: str, summariser: Summariser | None, **options: Any) -> Indexer:
    from tocwalk.indexing.indexer import Indexer

    return Indexer(index=index, summaries="none" if summaries == "none" else "lead", summariser=summariser, **options)


def _written(summariser: Summariser) -> dict[str, Any]:
    from tocwalk.summarising import summaries_report, usage_totals

    usage = usage_totals(summariser.spending)
    about_walks = ("visits", "cached_decisions")
    return {
        **summaries_report(summariser),
        "usage": {name: count for name, count in usage.items() if name not in about_walks},
    }


def _documents(index: TreeIndex, corpus: str) -> list[DocumentRow]:
    return index.documents(corpus) if corpus in index.corpora() else []


def _gone(rows: Sequence[DocumentRow], paths: Sequence[Path], sources: Sequence[Source]) -> list[str]:
    from tocwalk.cli.gone import gone_documents

    return gone_documents(rows, folders=[absolute(path) for path in paths if path.is_dir()], found=sources)


def _report(view: OutcomesView, about: dict[str, Any], gone: list[str], *, prune: bool, as_json: bool) -> None:
    from tocwalk.cli.reports import gone_line, print_problems, summary_line
    from tocwalk.indexing.outcome import document_report

    if as_json:
        removal = {"gone": [] if prune else gone, "removed": gone if prune else []}
        write_json({**about, "documents": [document_report(one) for one in view.outcomes], **removal})
    else:
        click.echo(", ".join([summary_line(view.outcomes), *([f"{len(gone):,} removed"] if gone and prune else [])]))
    print_problems(on_stderr(), view.outcomes)
    if gone and not prune:
        click.echo(gone_line(gone), err=True)


def _tell_side_effects(before: Sequence[DocumentRow], view: OutcomesView) -> None:
    from tocwalk.cli.reports import print_notes
    from tocwalk.cli.side_effects import side_effects

    print_notes(on_stderr(), side_effects(before, view.outcomes))
