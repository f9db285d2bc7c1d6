"""Each step of a walk as it happens, on stderr."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from rich.console import Console
from rich.status import Status
from rich.text import Text

from tocwalk.cli.wording import counted, shown

__all__ = ["StepsView", "step_line"]


class StepsView:
    """Prints a line for each visit; in a terminal a last line says what is being judged. A context manager."""

    def __init__(self, console: Console) -> None:
        """Take the console for messages."""
        self._console = console
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
        elif "visits_left" in event:  # a visit, judged
            self._console.print(Text(step_line(event), style="dim"))
            if event["reasoning"]:
                self._console.print(Text(f"  {shown(event['reasoning'])}", style="dim italic"))


def step_line(step: Mapping[str, Any]) -> str:
    """Return one visit in words: "opened Supervision: 13 candidates -> takes fees, opens banks"."""
    opened = shown(step["title"]) if step["id"] else "the corpus"
    return f"opened {opened}: {counted(step['offer']['shown'], 'candidate')} -> {_outcome(step)}"


def _outcome(step: Mapping[str, Any]) -> str:
    if step["decision"] == "error":
        return "no decision"
    if step["decision"] == "stop" and step.get("landed"):
        return "takes it whole"
    parts = [f"{pick['action']}s {_name(pick['id'], step['id'])}" for pick in step.get("chosen", ())]
    if dropped := step.get("dropped"):
        reasons = sorted({drop["reason"].replace("_", " ") for drop in dropped})
        parts.append(f"{len(dropped)} not followed ({', '.join(reasons)})")
    return ", ".join(parts) or "nothing here"


def _name(id_: str, opened: str) -> str:
    """Return the last part of an id, which is made of the section's number and title."""
    return "its own text" if id_ == opened else shown(id_.rstrip("/").rpartition("/")[2])
