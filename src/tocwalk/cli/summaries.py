"""Summaries by a model: the options, who writes them, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from tocwalk.summarising import Spending, Summariser

__all__ = ["WITHOUT_MODEL", "spending_line", "spending_record", "summariser_of", "summary_settings"]

WITHOUT_MODEL: Final = ("lead", "none")
"""Summaries that need no model."""


def _summaries(_ctx: click.Context, _param: click.Parameter, given: str) -> str:
    if given not in WITHOUT_MODEL and ":" not in given:
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
    click.option(
        "--max-tokens",
        type=click.IntRange(0, 1_000_000_000_000),
        show_default="no limit",
        metavar="N",
        help="Most model tokens spent on summaries in this run.",
    ),
    click.option(
        "--max-cost",
        type=click.FloatRange(0),
        metavar="MONEY",
        show_default="no limit",
        help="Most money spent on summaries in this run; needs the model's price in TOCWALK_PRICES.",
    ),
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


def summary_settings(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--summaries`, and an option for each of `SummariserSettings`, named like it."""
    for option in reversed(_SETTINGS):
        function = option(function)
    return function


@contextmanager
def summariser_of(
    summaries: str, location: str | None, settings: Mapping[str, Any], *, on_progress: Callable[[Spending], None]
) -> Generator[Summariser | None]:
    """Open what writes summaries, which are kept in the index; None where no model does.

    Args:
        summaries: As `--summaries` has it.
        location: The index, as `--index` has it.
        settings: As `summary_settings` has them.
        on_progress: As `Summariser` has it.

    Raises:
        click.UsageError: A budget was given where no model is asked.
        ConfigurationError: The model cannot be asked.
    """
    if summaries in WITHOUT_MODEL:
        if given := [name for name in ("max_tokens", "max_cost") if settings[name] is not None]:
            raise click.UsageError(f"--{given[0].replace('_', '-')} is for summaries by a model: --summaries MODEL.")
        yield None
        return
    from tocwalk.index import SummaryCache, default_location
    from tocwalk.summarising import Summariser, SummariserSettings

    chosen = SummariserSettings(**settings)
    with (
        SummaryCache(default_location() if location is None else location) as cache,
        Summariser(summaries, cache, settings=chosen, on_progress=on_progress) as summariser,
    ):
        yield summariser


def spending_line(spending: Spending) -> str:
    """Return "12 summaries written, 14 model calls, 10,324 tokens in and 612 out, cost 0.0104"."""
    from tocwalk.cli.wording import counted

    usage = spending.usage
    written = spending.counts["written"]
    parts = [
        "1 summary written" if written == 1 else f"{written:,} summaries written",
        *([f"{kept:,} reused"] if (kept := spending.counts["kept"]) else []),
        counted(usage.calls, "model call"),
        f"{'about ' if usage.estimated else ''}{usage.input_tokens:,} tokens in and {usage.output_tokens:,} out",
    ]
    if spending.cost is not None:
        parts.append(f"cost {spending.cost:.4f}")
    return ", ".join(parts)


def spending_record(summariser: Summariser) -> dict[str, Any]:
    """Return what summaries have cost, as `--json` prints it."""
    from tocwalk.models.spending import NOTHING_SPENT, add_usage

    spending = summariser.spending
    usage = add_usage(NOTHING_SPENT, spending.usage, spending.budget.price)
    return {
        "made_by": summariser.made_by,
        "sections": {how: spending.counts[how] for how in ("text", "kept", "written", "lead")},
        "stopped": spending.stopped,
        "usage": {name: count for name, count in usage.items() if name not in ("visits", "cached_decisions")},
    }
