"""What the command prints: a result on stdout, for people or as one JSON document; everything else on stderr."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["on_stderr", "on_stdout", "print_text", "write_json"]

_UNBROKEN = 1_000_000
"""Width of what is no terminal: lines are left as long as they are."""


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
    """Print a document's text as it stands, wrapped between words in a terminal only."""
    from rich.text import Text

    from tocwalk.tree.safe_text import many_lines

    safe = many_lines(text).strip("\n")
    if console.is_terminal:
        console.print(Text(safe))
    else:
        click.echo(safe, file=console.file)


def _console(*, stderr: bool) -> Console:
    """Return a console that takes what it is given literally: no markup, no emoji codes, no highlighting."""
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = _UNBROKEN
    return console
