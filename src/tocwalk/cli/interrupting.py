"""Ctrl-C during a walk or an evaluation: the first ends what is asked, the second the process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from tocwalk.cli.errors import INTERRUPTED
from tocwalk.navigators.protocol import Cancellation

__all__ = ["cancelled_by_interrupt", "ended_by_second_interrupt"]

_STDERR = 2
_STOPPING = b"\nStopping; what has landed will be shown. Ctrl-C again ends at once.\n"
_STOPPING_WITHOUT = b"\nStopping. Ctrl-C again ends at once.\n"
_SHOW_CURSOR = b"\x1b[?25h"


@contextmanager
def cancelled_by_interrupt(token: Cancellation, *, before_end: Callable[[], None]) -> Generator[None]:
    """Cancel `token` on Ctrl-C, while the context lasts.

    Args:
        token: Of the walk.
        before_end: Called when a second Ctrl-C ends the process, which then waits for nothing: a navigator that
            blocks could keep it for ever.
    """

    def interrupted(_number: int, _frame: FrameType | None) -> None:
        # Written past Python's streams: the handler may have come in the middle of their writing.
        if token.cancelled:
            _end_at_once(before_end)
        token.cancel()
        os.write(_STDERR, _STOPPING)

    with _handling(interrupted):
        yield


@contextmanager
def ended_by_second_interrupt(*, before_end: Callable[[], None]) -> Generator[None]:
    """Let the first Ctrl-C raise KeyboardInterrupt, as ever, and a second end the process, while the context lasts.

    Args:
        before_end: Called when a second Ctrl-C ends the process, which then waits for nothing.
    """
    stopping = False

    def interrupted(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        if stopping:
            _end_at_once(before_end)
        stopping = True
        os.write(_STDERR, _STOPPING_WITHOUT)
        raise KeyboardInterrupt

    with _handling(interrupted):
        yield


@contextmanager
def _handling(interrupted: Callable[[int, FrameType | None], None]) -> Generator[None]:
    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end_at_once(before_end: Callable[[], None]) -> NoReturn:
    before_end()
    if os.isatty(_STDERR):
        os.write(_STDERR, _SHOW_CURSOR)
    os._exit(INTERRUPTED)
