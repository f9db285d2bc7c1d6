"""Options that several commands share, and how KEY=VALUE is read."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import click

from tocwalk.cli.naming import remember_named

__all__ = [
    "DEFAULT_JOBS",
    "Decorator",
    "Scalar",
    "asked_corpus_option",
    "budget_options",
    "corpus_option",
    "grouped",
    "index_option",
    "json_option",
    "pairs_option",
    "summaries_option",
    "with_options",
]

DEFAULT_JOBS = min(4, os.cpu_count() or 1)
"""Files parsed at once where nobody says how many."""

Scalar: TypeAlias = str | int | float | bool | None
Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]

json_option: Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else."
)
corpus_option: Decorator = click.option(
    "--corpus",
    default="default",
    show_default=True,
    metavar="NAME",
    callback=remember_named,
    help="The set of documents meant.",
)
index_option: Decorator = click.option(
    "--index",
    "location",
    metavar="LOCATION",
    callback=remember_named,
    show_default="where TOCWALK_INDEX says, or index.db in TOCWALK_HOME",
    help="The index: a file's path, or sqlite:///PATH.",
)
asked_corpus_option: Decorator = click.option(
    "--corpus", metavar="NAME", show_default="default", callback=remember_named, help="The set of documents asked."
)
summaries_option: Decorator = click.option(
    "--summaries",
    type=click.Choice(["lead", "none"]),
    default="lead",
    show_default=True,
    help="How sections are summarised for the navigator: by their first sentence and key terms, or not at all.",
)


def budget_options(on: str = "") -> tuple[Decorator, Decorator]:
    """Return `--max-tokens` and `--max-cost`.

    Args:
        on: What is limited, to be read after "spent": "on summaries in this run".
    """
    spent = f"spent {on}".rstrip()
    return (
        click.option(
            "--max-tokens",
            type=click.IntRange(0, 1_000_000_000_000),
            show_default="no limit",
            metavar="N",
            help=f"Most model tokens {spent}.",
        ),
        click.option(
            "--max-cost",
            type=click.FloatRange(0),
            metavar="MONEY",
            show_default="no limit",
            help=f"Most money {spent}; needs the model's price in TOCWALK_PRICES.",
        ),
    )


def with_options(options: Sequence[Decorator]) -> Decorator:
    """Return what gives a command options, which `--help` shows in this order."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorated


def pairs_option(flag: str, name: str, sentence: str) -> Decorator:
    """Return a repeatable option of the form KEY=VALUE, which reaches the command as a tuple of pairs."""
    return click.option(flag, name, multiple=True, metavar="KEY=VALUE", callback=_pairs, help=sentence)


def grouped(pairs: Iterable[tuple[str, Scalar]]) -> dict[str, Scalar | list[Scalar]]:
    """Return filters: a key that comes once with its value, a key that comes again with the list of its values."""
    values: dict[str, list[Scalar]] = {}
    for key, value in pairs:
        values.setdefault(key, []).append(value)
    return {key: found[0] if len(found) == 1 else found for key, found in values.items()}


def _pairs(_ctx: click.Context, _param: click.Parameter, given: Iterable[str]) -> tuple[tuple[str, Scalar], ...]:
    return tuple(map(_pair, given))


def _pair(text: str) -> tuple[str, Scalar]:
    key, equals, value = text.partition("=")
    if not (equals and key.strip()):
        raise click.BadParameter(f"{text!r} is not of the form KEY=VALUE.")
    return key.strip(), _scalar(value)


def _scalar(text: str) -> Scalar:
    if text.lstrip().startswith(("[", "{")):
        return text
    try:
        value: Scalar = json.loads(text, parse_constant=str)
    except ValueError:
        return text
    # JSON has no infinity, and a number that becomes one was not meant as a number.
    return text if isinstance(value, float) and not math.isfinite(value) else value
