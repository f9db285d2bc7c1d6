"""Read files into documents, each within limits, in processes of their own."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self, get_args

from tocwalk.errors import IngestError, SettingsError
from tocwalk.ingest.files import check_file
from tocwalk.ingest.limits import Limits
from tocwalk.ingest.parse import Summaries
from tocwalk.ingest.wire import DOCUMENT, document_from_json
from tocwalk.ingest.worker import Worker, WorkerDiedError
from tocwalk.tree import Document

__all__ = ["ParserPool", "read_document"]

_DOCUMENTS_PER_WORKER = 200
"""A process is replaced after so many, so that what libraries leak does not add up."""

_DEFAULT_LIMITS = Limits()


def read_document(
    path: str | os.PathLike[str],
    *,
    document_id: str,
    source: str | None = None,
    limits: Limits = _DEFAULT_LIMITS,
    summaries: Summaries = "lead",
) -> Document:
    """Return the document in a file, parsed in a process of its own that ends with it.

    For many files use a `ParserPool`, which keeps its processes: starting one takes longer than parsing most files.

    Args:
        path: The file; its type is told by its content.
        document_id: The path below the indexed root, with "/" between its parts.
        source: Where the document comes from; the absolute path by default.
        limits: What reading it may cost.
        summaries: Which summaries the sections get: `lead` or `none`.

    Raises:
        IngestError: The file cannot become a document; `reason` says why.
    """
    with ParserPool(1, limits=limits) as pool:
        return pool.read(path, document_id=document_id, source=source, summaries=summaries)


class ParserPool:
    """Processes that parse, used again for document after document.

    `read` may be called from several threads; as many documents are parsed at once as there are workers. A worker that
    dies or hangs over a document fails that document only. Use it as a context manager: at the end of it, or on any
    exception, Ctrl-C included, its processes are gone.
    """

    def __init__(self, workers: int = 1, *, limits: Limits = _DEFAULT_LIMITS) -> None:
        """Start nothing yet: workers start when they are first needed.

        Args:
            workers: How many documents may be parsed at once.
            limits: What each document may cost.

        Raises:
            ValueError: Fewer than one worker.
        """
        if workers < 1:
            raise ValueError(f"A pool needs at least one worker, not {workers!r}.")
        self._limits = limits
        self._free = threading.Semaphore(workers)
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all processes, busy ones too; what they were reading fails."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            for worker in self._busy:
                worker.stop()
        for worker in idle:
            worker.kill()

    def read(
        self,
        path: str | os.PathLike[str],
        *,
        document_id: str,
        source: str | None = None,
        root: Path | None = None,
        summaries: Summaries = "lead",
    ) -> Document:
        """Return the document in a file; see `read_document`.

        With `root`, a folder to which no link leads, the file must lie below it when it is opened, links followed.

        Raises:
            IngestError: The file cannot become a document; `reason` says why.
            RuntimeError: The pool is closed.
            SettingsError: There are no such summaries.
        """
        if summaries not in get_args(Summaries):
            raise SettingsError(f"There are no summaries of the kind {summaries!r}; use one of {get_args(Summaries)}.")
        file = Path(path)
        check_file(file, limits=self._limits)
        request = {
            "path": str(file.absolute()),
            "root": None if root is None else str(root),
            "document_id": document_id,
            "source": str(file.absolute()) if source is None else source,
            "summaries": summaries,
            "limits": asdict(self._limits),
        }
        try:
            with self._worker() as worker:
                reply = worker.ask(
                    json.dumps(request).encode(),
                    seconds=self._limits.wall_seconds,
                    memory_bytes=self._limits.memory_bytes,
                )
        except WorkerDiedError as error:
            if self._closed:
                raise RuntimeError(f"The pool of parsers was closed while it read {str(path)!r}.") from error
            raise IngestError(_message(file, error, self._limits), reason=error.reason) from error
        return _document(file, reply)

    @contextmanager
    def _worker(self) -> Generator[Worker]:
        """Lend a worker; one that failed or has done enough does not come back."""
        with self._free:
            worker = self._take()
            failed = True
            try:
                yield worker
                failed = False
            finally:
                self._give_back(worker, failed=failed)

    def _take(self) -> Worker:
        worker = self._idle_worker() or Worker()
        with self._lock:
            if not self._closed:
                self._busy.add(worker)
                return worker
        worker.kill()
        raise RuntimeError("This pool of parsers is closed; open another one.")

    def _idle_worker(self) -> Worker | None:
        """Take an idle worker that still lives: the system may have ended one for lack of memory."""
        with self._lock:
            while self._idle and not self._closed:
                worker = self._idle.pop()
                if worker.is_alive():
                    return worker
                worker.kill()
        return None

    def _give_back(self, worker: Worker, *, failed: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            if not (failed or self._closed or worker.answered >= _DOCUMENTS_PER_WORKER):
                self._idle.append(worker)
                return
        worker.kill()


def _document(file: Path, reply: bytes) -> Document:
    """Take an answer apart: the document, or the error that the reader raised."""
    kind, content = reply[:1], reply[1:]
    try:
        if kind == DOCUMENT:
            return document_from_json(content)
        error = json.loads(content)
        reason, message = str(error["reason"]), str(error["message"])
    except (ValueError, TypeError, KeyError) as wrong:
        raise IngestError(f"{str(file)!r} cannot be parsed: {wrong}", reason="parse_failed") from wrong
    raise IngestError(message, reason=reason)


def _message(file: Path, error: WorkerDiedError, limits: Limits) -> str:
    advice = {
        "memory_limit": f"The limit is {limits.memory_bytes} bytes of memory; split the file, or raise the limit.",
        "time_limit": (
            f"The limits are {limits.cpu_seconds:g} s of processor time and {limits.wall_seconds:g} s by the clock;"
            " split the file, or raise the limits."
        ),
    }
    return (
        f"The process that parsed {str(file)!r} failed: {error}."
        f" {advice.get(error.reason, 'The file is damaged, or of a kind its reader cannot bear.')}"
    )
