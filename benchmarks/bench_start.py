"""Start-up time of whole processes, and the packages that cost most of it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from measuring import Prepare, measure, print_table

_GRAPH = 'python -c "from tocwalk import build_retrieval_graph"'
_HELP = "tocwalk --help"
_TOCWALK = str(Path(sys.executable).with_name("tocwalk"))
_COMMANDS = {
    "python -c pass": ("-c", "pass"),
    'python -c "import tocwalk"': ("-c", "import tocwalk"),
    _HELP: (_TOCWALK, "--help"),
    _GRAPH: ("-c", "from tocwalk import build_retrieval_graph"),
}
_MODULE = re.compile(r"import time:\s+(?P<own>\d+) \|\s+\d+ \| +(?P<package>[^\s.]+)")
_SHOWN = 10


def main() -> None:
    """Print the tables."""
    timings = measure({name: _started(arguments) for name, arguments in _COMMANDS.items()}, times=15)
    bare = timings["python -c pass"].smallest
    rows = [
        [f"`{name}`", timing.shown(digits=0), f"{1000 * (timing.smallest - bare):.0f}"]
        for name, timing in timings.items()
    ]
    print_table("Whole processes: ms, min / median", ["command", "ms", "above `pass`"], rows)
    for name in (_HELP, _GRAPH):
        packages = min((_packages(_COMMANDS[name]) for _ in range(3)), key=lambda packages: packages.total())
        title = f"`{name}`: ms by package, its own modules only, of {packages.total() / 1000:.0f} ms for all imports"
        print_table(title, ["package", "ms"], [[p, f"{own / 1000:.1f}"] for p, own in packages.most_common(_SHOWN)])


def _started(arguments: Sequence[str]) -> Prepare:
    return lambda: lambda: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def _packages(arguments: Sequence[str]) -> Counter[str]:
    """Return the microseconds that importing took, by top-level package."""
    command = [sys.executable, "-X", "importtime", *arguments]
    report = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    packages: Counter[str] = Counter()
    for module in _MODULE.finditer(report):
        packages[module["package"]] += int(module["own"])
    return packages


if __name__ == "__main__":
    main()
