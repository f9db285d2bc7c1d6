"""The text of a document under construction, for formats whose source is not their text: HTML, EPUB, DOCX."""

from __future__ import annotations

import re

__all__ = ["TextFlow", "collapse"]

_BLANKS = re.compile(r"[ \t\n\r\f\v\u00a0]+")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


def collapse(text: str) -> str:
    """Return `text` with every run of blanks as one space, without soft hyphens and other characters of no width."""
    return _BLANKS.sub(" ", _INVISIBLE.sub("", text))


class TextFlow:
    """Puts blocks on lines of their own, and remembers where the source's ids stand.

    Line breaks and blanks are owed until text follows, so that blocks without text leave no trace.
    """

    def __init__(self) -> None:
        """Begin with an empty text."""
        self._parts: list[str] = []
        self._length = 0
        self._breaks = 0
        self._blank = False
        self._marker = ""
        self._awaiting: list[str] = []
        self.anchors: dict[str, int] = {}
        """Id -> offset of the first text at or behind it."""
        self.indent = ""
        """What every line begins with: blanks, as deep as the lists around it."""

    def write(self, text: str) -> None:
        """Add running text, its blanks collapsed."""
        text = collapse(text)
        words = text.strip(" ")
        self._blank = self._blank or text.startswith(" ")
        if words:
            self._put(words)
            self._blank = text.endswith(" ")

    def write_verbatim(self, text: str) -> None:
        """Add text whose lines and blanks are kept as they are."""
        lines = text.strip("\n")
        if not lines:
            self._breaks += len(text)
            return
        self._breaks += len(text) - len(text.lstrip("\n"))
        self._put(lines)
        self._breaks = len(text) - len(text.rstrip("\n"))

    def end_line(self, *, blank_lines: int = 0) -> None:
        """See to it that what follows begins a line, behind at least so many blank ones."""
        self._breaks = max(self._breaks, blank_lines + 1)
        self._blank = False

    def begin_item(self, marker: str) -> None:
        """Begin a line with this marker instead of the indent, once text comes."""
        self.end_line()
        self._marker = marker

    def drop_marker(self) -> None:
        """Write no marker if no text has come."""
        self._marker = ""

    def await_text(self, anchor: str) -> None:
        """Remember an id of the source; the next text stands there."""
        self._awaiting.append(anchor)

    @property
    def length(self) -> int:
        """Characters written so far; a line break stands or will stand behind them."""
        return self._length

    @property
    def ends_in_digit(self) -> bool:
        """Whether the last character is a digit that what follows would lengthen."""
        return bool(self._parts) and not self._blank and not self._breaks and self._parts[-1][-1].isdecimal()

    @property
    def nearest_anchor(self) -> str | None:
        """The last id since the last text."""
        return self._awaiting[-1] if self._awaiting else None

    def forget_anchors(self) -> dict[str, int]:
        """End a page: return its ids with their offsets, and begin anew, as ids are unique in one page only."""
        self.end_line(blank_lines=1)
        self._settle_anchors(self.next_offset())
        anchors, self.anchors = self.anchors, {}
        return anchors

    def next_offset(self) -> int:
        """Write the line breaks owed and return the offset at which the next text will stand."""
        if self._breaks and self._parts and not self._ends_line():
            self._append("\n" * self._breaks)
        self._breaks = 0
        self._blank = False
        return self._length

    def text(self) -> str:
        """Return the text; it ends with a line break unless it is empty."""
        return "".join(self._parts) + ("" if self._ends_line() or not self._parts else "\n")

    def _put(self, text: str) -> None:
        begins_line = self._breaks > 0 or not self._parts or self._ends_line()
        blank = self._blank and not begins_line
        self.next_offset()
        if begins_line:
            self._append(self._marker or self.indent)
            self._marker = ""
        elif blank:
            self._append(" ")
        self._settle_anchors(self._length)
        self._append(text)

    def _ends_line(self) -> bool:
        return bool(self._parts) and self._parts[-1].endswith("\n")

    def _append(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)

    def _settle_anchors(self, offset: int) -> None:
        for anchor in self._awaiting:
            self.anchors.setdefault(anchor, offset)
        self._awaiting.clear()
