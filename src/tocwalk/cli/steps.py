"""Each step of a walk as it happens, on stderr."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Self

from rich.console import Console
from rich.status import Status
from rich.text import Text

from tocwalk.cli.wording import counted, shown
from tocwalk.tree import one_line

__all__ = ["StepsView", "step_line"]

_LONGEST = 60
"""Characters of a title shown at most: a step is to be one line."""

_GROUP = re.compile(r"\[(\d+-\d+)\]$")


class StepsView:
    """Prints a line for each visit; in a terminal a last line says what is being judged. A context manager."""

    def __init__(
        self, console: Console, *, title_of: Callable[[str], str], lines: bool = True, reasoning: bool = False
    ) -> None:
        """Take where and what to print.

        Args:
            console: For messages.
            title_of: Returns what the section with an id is called.
            lines: Print a line for each visit.
            reasoning: Print below it why the navigator decided so, and in it the refs that this may speak of.
        """
        self._console = console
        self._title_of = title_of
        self._lines = lines
        self._reasoning = reasoning
        self._status = Status("Walking …", console=console) if console.is_terminal else None

    def __enter__(self) -> Self:
        """Begin to show."""
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the last line away."""
        if self._status:
            self._status.stop()

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Show an event of the walk's custom stream."""
        if event["event"] == "offer" and self._status:
            self._status.update(Text(f"Judging {counted(event['shown'], 'candidate')} …"))
        elif "visits_left" in event and self._lines:  # a visit, judged
            line = step_line(event, self._title_of, refs=self._reasoning)
            self._console.print(Text(line, style="dim"))
            if event["reasoning"] and self._reasoning:
                self._console.print(Text(f"  {shown(event['reasoning'])}", style="dim italic"))


def step_line(step: Mapping[str, Any], title_of: Callable[[str], str], *, refs: bool = False) -> str:
    """Return one visit in words: "opened Supervision: 13 candidates -> took Fees, went into Banks".

    With `refs` each has the ref by which the offer, and so the navigator's reasons, named it: "took Fees [ref 2.1]".
    """
    opened = _short(step["title"]) if step["id"] else "the corpus"
    return f"opened {opened}: {counted(step['offer']['shown'], 'candidate')} -> {_outcome(step, title_of, refs=refs)}"


def _outcome(step: Mapping[str, Any], title_of: Callable[[str], str], *, refs: bool) -> str:
    if step["decision"] == "error":
        return "no decision"
    if step["decision"] == "stop" and step.get("landed"):
        return "took it whole"
    parts: list[str] = []
    for pick in step.get("chosen", ()):
        name = "its own text" if pick["id"] == step["id"] else _name(pick["id"], title_of)
        name += f" [ref {pick['ref']}]" if refs else ""
        parts.append(f"took {name}" if "landed" in pick else f"went into {name}")
    if dropped := step.get("dropped"):
        reasons = sorted({drop["reason"].replace("_", " ") for drop in dropped})
        parts.append(f"{len(dropped)} not followed ({', '.join(reasons)})")
    return ", ".join(parts) or "nothing here"


def _name(id_: str, title_of: Callable[[str], str]) -> str:
    """Return what a place is called: a folder by its name, a group by the numbers of what is in it."""
    if id_.endswith("/"):
        return _short(id_.rstrip("/").rpartition("/")[2])
    if group := _GROUP.search(id_):
        return f"numbers {group[1]}"
    return _short(title_of(id_))


def _short(title: str) -> str:
    return one_line(title, _LONGEST)
