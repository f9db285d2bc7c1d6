"""A process that parses, seen from its parent."""

from __future__ import annotations

import os
import re
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, cast

from tocwalk.ingest.wire import LENGTH_BYTES, OUT_OF_MEMORY

__all__ = ["Worker", "WorkerDiedError"]

_START_SECONDS = 60.0
_END_SECONDS = 5.0
_SAMPLED_SECONDS = 0.05
"""How often the memory of a busy process is looked at. What the system keeps for us, the most that it ever held, counts
what this process held when it started the other as held by that, too."""
_MUCH_OF_MEMORY = 0.25
"""C and C++ code that is denied memory aborts, mostly when it asks for twice of what it has."""
_CHUNK = 1 << 20
_LAST_WORDS = 4096
_ENVIRONMENT = re.compile(r"PATH|HOME|LANG|LC_\w+|TMPDIR|VIRTUAL_ENV|(?:DY)?LD_LIBRARY_PATH|PYTHON(?!WARNINGS)\w+")
"""What the process is given of the environment: enough to start Python, none of the parent's keys."""
_NO_MEMORY = re.compile(
    r"MemoryError|bad_alloc|out of memory|memory allocation of|cannot allocate memory", re.IGNORECASE
)


class WorkerDiedError(Exception):
    """The process ended, or was ended, before it answered.

    Attributes:
        reason: `memory_limit`, `time_limit` or `parse_failed`.
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class Worker:
    """One parsing process, used by one thread at a time."""

    def __init__(self) -> None:
        """Start the process and wait until it is ready.

        Raises:
            WorkerDiedError: It did not start.
        """
        self.answered = 0
        self._memory_bytes = 0
        self._held_bytes = 0
        self._last_words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = _started(self._last_words)
        try:
            self._receive(_START_SECONDS)
        except BaseException:
            self.kill()
            raise

    def ask(self, request: bytes, *, seconds: float, memory_bytes: int) -> bytes:
        """Send a request and return the reply.

        Args:
            request: JSON.
            seconds: How long to wait for the whole reply.
            memory_bytes: What the process was told that it may use; a reply is not larger.

        Raises:
            WorkerDiedError: It died, hung, or answered nonsense. The process has ended then.
        """
        self._memory_bytes = memory_bytes
        self._held_bytes = 0
        try:
            self._send(request)
            reply = self._receive(seconds)
        except BaseException:
            self.kill()
            raise
        self.answered += 1
        return reply

    def is_alive(self) -> bool:
        """Tell whether the process still runs."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the process at once, from any thread: the one that waits for its answer gets a `WorkerDiedError`."""
        self._process.kill()

    def kill(self) -> None:
        """End the process at once and release all it held. Harmless if it has ended."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._last_words):
            if pipe is not None:
                pipe.close()

    def _send(self, request: bytes) -> None:
        requests = cast(IO[bytes], self._process.stdin)
        try:
            requests.write(len(request).to_bytes(LENGTH_BYTES) + request)
        except BrokenPipeError as error:
            raise self._died() from error

    def _receive(self, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(cast(IO[bytes], self._process.stdout), selectors.EVENT_READ)
            length = int.from_bytes(self._read(selector, LENGTH_BYTES, deadline))
            if length > self._memory_bytes:
                raise WorkerDiedError(f"its answer has {length} bytes", reason="memory_limit")
            return self._read(selector, length, deadline)

    def _read(self, selector: selectors.BaseSelector, length: int, deadline: float) -> bytes:
        received = bytearray()
        while len(received) < length:
            left = deadline - time.monotonic()
            ready = selector.select(min(max(left, 0), _SAMPLED_SECONDS))
            if not ready and left > 0:
                self._held_bytes = max(self._held_bytes, _held_bytes(self._process.pid))
                continue
            if not ready:
                raise WorkerDiedError("it took longer than it may", reason="time_limit")
            chunk = os.read(ready[0][0].fd, min(length - len(received), _CHUNK))
            if not chunk:
                raise self._died()
            received += chunk
        return bytes(received)

    def _died(self) -> WorkerDiedError:
        """Say what the process died of, as far as its signal, its memory and its last words tell."""
        code = self._exit_code()
        self._last_words.seek(max(os.fstat(self._last_words.fileno()).st_size - _LAST_WORDS, 0))
        words = self._last_words.read().decode(errors="replace")
        if code in {-signal.SIGXCPU, -signal.SIGALRM}:
            return WorkerDiedError("it took more time than it may", reason="time_limit")
        aborted = code == -signal.SIGABRT and self._held_bytes > _MUCH_OF_MEMORY * self._memory_bytes
        if code in {OUT_OF_MEMORY, -signal.SIGKILL} or aborted or _NO_MEMORY.search(words):
            return WorkerDiedError("it ran out of memory", reason="memory_limit")
        how = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
        line = words.strip().rpartition("\n")[2]
        return WorkerDiedError(f"it ended with {how}" + (f": {line}" if line else ""), reason="parse_failed")

    def _exit_code(self) -> int:
        """Return the exit code of the process, which has ended or is ending."""
        try:
            return self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def _held_bytes(pid: int) -> int:
    """Return the memory that a process holds; 0 if it has ended, or the system does not tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()


def _started(last_words: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "tocwalk.ingest.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=last_words,
            bufsize=0,  # nothing is left over to be written when a pipe that broke is closed
            start_new_session=True,  # a terminal's Ctrl-C goes to the parent, which ends its workers
            env={name: value for name, value in os.environ.items() if _ENVIRONMENT.fullmatch(name)},
        )
    except OSError as error:
        last_words.close()
        raise WorkerDiedError(f"it could not be started: {error}", reason="parse_failed") from error
