"""Speed and memory of reading PDF files on one core, beside plain text extraction and beside PageIndex.

Each run is a process of its own. Without `--pageindex`, PageIndex is installed into a temporary environment, which
needs a package index within reach; where there is none, its rows are left out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from kept_characters import kept_share
from measuring import print_table

_PAGEINDEX = "pageindex==0.4.7"
_SHARED = Path(os.environ.get("TOCWALK_SHARED") or Path(__file__).parents[2] / "shared")
_TIMES = 3
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_FRAME = """
import os, sys, time
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})
{imports}
begun = time.perf_counter()
{work}
print(time.perf_counter() - begun)
"""
_PLAIN_TEXT = (
    "import pypdfium2",
    "[page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(sys.argv[1])]",
)
_TREE = (
    "from pathlib import Path; from tocwalk.ingest.parse import parse_bytes; import tocwalk.ingest.pdf",
    "parse_bytes(Path(sys.argv[1]).read_bytes(), name='a.pdf', document_id='a', source='a', summaries={summaries!r})",
)
_FLASH = (
    "from pageindex.flash.api import page_index_flash",
    "page_index_flash(sys.argv[1], summary=False, optimize=False)",
)
_TEXT, _OURS, _SUMMARISED, _PEER = "plain text", "tocwalk", "tocwalk, summaries", "PageIndex"


class _Run(NamedTuple):
    seconds: float
    """Of the work; starting Python and importing are not counted."""
    whole: float
    """Of the whole process."""
    megabytes: float
    """The most memory that the process held, in 10^6 bytes."""


def main() -> None:
    """Print the tables."""
    options = _options()
    files = options.files or sorted((_SHARED / "docs").glob("*.pdf"))
    if not files:
        print(f"Nothing to measure: there are no PDF files in {_SHARED / 'docs'}. Name some, or set TOCWALK_SHARED.")
        return
    with _peer_python(options.pageindex) as peer:
        contenders = {
            _TEXT: _command(sys.executable, *_PLAIN_TEXT),
            _OURS: _command(sys.executable, _TREE[0], _TREE[1].format(summaries="none")),
            _SUMMARISED: _command(sys.executable, _TREE[0], _TREE[1].format(summaries="lead")),
            **({_PEER: _command(peer, *_FLASH)} if peer else {}),
        }
        for file in files:
            _print_file(file, _best(contenders, file))
    rows = [[file.name, *_kept(file)] for file in files]
    print_table("Characters of pdfium's plain text, white space aside", ["file", "characters", "kept"], rows)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="PDF files; by default the shared ones")
    parser.add_argument("--pageindex", metavar="PYTHON", help=f"a Python in which {_PAGEINDEX} is installed")
    return parser.parse_args()


@contextmanager
def _peer_python(given: str | None) -> Generator[str | None]:
    """Give a Python that has PageIndex; None where it cannot be installed."""
    if given:
        yield given
        return
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        installed = subprocess.run([python, "-m", "pip", "install", "--quiet", _PAGEINDEX], check=False)
        yield python if installed.returncode == 0 else None


def _command(python: str, imports: str, work: str) -> list[str]:
    return [python, "-W", "ignore", "-c", _FRAME.format(imports=imports, work=work)]


def _best(contenders: dict[str, list[str]], file: Path) -> dict[str, _Run]:
    """Return the smallest figures of each; every round runs all, so that a busy moment falls on none alone."""
    runs: dict[str, list[_Run]] = {name: [] for name in contenders}
    for _ in range(_TIMES):
        for name, command in contenders.items():
            runs[name].append(_run([*command, str(file)]))
    return {name: _Run(*map(min, zip(*some, strict=True))) for name, some in runs.items()}


def _run(command: Sequence[str]) -> _Run:
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"Reading {command[-1]} failed: {command[:1]} ended with {process.returncode}.")
    taken = float(printed.split()[-1])
    return _Run(taken, time.perf_counter() - begun, usage.ru_maxrss * _MAXRSS_UNIT / 1e6)


def _print_file(file: Path, runs: dict[str, _Run]) -> None:
    import pypdfium2

    with pypdfium2.PdfDocument(file) as pdf:
        pages = len(pdf)
    header = ["read by", "s", "pages/s", "of PageIndex's speed", "whole process s", "peak MB"]
    peer = runs.get(_PEER)
    rows = [
        [
            name,
            f"{run.seconds:.2f}",
            f"{pages / run.seconds:.0f}",
            f"{peer.seconds / run.seconds:.1f}x" if peer else "",
            f"{run.whole:.2f}",
            f"{run.megabytes:.0f}",
        ]
        for name, run in runs.items()
    ]
    print_table(f"{file.name}, {pages} pages", header, rows)


def _kept(file: Path) -> list[str]:
    printed, kept = kept_share(file)
    return [f"{printed:,}", f"{100 * kept / printed:.4f} %"]


if __name__ == "__main__":
    main()
