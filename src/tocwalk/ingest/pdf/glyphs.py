"""Characters of a PDF page with their places, gathered into pieces: stretches of text without a wide gap."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator
from math import atan2, cos, degrees, hypot, radians, sin
from typing import Any, NamedTuple, cast
from unicodedata import bidirectional, normalize

import pypdfium2 as pdfium
from pypdfium2 import raw

from tocwalk.ingest.pdf.characters import Characters, Drawn
from tocwalk.ingest.pdf.model import Piece, Style

__all__ = ["HYPHEN", "Fonts", "read_pieces", "turned_box"]

_SURROGATES = range(0xD800, 0xE000)

HYPHEN = "\N{SOFT HYPHEN}"
"""Stands in a piece's text for a hyphen at the end of a line, which may or may not be part of the word."""

_WEIGHTS = (
    (re.compile(r"semi-?bold|demi|(?<![A-Za-z])Dm|(?<=[a-z])Dm|[A-Z][a-z]Dm"), 600),
    (re.compile(r"black|heavy|ultra", re.IGNORECASE), 800),
    (re.compile(r"bold|(?<![a-z])bd|cmb|(?:cm|ec|sf|la|t1)[a-z]*[bs]x|medi$", re.IGNORECASE), 700),
    (re.compile(r"medium|md(?![a-z])", re.IGNORECASE), 500),
    (re.compile(r"light|thin", re.IGNORECASE), 300),
)
"""What fonts call their weights, first match first; "Medi" is the bold of the Nimbus fonts."""
_ITALIC = re.compile(r"ital|obli|slant|(?<=[A-Za-z])It(?![a-z])|(?:ec|sf)(?:ti|sl)|cmti|cmsl", re.IGNORECASE)
_SLANTED = 3
"""Degrees of a font's italic angle from which it counts as italic."""
_FORCE_BOLD = 1 << 18
_LINE_END_HYPHENS = "\x02\ufffe\xad"
_NONE, _SEEN, _DRAWN = range(3)
_CLOSE_GAP = 0.12
"""Share of the font size: a gap that narrow is kerning, not a space, whatever pdfium concluded."""
_WIDE_GAP = 1.5
"""Times the font size: a gap that wide ends a piece."""
_OVERLAP = 0.6
_SAME_BASELINE = 0.3
_SCRIPT_SIZE, _SCRIPT_SHIFT = 0.85, 0.6
"""Characters smaller than the first share of their neighbours may be shifted by the second: super- and subscripts."""
_NOTE = re.compile(r"\d{1,3}|[*†‡§¶]{1,3}")
_WORD_LETTERS = 3
"""Letters from which a raised number behind them is a footnote's mark and no power: "m2"."""
_RAISED = 0.2
"""Times the font size: how far above the baseline a footnote's mark stands at least."""
_TINY = 3.0
"""Points: fonts that claim to be smaller (Type 3) are measured."""
_SMALL_LETTERS, _X_HEIGHT, _MEASURED = frozenset("acemnorsuvwxz"), 0.44, 40
"""Letters without ascender or descender, their height as a share of the font size, and how far to look for one."""


class Fonts:
    """Names, weights and slants of the fonts of one document, each asked for once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[str, int, bool]] = {}
        self.looks: dict[Drawn, tuple[Style, float, int]] = {}
        """Style, size and angle of what has been drawn."""
        self.sizes: dict[tuple[str, float], float] = {}
        """Of fonts without a size of their own, by name and scale: what they measure on the page."""

    def __getitem__(self, address: int) -> tuple[str, int, bool]:
        """Return name, weight and whether it is italic; fonts without a name (Type 3) are numbered."""
        if address not in self._known:
            name, weight, italic = _describe(ctypes.cast(address, raw.FPDF_FONT))
            self._known[address] = name or f"unnamed-{len(self._known)}", weight, italic
        return self._known[address]


def _describe(font: object) -> tuple[str, int, bool]:
    size: int = cast("Any", raw).FPDFFont_GetBaseFontName(font, None, 0)
    buffer = ctypes.create_string_buffer(max(size, 1))
    raw.FPDFFont_GetBaseFontName(font, buffer, size)
    name = buffer.value.decode("utf-8", "replace").rpartition("+")[2]
    weight = next((weight for pattern, weight in _WEIGHTS if pattern.search(name)), 400)
    if raw.FPDFFont_GetFlags(font) & _FORCE_BOLD:
        weight = max(weight, 700)
    angle = ctypes.c_int()
    raw.FPDFFont_GetItalicAngle(font, angle)
    return name, weight, bool(_ITALIC.search(name)) or angle.value <= -_SLANTED


class _Look(NamedTuple):
    """What the characters of one text object share."""

    style: Style
    size: float
    angle: int
    y: float


class _Word(NamedTuple):
    """Characters of one text object without a space between them."""

    text: str
    x0: float
    x1: float
    look: _Look
    space: int
    """What stands before it: nothing, a gap in which pdfium saw a space or a line's end, or a space that was drawn."""


class _Run:
    """A piece that is being gathered."""

    __slots__ = ("angle", "note", "parts", "size", "styles", "x0", "x1", "y")

    def __init__(self, word: _Word) -> None:
        self.parts = [word.text]
        self.x0, self.x1, self.y = word.x0, word.x1, word.look.y
        self.size, self.angle = word.look.size, word.look.angle
        self.styles = {word.look.style: len(word.text)}
        self.note = 0

    def takes(self, word: _Word) -> bool:
        """Say whether a word goes on where this piece ends."""
        look = word.look
        size = max(self.size, look.size)
        shift = abs(look.y - self.y)
        if look.angle != self.angle or shift > _SCRIPT_SHIFT * size:
            return False
        if shift > _SAME_BASELINE * size and min(self.size, look.size) > _SCRIPT_SIZE * size:
            return False
        if -_OVERLAP * size < word.x0 - self.x1 < _WIDE_GAP * size:
            return True
        return -_OVERLAP * size < self.x0 - word.x1 < _WIDE_GAP * size and bidirectional(word.text[0]) in {"R", "AL"}

    def add(self, word: _Word) -> None:
        look = word.look
        kerned = word.space == _SEEN and -_OVERLAP * look.size < word.x0 - self.x1 <= _CLOSE_GAP * look.size
        space = " " if word.space and not kerned else ""
        self.note = self.note + len(space + word.text) if self._is_note(word) else 0
        self.parts += [space, word.text]
        self.x0, self.x1 = min(self.x0, word.x0), max(self.x1, word.x1)
        self.styles[look.style] = self.styles.get(look.style, 0) + len(word.text)
        if look.size > self.size:
            self.size, self.y = look.size, look.y

    def _is_note(self, word: _Word) -> bool:
        """Say whether a word is a footnote's mark: a small raised number behind a word or behind another mark."""
        small = word.look.size <= _SCRIPT_SIZE * self.size and word.look.y - self.y >= _RAISED * self.size
        if not small or not _NOTE.fullmatch(word.text):
            return False
        last = self.parts[-1].rpartition(" ")[2]
        return self.note > 0 or not last.isalpha() or len(last) >= _WORD_LETTERS


def read_pieces(page: pdfium.PdfPage, fonts: Fonts) -> tuple[list[Piece], int]:
    """Return the pieces of a page in drawing order, and the angle of its main writing direction in degrees."""
    textpage = page.get_textpage()
    runs: list[_Run] = []
    try:
        for word in _read_words(textpage.raw, fonts):
            if runs and runs[-1].takes(word):
                runs[-1].add(word)
            else:
                runs.append(_Run(word))
    finally:
        textpage.close()
    angles: Counter[int] = Counter()
    for run in runs:
        angles[run.angle] += len(run.parts)
    main = angles.most_common(1)[0][0] if angles else 0
    return [_piece(run, main) for run in runs], main


def _read_words(handle: object, fonts: Fonts) -> Iterator[_Word]:
    """Yield words in drawing order: the loop that all of a document's characters go through.

    Boxes are asked for at a word's ends only: pdfium puts a space wherever characters of one text object stand apart.
    """
    source = Characters(handle)
    letters: list[str] = []
    look: _Look | None = None
    last, space = 0, _NONE
    for index, code, address in source.codes():
        character = _READ_AS[code] if address else " "  # spaces that pdfium adds have no address
        blank = character == " "
        if letters and (blank or address != last) and look:
            yield _word(source, index, letters, look, space)
            letters, space = [], _NONE
        if blank:
            space = max(space, _DRAWN if address else _SEEN)
            continue
        if address != last:
            last = address
            look = _look(source, index, address, fonts)
        letters.append(character)
    if letters and look:
        yield _word(source, source.count, letters, look, space)


def _word(source: Characters, end: int, letters: list[str], look: _Look, space: int) -> _Word:
    x0, _, x1, _ = turned_box(source.box(end - len(letters)), look.angle)
    if len(letters) > 1:
        last_x0, _, last_x1, _ = turned_box(source.box(end - 1), look.angle)
        x0, x1 = min(x0, last_x0), max(x1, last_x1)
    return _Word("".join(letters), x0, x1, look, space)


class _ReadAs(dict[int, str]):
    """What each code is read as: most characters of a document occur many times."""

    def __missing__(self, code: int) -> str:
        self[code] = character = _character(code)
        return character


def _character(code: int) -> str:
    if code == 0 or code in _SURROGATES:
        return "\N{REPLACEMENT CHARACTER}"
    character = chr(code)
    if character.isspace():
        return " "
    if character in _LINE_END_HYPHENS:
        return HYPHEN
    return normalize("NFKC", character) if "\ufb00" <= character <= "\ufb06" else character


_READ_AS = _ReadAs()


def _look(source: Characters, index: int, address: int, fonts: Fonts) -> _Look:
    drawn = source.drawn(index, address)
    if drawn not in fonts.looks:
        fonts.looks[drawn] = _style(drawn, fonts)
    style, size, angle = fonts.looks[drawn]
    if size < _TINY:
        size = _measured_size(source, index, angle, (style.font, size), fonts)
        style = style._replace(size=_rounded(size))
    x, y = source.origin(index)
    return _Look(style, size, angle, turned_box((x, y, x, y), angle)[1] if angle else y)


def _style(drawn: Drawn, fonts: Fonts) -> tuple[Style, float, int]:
    """Return the style, the size as it is, and the angle."""
    size = drawn.size * hypot(drawn.c, drawn.d)
    name, weight, italic = fonts[drawn.font]
    if drawn.mode == raw.FPDF_TEXTRENDERMODE_FILL_STROKE:
        weight = max(weight, 700)
    angle = round(degrees(atan2(drawn.b, drawn.a))) % 360
    return Style(name, _rounded(size), weight, italic, drawn.color), size, angle


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def _measured_size(source: Characters, index: int, angle: int, key: tuple[str, float], fonts: Fonts) -> float:
    """Return the size of a font that has none (Type 3), from the height of a small letter, or else of its box."""
    if key in fonts.sizes:
        return fonts.sizes[key]
    for place in range(index, min(index + _MEASURED, source.count)):
        character = _READ_AS[source.code(place)]
        if character in _SMALL_LETTERS:
            return fonts.sizes.setdefault(key, _height(source.ink(place), angle) / _X_HEIGHT)
        if character == " ":
            break
    return _height(source.box(index), angle)


def _height(box: tuple[float, float, float, float], angle: int) -> float:
    left, bottom, right, top = box
    return top - bottom if angle % 180 == 0 else right - left


def turned_box(box: tuple[float, float, float, float], angle: int) -> tuple[float, float, float, float]:
    """Return a box (left, bottom, right, top) as it is where the x axis runs at `angle` degrees."""
    if angle == 0:
        return box
    left, bottom, right, top = box
    c, s = cos(radians(angle)), sin(radians(angle))
    xs = [x * c + y * s for x in (left, right) for y in (bottom, top)]
    ys = [y * c - x * s for x in (left, right) for y in (bottom, top)]
    return min(xs), min(ys), max(xs), max(ys)


def _piece(run: _Run, main: int) -> Piece:
    x0, y, x1 = run.x0, run.y, run.x1
    if run.angle != main:
        x0, y, x1, _ = turned_box(turned_box((x0, y, x1, y + run.size), -run.angle), main)
    return Piece(
        text="".join(run.parts),
        x0=x0,
        x1=x1,
        y=y,
        size=run.size,
        styles=run.styles,
        note=run.note,
        upright=run.angle == main,
    )
