"""The settings of a walk as options of the command.

Names, defaults and bounds are those of `WalkContext`. They stand here again, held together by a test, because that
class takes a second to import and `--help` is there at once.
"""

from __future__ import annotations

import click

from tocwalk.cli.options import Decorator, budget_options, with_options

__all__ = ["walk_settings"]


def _number(option: str, setting: str, default: int, bounds: click.IntRange, sentence: str) -> Decorator:
    return click.option(option, setting, type=bounds, default=default, show_default=True, metavar="N", help=sentence)


_SETTINGS = (
    click.option(
        "--navigator",
        "navigator_model",
        default="lexical:outline",
        show_default=True,
        metavar="MODEL",
        help="Who judges: provider:model; `tocwalk navigators` lists what is installed.",
    ),
    _number("--visits", "max_visits", 15, click.IntRange(0, 1000), "Most offers opened, across all paths."),
    _number("--depth", "max_depth", 6, click.IntRange(0, 1000), "Deepest level looked at; a document is 0."),
    _number("--picks", "max_picks", 3, click.IntRange(1, 100), "Most sections looked into after one decision."),
    _number("--parallel", "parallel", 4, click.IntRange(1, 64), "Most navigator calls in flight at once."),
    _number(
        "--offer-tokens",
        "offer_tokens",
        6000,
        click.IntRange(100, 1_000_000),
        "Size of the outline that one call shows, in tokens.",
    ),
    click.option(
        "--offer-levels",
        type=click.IntRange(1, 1000),
        metavar="N",
        show_default="as many as fit",
        help="Most levels of the outline that one call shows.",
    ),
    _number("--max-results", "max_results", 10, click.IntRange(1, 1000), "Most sections returned."),
    _number(
        "--max-section-tokens",
        "max_section_tokens",
        8000,
        click.IntRange(0, 1_000_000_000),
        "Above this size a section comes with its own text and the titles below, not with their text.",
    ),
    *budget_options(),
    click.option(
        "--backtrack/--no-backtrack",
        default=True,
        show_default=True,
        help="Give a section another try when what was picked from it is rejected.",
    ),
    click.option(
        "--on-failure",
        type=click.Choice(["raise", "partial"]),
        default="raise",
        show_default=True,
        help="When the navigator gives no decision: fail, or land where the path stands and go on.",
    ),
    click.option(
        "--decide-timeout",
        "decide_timeout_s",
        type=click.FloatRange(0, 3600, min_open=True),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Longest time for one decision, retries included.",
    ),
)

walk_settings: Decorator = with_options(_SETTINGS)
"""Gives a command an option for each setting; they reach it as keyword arguments named like the settings."""
