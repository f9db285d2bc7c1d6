"""Structured logs: one tree of standard loggers, `tocwalk`, and one form of record.

A record has a short name for its message and its facts in the attribute `tocwalk`, a mapping of JSON values: ids,
counts, names of models, reasons of one word. It never holds the text of a document, a title, a question, an answer, a
provider's message or a key. Nothing is set up here: who runs the program decides what is shown, and how.
"""

from __future__ import annotations

import logging
from typing import TypeAlias

__all__ = ["Fact", "log_event"]

Fact: TypeAlias = str | int | float | bool | None
"""What a record may hold."""

logging.getLogger("tocwalk").addHandler(logging.NullHandler())


def log_event(part: str, event: str, *, level: int = logging.INFO, **facts: Fact) -> None:
    """Log that something happened.

    Args:
        part: Which logger below `tocwalk`: "walk", "answer", "index".
        event: What happened, as a name: "walk_ended". The message of the record is this and the facts, readable.
        level: Of the standard library.
        **facts: The record's attribute `tocwalk`, with the event; those that are None or "" are left out.
    """
    logger = logging.getLogger(f"tocwalk.{part}")
    if not logger.isEnabledFor(level):
        return
    told = {name: fact for name, fact in facts.items() if fact not in (None, "")}
    shown = " ".join(f"{name}={_on_one_line(fact)}" for name, fact in told.items())
    logger.log(level, "%s %s", event, shown, extra={"tocwalk": {"event": event, **told}})


def _on_one_line(fact: Fact) -> str:
    """Return a fact as text that makes no other record: ids are names of files, and may hold line ends."""
    text = str(fact)
    return text if text.isprintable() else repr(text)
