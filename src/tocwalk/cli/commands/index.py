"""tocwalk index: documents into the index."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tocwalk.cli.opening import open_index
from tocwalk.cli.options import (
    DEFAULT_JOBS,
    Scalar,
    corpus_option,
    index_option,
    json_option,
    pairs_option,
    summaries_option,
)
from tocwalk.cli.output import on_stderr, write_json
from tocwalk.cli.sources import find_sources

if TYPE_CHECKING:
    from tocwalk.cli.indexing import Summaries
    from tocwalk.cli.reports import OutcomesView

__all__ = ["command"]

_MOST_JOBS = 64


@click.command("index")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@corpus_option
@index_option
@summaries_option
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
@json_option
def command(
    *,
    paths: tuple[Path, ...],
    corpus: str,
    location: str | None,
    summaries: Summaries,
    jobs: int,
    metadata: tuple[tuple[str, Scalar], ...],
    as_json: bool,
) -> None:
    """Read documents into the index.

    A PATH is a file, or a folder whose files are read with all that are below it; hidden files, empty ones and what is
    no document are passed over. A document's id is its path below the folder. Documents that have not changed are not
    read again. One that cannot be read does not stop the others: all problems are listed at the end, and the exit code
    is 1.
    """
    from tocwalk.cli.indexing import Indexer
    from tocwalk.cli.reports import OutcomesView

    sources = find_sources(paths)
    view = OutcomesView(on_stderr(), len(sources))
    with open_index(location, read_only=False) as index:
        indexer = Indexer(index=index, corpus=corpus, summaries=summaries, metadata=dict(metadata), jobs=jobs)
        with view:
            indexer.run(sources, on_outcome=view)
        index.collect()
        generation = index.generation(corpus) if view.usable else None
    _report(view, corpus, generation, as_json=as_json)


def _report(view: OutcomesView, corpus: str, generation: int | None, *, as_json: bool) -> None:
    from tocwalk.cli.reports import outcome_records, print_problems, summary_line

    if as_json:
        write_json({"corpus": corpus, "index_version": generation, "documents": outcome_records(view.outcomes)})
    else:
        click.echo(summary_line(view.outcomes))
    print_problems(on_stderr(), view.outcomes)
    if view.failed or not view.usable:
        raise click.exceptions.Exit(1)
