"""The entry point, and the table of commands: each is imported when it is used, so that `--help` is there at once."""

from __future__ import annotations

import io
import sys
from importlib import import_module
from typing import Any

import click

from tocwalk.cli.errors import reported_errors

__all__ = ["cli", "main"]

_COMMANDS = {
    "index": "Read documents into the index.",
    "ask": "Ask the documents a question, and get the sections that answer it.",
    "outline": "Show the table of contents of a document.",
    "read": "Print the text of a section.",
    "parse": "Show what becomes of a file, without an index.",
    "documents": "List the documents in the index.",
    "remove": "Take documents out of the index.",
    "navigators": "List who can judge: the models that `ask` may be given.",
    "eval": "Measure how well questions with known answers are answered.",
}
"""Names and first sentences, in the order in which a newcomer meets them."""


class _LazyGroup(click.Group):
    """Knows its commands by name and first sentence; loads one when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self.commands:
            return None
        command: click.Command = import_module(f"tocwalk.cli.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.short_help or "") for name, command in self.commands.items()])

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with reported_errors(debug=False):  # --help and --version print here
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with reported_errors(debug=ctx.params["debug"]):
            return super().invoke(ctx)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tocwalk import __version__

        click.echo(f"tocwalk {__version__}")
        ctx.exit()


@click.command(
    cls=_LazyGroup,
    commands={name: click.Command(name, short_help=sentence) for name, sentence in _COMMANDS.items()},
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`tocwalk COMMAND --help` explains a command. The index is where TOCWALK_INDEX says, or in the folder"
    " TOCWALK_HOME.",
)
@click.option("--debug", is_flag=True, help="Show where in the program an error came from.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def cli(debug: bool) -> None:
    """Ask long, structured documents a question and get back whole, named sections.

    The sections are found by walking the documents' own tables of contents.
    """


def main() -> None:
    """Run the command and exit: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C."""
    stdout: Any = sys.stdout
    if stdout is None:
        sys.exit("Error: Standard output is closed, so that there is nowhere to print to. Send it to a file instead.")
    if isinstance(stdout, io.TextIOWrapper):
        # A terminal that cannot show a character of a document shows "?" in its place.
        stdout.reconfigure(errors="replace")
    cli(prog_name="tocwalk")
