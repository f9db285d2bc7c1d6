"""The process that parses: `python -m tocwalk.ingest.child`.

It reads requests from its standard input and writes replies to its standard output; `wire` says in which form. The
first thing it writes is an empty message: it is ready. It ends when its input does, or when a document has used up what
it may.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any, BinaryIO

from tocwalk.errors import IngestError
from tocwalk.ingest.files import read_bytes
from tocwalk.ingest.limits import Limits
from tocwalk.ingest.parse import parse_bytes
from tocwalk.ingest.wire import DOCUMENT, ERROR, LENGTH_BYTES, OUT_OF_MEMORY, document_to_json

__all__ = ["main"]

_LARGEST_FILE = 1 << 24
"""Bytes of the only file this process writes, the one its standard error goes to."""
_GRACE_SECONDS = 5.0
_COLLECTION = (50_000, 20, 50)
"""Parsers make very many small objects that live as long as the document: looking through them often is a third of the
time."""


def main() -> None:
    """Answer requests until there are no more."""
    requests, replies = sys.stdin.buffer, _replies()
    _limit(resource.RLIMIT_FSIZE, _LARGEST_FILE)
    _limit(resource.RLIMIT_CORE, 0)
    for number in (signal.SIGALRM, signal.SIGXCPU):
        signal.signal(number, signal.SIG_DFL)
    gc.set_threshold(*_COLLECTION)
    _write(replies, b"")
    while length := requests.read(LENGTH_BYTES):
        _write(replies, _answer(json.loads(requests.read(int.from_bytes(length)))))


def _replies() -> BinaryIO:
    """Keep standard output for replies: whatever else a library prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def _answer(request: dict[str, Any]) -> bytes:
    limits = Limits(**request["limits"])
    path, root = Path(request["path"]), request["root"]
    try:
        _begin(limits)
        data = read_bytes(path, limits=limits, root=None if root is None else Path(root))
        document = parse_bytes(
            data,
            name=path.name,
            document_id=request["document_id"],
            source=request["source"],
            summaries=request["summaries"],
        )
        return DOCUMENT + document_to_json(document)
    except IngestError as error:
        return _error(error.reason, str(error))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except Exception as error:  # noqa: BLE001 - whatever a parser raises on a hostile file is that file's failure
        return _error("parse_failed", f"{str(path)!r} cannot be parsed: {type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _begin(limits: Limits) -> None:
    """Set what this document may use; going over it ends the process, within C code too."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_AS, limits.memory_bytes)
    _limit(resource.RLIMIT_CPU, int(usage.ru_utime + usage.ru_stime + limits.cpu_seconds) + 1)
    signal.setitimer(signal.ITIMER_REAL, limits.wall_seconds + _GRACE_SECONDS)  # should the parent no longer live


def _limit(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _error(reason: str, message: str) -> bytes:
    return ERROR + json.dumps({"reason": reason, "message": message}).encode()


def _write(replies: BinaryIO, message: bytes) -> None:
    replies.write(len(message).to_bytes(LENGTH_BYTES) + message)
    replies.flush()


if __name__ == "__main__":
    main()
