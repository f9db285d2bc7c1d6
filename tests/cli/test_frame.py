"""The frame around the commands: help, versions, errors, exit codes."""

from __future__ import annotations

import importlib
from typing import Any

import click
import pytest
from command_line import Run

import tocwalk
from tocwalk.cli.app import cli
from tocwalk.cli.commands import ask, documents
from tocwalk.errors import InputError, NotFoundError, SettingsError, TocwalkError
from tocwalk.state import WalkContext

NAMES = cli.list_commands(click.Context(cli))
COMMANDS = {name: importlib.import_module(f"tocwalk.cli.commands.{name}").command for name in NAMES}
OPTIONS = [
    pytest.param(option, id=f"{name} {option.opts[0]}")
    for name, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option)
]


def test_help_names_every_command_with_its_own_first_sentence(run: Run) -> None:
    """`tocwalk --help` says of each command what the command's own help says first."""
    shown = " ".join(run("--help").stdout.split())
    for name, command in COMMANDS.items():
        sentence = (command.help or "").partition("\n\n")[0].replace("\n", " ")
        assert cli.commands[name].short_help == sentence
        assert f"{name} {sentence}" in shown


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_and_json(name: str, run: Run) -> None:
    """Each command explains itself, and prints JSON when asked to."""
    shown = run(name, "--help").stdout
    assert f"Usage: tocwalk {name}" in shown
    assert "--json" in shown


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_explained_in_sentences(option: click.Option) -> None:
    """An option's help is there, begins like a sentence and ends like one."""
    assert option.help
    assert option.help[0].isupper() or option.help.startswith("--")
    assert option.help.endswith(".")


def test_the_version_is_the_distributions(run: Run) -> None:
    """`tocwalk --version` prints the version that is installed."""
    assert run("--version").stdout == f"tocwalk {tocwalk.__version__}\n"


def test_a_misspelt_command_is_wrong_usage(run: Run) -> None:
    """A command that does not exist is named, with exit code 2."""
    assert "No such command 'indx'" in run("indx", code=2).stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [(TocwalkError("broken"), 1), (NotFoundError("gone"), 1), (InputError("no question"), 2), (SettingsError("no"), 2)],
    ids=lambda value: type(value).__name__,
)
def test_an_error_is_a_message_and_an_exit_code(
    error: TocwalkError, code: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked wrongly gives 2, what failed gives 1; the message is on stderr and stdout stays empty."""
    _raising(error, monkeypatch)
    result = run("documents", "--json", code=code)
    assert result.stderr == f"Error: {error}\n"
    assert result.stdout == ""


def test_an_error_cannot_move_the_cursor(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that quotes a document is shown without the document's control characters."""
    _raising(TocwalkError("bad title \x1b[2J\u202eevil"), monkeypatch)
    assert run("documents", code=1).stderr == "Error: bad title  [2Jevil\n"


def test_an_unexpected_error_is_short_until_asked_for_more(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours says what it is and how to see where; --debug then shows the traceback, with the same code."""
    _raising(ZeroDivisionError("oops"), monkeypatch)
    short = run("documents", code=1).stderr
    assert "ZeroDivisionError: oops" in short
    assert "tocwalk --debug" in short
    with pytest.raises(AssertionError, match="Traceback"):
        run("--debug", "documents", code=1)


def test_the_options_of_a_walk_are_its_settings() -> None:
    """Every setting of a walk has an option of `ask`, with the same default and bounds; a command cannot be resumed."""
    options = {option.name: option for option in ask.command.params if option.name in WalkContext.model_fields}
    assert set(options) == set(WalkContext.model_fields) - {"step"}
    for name, option in options.items():
        field = WalkContext.model_fields[str(name)]
        assert option.to_info_dict()["default"] == field.default, name
        assert _bounds(option) == _bounds_of_field(str(name)), name


def _bounds(option: click.Parameter) -> tuple[Any, Any]:
    kind: Any = option.type
    return getattr(kind, "min", None), getattr(kind, "max", None)


def _bounds_of_field(name: str) -> tuple[Any, Any]:
    schema = WalkContext.model_json_schema()["properties"][name]
    numbers: list[Any] = [one for one in schema.get("anyOf", [schema]) if one.get("type") in ("integer", "number")]
    number = numbers[0] if numbers else {}
    return (
        number.get("minimum", number.get("exclusiveMinimum")),
        number.get("maximum", number.get("exclusiveMaximum")),
    )


def _raising(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(documents, "open_index", fail)
