"""Commands in messages name the index and corpus that were named, so that they can be run as they stand."""

from __future__ import annotations

import shlex
from typing import Any

import click
from click.core import ParameterSource

__all__ = ["as_named", "remember_named", "with_named"]

_NAMED = "tocwalk.cli.naming"


def remember_named(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
    """Remember an option as it was given, for `as_named`; a callback of click's."""
    if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
        context.meta.setdefault(_NAMED, {})[parameter.opts[0]] = given
    return given


def as_named(command: str) -> str:
    """Return "tocwalk NAME ..." with the index and corpus that the command being run was given."""
    context = click.get_current_context(silent=True)
    return with_named(command, context.meta.get(_NAMED, {}) if context else {})


def with_named(command: str, options: dict[str, str]) -> str:
    """Return "tocwalk NAME ..." with options after the name, as a shell reads them."""
    program, name, *rest = command.split(" ", 2)
    return " ".join([program, name, *(shlex.quote(f"{flag}={given}") for flag, given in options.items()), *rest])
