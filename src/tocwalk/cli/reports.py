"""What came of reading files: while it goes on, and at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from tocwalk.cli.naming import as_named
from tocwalk.cli.wording import counted, shown
from tocwalk.indexing.outcome import IN_INDEX, OTHER_KINDS, Outcome
from tocwalk.tree.safe_text import many_lines

if TYPE_CHECKING:
    from tocwalk.summarising import Spending

__all__ = ["OutcomesView", "examples", "gone_line", "print_notes", "print_problems", "summary_line"]

_EXAMPLES = 3
_GONE_EXAMPLES = 20
_SPENT_EVERY = 100
"""Calls of a model after which a line says what has been spent, where no terminal shows it all the time."""


class OutcomesView:
    """Collects outcomes behind a progress bar, which a terminal alone shows. A context manager."""

    def __init__(self, console: Console, total: int) -> None:
        """Take the console for messages and the number of files."""
        self.outcomes: list[Outcome] = []
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
        self._console = console
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task("", total=total)
        self._spending: Spending | None = None
        self._said_at = 0

    def __enter__(self) -> Self:
        """Begin to show."""
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Take the bar away and say what was spent; after Ctrl-C say what had been done by then."""
        self._progress.stop()
        if self._spending:
            self._say_spent("Summaries", self._spending)
            if stopped := self._spending.stopped:
                click.echo(
                    f"No more were asked for: {many_lines(stopped).rstrip('.')}. Run it again to go on.", err=True
                )
        if kind is KeyboardInterrupt:
            click.echo(f"{summary_line(self.outcomes)} before the end.", err=True)

    def __call__(self, outcome: Outcome) -> None:
        """Take the next outcome."""
        self.outcomes.append(outcome)
        self._progress.update(self._task, advance=1, description=shown(outcome.source.document_id))

    def spent(self, spending: Spending) -> None:
        """Take what summaries have cost so far; called from another thread."""
        self._spending = spending
        if self._console.is_terminal:
            from tocwalk.summarising import spending_line

            self._progress.update(self._task, description=spending_line(spending))
        elif spending.usage.calls >= self._said_at + _SPENT_EVERY:
            self._said_at = spending.usage.calls
            self._say_spent("Summaries so far", spending)

    @staticmethod
    def _say_spent(what: str, spending: Spending) -> None:
        from tocwalk.summarising import spending_line

        click.echo(f"{what}: {spending_line(spending)}.", err=True)

    @property
    def missing(self) -> bool:
        """Whether a model that was to write summaries has not written them all."""
        return any(outcome.missing for outcome in self.outcomes)

    @property
    def usable(self) -> bool:
        """Whether any file is in the index now."""
        return any(outcome.status in IN_INDEX for outcome in self.outcomes)

    @property
    def failed(self) -> bool:
        """Whether any file that should be in the index is not."""
        return any(outcome.status == "failed" for outcome in self.outcomes)


def summary_line(outcomes: Iterable[Outcome]) -> str:
    """Return "3 documents stored, 1 replaced, 12 unchanged, 2 failed"."""
    counts = Counter(outcome.status for outcome in outcomes)
    rest = [
        f"{counts[status]:,} {status}" for status in ("replaced", "unchanged", "skipped", "failed") if counts[status]
    ]
    return ", ".join([f"{counted(counts['stored'], 'document')} stored", *rest])


def print_notes(console: Console, notes: Iterable[str]) -> None:
    """Print "Note: ..." for each of some sentences."""
    for note in notes:
        console.print(Text(f"Note: {many_lines(note)}", style="yellow"))


def print_problems(console: Console, outcomes: Sequence[Outcome], *, warnings: bool = True) -> None:
    """Print what a person should know of files: warnings, what was passed over, what failed.

    Args:
        console: Where to.
        outcomes: Of all files.
        warnings: Print each, as `index` does, and name its --json; else one line says how many files have some.
    """
    print_notes(console, _each_warning(outcomes) if warnings else _warned_files(outcomes))
    for words, reasons in _PASSED_OVER.items():
        passed = [one for one in outcomes if one.status == "skipped" and one.reason in reasons]
        if passed:
            more = "; --json names all, with the reason" if warnings and len(passed) > _EXAMPLES else ""
            console.print(Text(f"Passed over {counted(len(passed), 'file')} {words}: {examples(passed)}{more}"))
    for outcome in outcomes:
        if outcome.status == "failed":
            console.print(Text(f"Failed: {many_lines(outcome.message)}", style="red"))


_PASSED_OVER = {
    "in which nothing is written": frozenset({"empty_file"}),
    "that cannot be read as documents": OTHER_KINDS,
}


def _each_warning(outcomes: Iterable[Outcome]) -> Iterator[str]:
    for outcome in outcomes:
        for warning in outcome.warnings:
            yield f"{shown(outcome.source.document_id)}: {warning}"


def _warned_files(outcomes: Iterable[Outcome]) -> Iterator[str]:
    warned = [outcome for outcome in outcomes if outcome.warnings]
    flat = [outcome for outcome in warned if outcome.sections == 1]
    others = len(warned) - len(flat)
    parts = [f"{counted(len(flat), 'file')} without headings ({examples(flat)})"] if flat else []
    parts += [f"{counted(others, 'file')} with other notes"] if others else []
    if parts:
        yield f"{', '.join(parts)}: `tocwalk parse FILE` says more."


def examples(outcomes: Sequence[Outcome]) -> str:
    """Return the ids of the first of some documents, with an ellipsis where there are more."""
    names = [shown(outcome.source.document_id) for outcome in outcomes[:_EXAMPLES]]
    return ", ".join([*names, "…"] if len(outcomes) > _EXAMPLES else names)


def gone_line(ids: Sequence[str]) -> str:
    """Return what to do with documents whose files are gone."""
    whose = "1 document's file is gone" if len(ids) == 1 else f"{len(ids):,} documents' files are gone"
    names = ", ".join([*map(shown, ids[:_GONE_EXAMPLES]), *(["…"] if len(ids) > _GONE_EXAMPLES else [])])
    return f"{whose}: {names}; remove with `{as_named('tocwalk remove ID')}`, or run with --prune"
