"""Summaries by a model: the options, who writes them, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final

import click

from tocwalk.cli.options import Decorator, budget_options, with_options

if TYPE_CHECKING:
    from tocwalk.index import TreeIndex
    from tocwalk.summarising import Spending, Summariser

__all__ = ["summariser_of", "summary_settings"]

_WITHOUT_MODEL: Final = ("lead", "none")
"""Summaries that need no model."""


def _summaries(_ctx: click.Context, _param: click.Parameter, given: str) -> str:
    if given not in _WITHOUT_MODEL and ":" not in given:
        raise click.BadParameter(f"{given!r} is neither lead nor none, and no model like openai:gpt-5-mini.")
    return given


_SETTINGS = (
    click.option(
        "--summaries",
        default="lead",
        show_default=True,
        metavar="lead|none|MODEL",
        callback=_summaries,
        help="How sections are summarised for the navigator: by their first sentence and key terms, not at all, or by"
        " a chat model like openai:gpt-5-mini.",
    ),
    click.option(
        "--parallel",
        type=click.IntRange(1, 64),
        default=4,
        show_default=True,
        metavar="N",
        help="Most summaries asked for at once.",
    ),
    *budget_options("on summaries in this run"),
    click.option(
        "--summary-timeout",
        "summary_timeout_s",
        type=click.FloatRange(0, 3600, min_open=True),
        default=120.0,
        show_default=True,
        metavar="SECONDS",
        help="Longest time for one summary, retries included.",
    ),
)

summary_settings: Decorator = with_options(_SETTINGS)
"""Gives a command `--summaries`, and an option for each of `SummariserSettings`, named like it."""


def summariser_of(
    summaries: str, index: TreeIndex, settings: Mapping[str, Any], *, on_progress: Callable[[Spending], None]
) -> AbstractContextManager[Summariser | None]:
    """Return a context with what writes summaries, which are kept in the index; with None where no model does.

    Args:
        summaries: As `--summaries` has it.
        index: Where they are kept.
        settings: As `summary_settings` has them.
        on_progress: As `Summariser` has it.

    Raises:
        click.UsageError: A budget was given where no model is asked.
        ConfigurationError: The model cannot be asked.
        ReadOnlyIndexError: Nothing can be kept in the index.
    """
    if summaries in _WITHOUT_MODEL:
        if given := [name for name in ("max_tokens", "max_cost") if settings[name] is not None]:
            raise click.UsageError(f"--{given[0].replace('_', '-')} is for summaries by a model: --summaries MODEL.")
        return nullcontext()
    from tocwalk.indexing.summaries import summariser_for
    from tocwalk.summarising import SummariserSettings

    return summariser_for(index, summaries, SummariserSettings(**settings), on_progress=on_progress)
