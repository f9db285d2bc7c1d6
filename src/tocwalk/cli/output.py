"""What the command prints: a result on stdout, for people or as one JSON document; everything else on stderr."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["on_stderr", "on_stdout", "print_hanging", "print_text", "write_json"]

_UNBROKEN = 1_000_000
"""Width of what is no terminal: lines are left as long as they are."""

_NARROWEST = 16
"""Columns below which an indent would leave too little for words."""


def write_json(value: Any) -> None:
    """Print one JSON document on one line.

    In ASCII, so that it is the same in every locale and nothing in it can move a terminal's cursor.
    """
    click.echo(json.dumps(value, allow_nan=False))


def on_stdout() -> Console:
    """Return where results for people go."""
    return _console(stderr=False)


def on_stderr() -> Console:
    """Return where progress and messages go."""
    return _console(stderr=True)


def print_text(console: Console, text: str) -> None:
    """Print a document's text as it stands; in a terminal prose that is too wide for it is wrapped between words."""
    from tocwalk.cli.reflow import reflow
    from tocwalk.tree.safe_text import many_lines

    safe = many_lines(text).strip("\n")
    click.echo(reflow(safe, console) if console.is_terminal else safe, file=console.file)


def print_hanging(console: Console, line: Text, *, start: str, hang: int) -> None:
    """Print a line whose continuations, where a terminal needs some, are indented.

    Args:
        console: Where to.
        line: Wrapped between words.
        start: Stands before it, as it is.
        hang: Columns before its continuations.
    """
    from rich.text import Text

    if not console.is_terminal or console.width < hang + _NARROWEST:
        console.print(Text(start).append_text(line))
        return
    for i, part in enumerate(line.wrap(console, console.width - hang)):
        part.rstrip()
        console.print(Text(" " * hang if i else start).append_text(part), soft_wrap=True)


def _console(*, stderr: bool) -> Console:
    """Return a console that takes what it is given literally: no markup, no emoji codes, no highlighting."""
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = _UNBROKEN
    return console
