"""tocwalk navigators: who can judge."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tocwalk.cli.options import json_option
from tocwalk.cli.output import on_stdout, write_json

if TYPE_CHECKING:
    from tocwalk.navigators.registry import InstalledNavigator

__all__ = ["command"]


@click.command("navigators")
@json_option
def command(*, as_json: bool) -> None:
    """List who can judge: the models that `ask` may be given.

    A navigator comes with tocwalk or with another distribution that announces one under `tocwalk.navigators`.
    """
    from tocwalk.navigators.registry import NavigatorRegistry
    from tocwalk.state.operator import OperatorSettings

    operator = OperatorSettings.from_environment()
    installed = NavigatorRegistry.from_entry_points(operator).installed()
    if as_json:
        write_json(
            {"navigators": [dataclasses.asdict(one) for one in installed], "allowed_models": list(operator.models)}
        )
        return
    console = on_stdout()
    for navigator in installed:
        console.print(navigator.name, style="bold", end="")
        console.print(f" from {navigator.distribution}")
        for line in _about(navigator):
            console.print(f"  {line}")
    if operator.models != ("*",):
        console.print(f"Only these models are allowed: {', '.join(operator.models)}.")


def _about(navigator: InstalledNavigator) -> Iterator[str]:
    from tocwalk.cli.wording import shown

    if navigator.error:
        yield f"cannot be loaded: {shown(navigator.error)}"
    for example in navigator.examples:
        yield f"--navigator {shown(example)}"
    if navigator.needs:
        yield f"needs {shown(navigator.needs)}"
