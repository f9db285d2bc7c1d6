"""A line that may be a heading."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Candidate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What is printed like a heading; whether it is one, its neighbours decide."""

    start: int
    """Offset of its first line."""
    end: int
    """Offset at which the body begins: the next line, or behind a title that runs into its text."""
    kind: str
    """What makes it one: a keyword with the number of its parts ("section2"), "decimal", "roman", "letter",
    "underlined" with the underline's character, "outdented", "centred", "capitals"."""
    title: str
    number: str | None = None
    value: tuple[int, ...] = ()
    """The number as numbers."""
    indent: int = 0
    standing: bool = True
    """Whether it has its lines to itself."""
    is_entry: bool = False
    """Whether a page number follows it: an entry of a printed table of contents."""
    certain: bool = True
    """False where only the sequence of numbers tells it from a reference in running text."""

    @property
    def rank(self) -> str:
        """The kind, with the depth of "2.1" or "A.1": what has one level in a document."""
        return f"{self.kind}{len(self.value)}" if self.kind in {"decimal", "lettered"} else self.kind
