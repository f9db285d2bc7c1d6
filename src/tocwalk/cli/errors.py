"""From exceptions to what a person reads and a script sees: a message on stderr and an exit code."""

from __future__ import annotations

import errno
import traceback
from collections.abc import Generator
from contextlib import contextmanager

import click

from tocwalk.cli.naming import as_named
from tocwalk.errors import InputError, NotFoundError, SettingsError, TocwalkError

__all__ = ["INTERRUPTED", "reported_errors"]

INTERRUPTED = 130
"""Exit code after Ctrl-C: 128 and the number of SIGINT."""

_OUTPUT_REFUSED = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}


class _FailedError(click.ClickException):
    """Shown by click as "Error: ..."; the message may quote documents, so it is made safe first."""

    exit_code = 1

    def format_message(self) -> str:
        from tocwalk.tree.safe_text import many_lines

        return many_lines(self.message)


class _WrongUsageError(_FailedError):
    """What was asked cannot be asked."""

    exit_code = 2


@contextmanager
def reported_errors(*, debug: bool) -> Generator[None]:
    """Turn what a command raises into a message and an exit code.

    Args:
        debug: Show tracebacks too.

    Raises:
        click.ClickException: With the message; exit code 2 for input and settings that cannot be, else 1.
        click.exceptions.Exit: With code 130, after Ctrl-C.
    """
    try:
        yield
    except (click.ClickException, click.Abort, click.exceptions.Exit):
        raise
    except KeyboardInterrupt as interrupt:
        click.echo("Stopped.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from interrupt
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.EPIPE:
            raise  # the reader has gone: click ends the process without a word
        if debug:
            click.echo(traceback.format_exc(), err=True)
        raise _reported(error) from error


def _reported(error: Exception) -> click.ClickException:
    if isinstance(error, InputError | SettingsError):
        return _WrongUsageError(str(error))
    if isinstance(error, NotFoundError) and error.command:
        return _FailedError(f"{error} Run `{as_named(error.command)}`.")
    if isinstance(error, TocwalkError):
        return _FailedError(str(error))
    # Opening a file fails with its name; the index has errors of its own. Without a name it is what is printed.
    if isinstance(error, OSError) and error.filename is None and error.errno in _OUTPUT_REFUSED:
        return _FailedError(f"What there is to print cannot be written: {error.strerror}. Send it somewhere else.")
    return _FailedError(
        f"tocwalk met something it does not know how to handle: {type(error).__name__}: {error}\n"
        "`tocwalk --debug COMMAND ...` shows where, for a bug report."
    )
