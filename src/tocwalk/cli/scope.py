"""The index that a question is asked of: the stored one, or one made of files for this question alone."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from tocwalk.cli.naming import as_named
from tocwalk.cli.opening import open_index
from tocwalk.cli.output import on_stderr
from tocwalk.cli.reports import OutcomesView, print_problems
from tocwalk.cli.sources import find_sources
from tocwalk.errors import NotFoundError
from tocwalk.index import TreeIndex
from tocwalk.indexing.indexer import Indexer

__all__ = ["Scope", "files_as_index", "stored_index"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What may be asked, while its context lasts."""

    index: TreeIndex
    complete: bool = True
    """False where some of the files could not be read."""
    clean_up: Callable[[], None] = lambda: None
    """Takes away what was made for the question, in case the process ends within the context."""

    def title_of(self, corpus: str, id_: str) -> str:
        """Return number and title of a section, or the last part of an id that is no longer there."""
        try:
            return self.index.find(corpus, id_).name
        except NotFoundError:
            return id_.rpartition("/")[2]


@contextmanager
def stored_index(location: str | None) -> Generator[Scope]:
    """Open the stored index.

    Raises:
        NotFoundError: There is none.
    """
    try:
        index = open_index(location, read_only=True)
    except NotFoundError as error:
        raise NotFoundError(
            f"{error} Run `{as_named(error.command)}`, or ask files without an index: `tocwalk ask QUESTION --in PATH`."
        ) from error
    with index:
        yield Scope(index=index)


@contextmanager
def files_as_index(paths: Sequence[Path], *, jobs: int) -> Generator[Scope]:
    """Read files into an index that is gone afterwards; what cannot be read is said on stderr.

    Raises:
        InputError: There is no file.
        click.exceptions.Exit: With code 1: none of the files could be read.
    """
    sources = find_sources(paths)
    console = on_stderr()
    folder = tempfile.TemporaryDirectory(prefix="tocwalk-")
    with folder, TreeIndex(Path(folder.name, "index.db")) as index:
        with OutcomesView(console, len(sources)) as view:
            Indexer(index=index, jobs=jobs).run(sources, on_outcome=view)
        print_problems(console, view.outcomes, warnings=False)
        if not view.usable:
            raise click.exceptions.Exit(1)
        yield Scope(index=index, complete=not view.failed, clean_up=folder.cleanup)
