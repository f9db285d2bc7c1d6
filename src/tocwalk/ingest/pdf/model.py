"""What is known of a page: pieces of text with their places, and the lines they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["Bookmark", "Line", "Mark", "Page", "Piece", "Style"]


class Style(NamedTuple):
    """How characters look. Sizes are those on the page, in points, rounded to halves."""

    font: str
    size: float
    weight: int
    """400 for regular, 700 for bold, as the font's name or the way it is drawn has it."""
    italic: bool
    color: int
    """0xRRGGBB."""


@dataclass(slots=True, kw_only=True)
class Piece:
    """Characters on one baseline without a wide gap between them.

    Places are in points with y growing upwards, turned so that the page's main writing direction runs to the right.
    """

    text: str
    x0: float
    x1: float
    y: float
    """Of the baseline."""
    size: float
    styles: dict[Style, int]
    """How many characters have which style, in order of appearance."""
    note: int = 0
    """How many characters at the end are marks of footnotes."""
    upright: bool = True
    """False for text that runs in another direction than most of the page."""

    @property
    def style(self) -> Style:
        """The style of most of the characters."""
        return max(self.styles, key=self.styles.__getitem__)


@dataclass(slots=True, kw_only=True)
class Line:
    """A line of text as it is read, in one column; a row where it belongs to a table."""

    pieces: Sequence[Piece]
    page: int
    """Physical, 1-based."""
    text: str
    block: int = 0
    """Number of the paragraph, heading or table it belongs to: lines of one block follow each other closely."""
    kind: str = "text"
    """`text`, `table`, `side` (runs in another direction) or `margin` (in a running header's place)."""
    x0: float = field(init=False)
    x1: float = field(init=False)
    y: float = field(init=False)
    size: float = field(init=False)
    style: Style = field(init=False)

    def __post_init__(self) -> None:
        self.x0 = min(piece.x0 for piece in self.pieces)
        self.x1 = max(piece.x1 for piece in self.pieces)
        largest = max(self.pieces, key=lambda piece: len(piece.text))
        self.y = largest.y
        self.size = largest.size
        counts: dict[Style, int] = {}
        for piece in self.pieces:
            for style, count in piece.styles.items():
                counts[style] = counts.get(style, 0) + count
        self.style = max(counts, key=counts.__getitem__)

    @property
    def title(self) -> str:
        """The text without marks of footnotes at its end, as it is in a heading."""
        last = self.pieces[-1]
        return self.text[: -last.note].rstrip() if last.note and self.text.endswith(last.text) else self.text


@dataclass(slots=True, kw_only=True)
class Page:
    """A page as drawn: its pieces in drawing order."""

    number: int
    """Physical, 1-based."""
    label: str | None = None
    """From the file's page labels."""
    angle: int = 0
    """Degrees, counter-clockwise, by which the main writing direction differs from the page's x axis."""
    x0: float = 0.0
    y0: float = 0.0
    x1: float = 0.0
    y1: float = 0.0
    pieces: list[Piece] = field(default_factory=list["Piece"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """An entry of the file's outline."""

    title: str
    level: int
    """1 for the top."""
    page: int
    """Physical, 1-based."""
    y: float | None
    """Where it points on the page, in the page's own coordinates."""


@dataclass(slots=True, kw_only=True)
class Mark:
    """A heading that was found: which lines it is printed on."""

    first: int
    """Index of its first line among the document's lines."""
    last: int
    """Index behind its last line; equal to `first` where nothing is printed, as for a bookmark to a cover."""
    text: str
    """Number and title on one line."""
    level: int = 1
    found_by: str = "layout"
    """`bookmark`, `contents` or `layout`."""
    prefix: int | None = None
    """How many characters of the only line are the heading, where the text goes on behind it."""
