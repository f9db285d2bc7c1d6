"""The text of a paragraph as a reader of the finished document sees it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tocwalk.ingest.counting import roman
from tocwalk.ingest.docx.formula import on_one_line
from tocwalk.ingest.docx.styles import Look, Styles
from tocwalk.ingest.docx.symbols import SYMBOL_FONTS, readable
from tocwalk.ingest.docx.xml import Element, alternative, attribute, find, name_of

__all__ = ["REMOVED", "Content", "Note", "Piece", "RunReader"]

REMOVED = {"w:del", "w:moveFrom"}
"""Tracked changes: what was taken out."""

_INLINE = {
    "w:bdo", "w:customXml", "w:dir", "w:fldSimple", "w:hyperlink", "w:ins", "w:moveTo", "w:ruby", "w:rubyBase",
    "w:sdt", "w:sdtContent", "w:smartTag",
}  # fmt: skip
_MATH = {"m:oMath", "m:oMathPara"}
_FIXED = {"w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
_NOTES = {"w:footnoteReference": "footnote", "w:endnoteReference": "endnote"}
_CLEANED = str.maketrans(
    {"\u00ad": "", "\u200b": "", "\u2060": "", "\ufeff": "", "\u00a0": " ", "\u2011": "-", "\n": " ", "\r": " "}
)
_SYMBOL_CODE = re.compile("[0-9A-Fa-f]{1,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Text of one look."""

    text: str
    look: Look
    is_mark: bool = False
    """Whether it is a footnote's mark, which is no part of a title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A footnote or an endnote, where it is referred to."""

    kind: str
    """`footnote` or `endnote`."""
    id: str
    mark: str


@dataclass(slots=True)
class Content:
    """What a paragraph holds."""

    pieces: list[Piece] = field(default_factory=list[Piece])
    notes: list[Note] = field(default_factory=list[Note])
    boxes: list[Element] = field(default_factory=list[Element])
    """Text boxes that are anchored in it."""


class RunReader:
    """Reads paragraphs in reading order; it counts the notes."""

    def __init__(self, styles: Styles) -> None:
        """Begin a document."""
        self._styles = styles
        self._counts = {"footnote": 0, "endnote": 0}
        self._content = Content()
        self._style: str | None = None
        self._fields: list[bool] = []
        """For each field around the place, innermost last: whether its result has begun."""

    def read(self, paragraph: Element) -> Content:
        """Return what a paragraph holds: insertions are text, deletions and field codes are not."""
        self._content = Content()
        self._style = self._styles.of_paragraph(paragraph)
        self._fields = []
        self._read_inside(paragraph)
        return self._content

    def _read_inside(self, element: Element) -> None:
        for child in element:
            name = name_of(child)
            if name == "w:r":
                self._read_run(child)
            elif name in _INLINE:
                self._read_inside(child)
            elif name in _MATH:
                self._add(on_one_line(child), self._styles.look(child, self._style))
            elif name == "mc:AlternateContent":
                self._read_inside(alternative(child))

    def _read_run(self, run: Element) -> None:
        look = self._styles.look(run, self._style)
        if not look.hidden:
            font = attribute(find(run, "w:rPr", "w:rFonts"), "hAnsi") or ""
            self._read_parts(run, look, font.lower())

    def _read_parts(self, run: Element, look: Look, font: str) -> None:
        for part in run:
            name = name_of(part)
            if name == "w:t":
                text = (part.text or "").translate(_CLEANED)
                self._add(readable(text, font) if font in SYMBOL_FONTS else text, look)
            elif name in _FIXED:
                self._add(_FIXED[name], look)
            elif name == "w:sym":
                self._add(_symbol(part), look)
            elif name == "w:fldChar":
                self._field(attribute(part, "fldCharType"))
            elif name in _NOTES:
                self._note(part, _NOTES[name], look)
            elif name == "w:ruby":
                self._read_inside(part)
            elif name == "mc:AlternateContent":
                self._read_parts(alternative(part), look, font)
            elif name in {"w:drawing", "w:pict", "w:object"}:
                self._content.boxes.extend(_boxes(part))

    def _add(self, text: str, look: Look) -> None:
        if text and all(self._fields):
            self._content.pieces.append(Piece(text=text, look=look))

    def _field(self, kind: str | None) -> None:
        if kind == "begin":
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _note(self, reference: Element, kind: str, look: Look) -> None:
        """Write a note's mark in brackets: Word counts footnotes in digits and endnotes in Roman numerals."""
        self._counts[kind] += 1
        mark = str(self._counts[kind]) if kind == "footnote" else roman(self._counts[kind])
        self._content.pieces.append(Piece(text=f"[{mark}]", look=look, is_mark=True))
        self._content.notes.append(Note(kind=kind, id=attribute(reference, "id") or "", mark=mark))


def _symbol(element: Element) -> str:
    code = attribute(element, "char") or ""
    font = (attribute(element, "font") or "").lower()
    character = chr(int(code, 16)) if _SYMBOL_CODE.fullmatch(code) else ""
    return readable(character, font) if font in SYMBOL_FONTS else character


def _boxes(element: Element) -> list[Element]:
    """Return the text boxes in a drawing, each once: those for older readers are left out."""
    boxes: list[Element] = []
    ahead = list(element)[::-1]
    while ahead:
        child = ahead.pop()
        if name_of(child) == "w:txbxContent":
            boxes.append(child)
        else:
            inner = alternative(child) if name_of(child) == "mc:AlternateContent" else child
            ahead.extend(list(inner)[::-1])
    return boxes
