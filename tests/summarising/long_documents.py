"""Documents whose sections are long enough to need a model."""

from __future__ import annotations

from collections.abc import Iterable

from tocwalk.tree import Document, Section

__all__ = ["MANUAL", "manual", "words"]


def words(about: str, count: int = 60) -> str:
    """Return some sentences about something: over 800 characters by default."""
    return " ".join(f"The {about} has rule number {number}." for number in range(count)) + "\n"


MANUAL = [
    (1, "Trams", words("tram")),
    (2, "Brakes", words("brake")),
    (2, "Bells", words("bell")),
    (1, "Ponds", ""),
    (2, "Ducks", words("duck")),
    (2, "Frogs", words("frog")),
    (1, "Notes", "Nothing else.\n"),
]
"""Seven sections below the document: depth, title and text of each. Six need a model, and so does the document."""


def manual(outline: Iterable[tuple[int, str, str]] = MANUAL, *, text: str = "") -> Document:
    """Return a document of these sections, each with a lead summary; `text` is the document's own."""
    sections: list[Section] = []
    path: list[str] = []
    start = 0
    for depth, title, body in [(0, "Manual", text), *outline]:
        del path[depth:]
        parent = path[-1] if path else None
        own = f"{parent}/{title}" if parent else "manual"
        whole = f"{title}\n{body}"
        sections.append(
            Section(
                id=own, parent=parent, depth=depth, title=title, text=whole, start=start,
                heading=len(title) + 1, summary=f"Lead of {title}.",
            )
        )  # fmt: skip
        path.append(own)
        start += len(whole)
    return Document(
        id="manual",
        title="Manual",
        source="/files/manual",
        media_type="text/plain",
        sha256="1",
        sections=tuple(sections),
    )
