"""What is paid for twice when `tocwalk index --summaries MODEL` is killed, has no room, or runs twice: a table.

A server on this machine answers in the model's stead. About a minute.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measuring import print_table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from manuals import write_manuals
from stub_summaries import SummaryServer, summary_server

DOCUMENTS, RULES, PARALLEL = 3, 12, 4
NEEDED = DOCUMENTS * (RULES + 1)
KILLED_AFTER = (1, 4, 9, 14, 20, 27, 33, 38)
ROOM = 200_000

Case = Callable[[Path, SummaryServer], str]


def main() -> None:
    """Print the table."""
    cases: dict[str, Case] = {
        f"SIGKILL after {', '.join(map(str, KILLED_AFTER))} requests in all": _killed,
        f"no file may be larger than {ROOM:,} bytes, then without limit": _without_room,
        "two processes at the same time": _twice,
    }
    rows: list[list[Any]] = []
    for name, case in cases.items():
        with tempfile.TemporaryDirectory() as folder, summary_server() as server:
            write_manuals(Path(folder, "documents"), documents=DOCUMENTS, rules=RULES)
            said = case(Path(folder), server)
            rows.append([name, NEEDED, len(server.shown), len(server.shown) - NEEDED, said])
    header = ["what happens", "summaries needed", "calls made", "paid for twice", "the last run"]
    print_table(f"Summaries of {DOCUMENTS} documents, {PARALLEL} calls in flight", header, rows)


def _killed(folder: Path, server: SummaryServer) -> str:
    for count in KILLED_AFTER:
        if count > len(server.shown):
            server.hold(after=count - 1)
            process = _started(folder, server)
            server.wait_for(count)
            process.kill()
            process.communicate()
            server.release()
    return _ended(_started(folder, server))


def _without_room(folder: Path, server: SummaryServer) -> str:
    limits = (ROOM, ROOM)
    _ended(_started(folder, server, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)))
    return _ended(_started(folder, server))


def _twice(folder: Path, server: SummaryServer) -> str:
    both = [_started(folder, server) for _ in range(2)]
    return "; ".join(map(_ended, both))


def _started(folder: Path, server: SummaryServer, **options: Any) -> subprocess.Popen[str]:
    command = [str(Path(sys.executable).with_name("tocwalk")), "index", str(folder / "documents")]
    command += ["--index", str(folder / "index.db"), "--summaries", "openai:writer", "--parallel", str(PARALLEL)]
    environment = {**os.environ, "TOCWALK_OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "sk-of-nobody"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, **options)


def _ended(process: subprocess.Popen[str]) -> str:
    printed, _ = process.communicate()
    return printed.strip()


if __name__ == "__main__":
    main()
