"""Ctrl-C during a walk: the first ends the walk, the second the process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from tocwalk.cli.errors import INTERRUPTED
from tocwalk.navigators.protocol import Cancellation

__all__ = ["cancelled_by_interrupt"]

_STDERR = 2
_STOPPING = b"\nStopping; what has landed will be shown. Ctrl-C again ends at once.\n"
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
            before_end()
            if os.isatty(_STDERR):
                os.write(_STDERR, _SHOW_CURSOR)
            os._exit(INTERRUPTED)
        token.cancel()
        os.write(_STDERR, _STOPPING)

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
