"""The calls of pdfium that are made for every character or text object of a page.

Pointers are plain numbers here, and results are read from one place in memory: as objects of their own, which is how
pypdfium2 declares them, they take half as long again.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import addressof, c_double, c_float, c_int, c_uint, c_void_p
from struct import Struct
from typing import Any, NamedTuple

from pypdfium2 import raw

__all__ = ["Characters", "Drawn"]


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, c_void_p).value or 0


def _numeric(name: str, result: Any, *arguments: Any) -> Any:
    """Return a function of pdfium with other types; the interpreter's lock, which takes longer, is not let go."""
    return ctypes.PYFUNCTYPE(result, *arguments)(_address(getattr(raw, name)))


_CODE = _numeric("FPDFText_GetUnicode", c_uint, c_void_p, c_int)
_OBJECT = _numeric("FPDFText_GetTextObject", c_void_p, c_void_p, c_int)
_BOX = _numeric("FPDFText_GetLooseCharBox", c_int, c_void_p, c_int, c_void_p)
_INK = _numeric("FPDFText_GetCharBox", c_int, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p)
_MATRIX = _numeric("FPDFText_GetMatrix", c_int, c_void_p, c_int, c_void_p)
_ORIGIN = _numeric("FPDFText_GetCharOrigin", c_int, c_void_p, c_int, c_void_p, c_void_p)
_SIZE = _numeric("FPDFText_GetFontSize", c_double, c_void_p, c_int)
_FONT = _numeric("FPDFTextObj_GetFont", c_void_p, c_void_p)
_MODE = _numeric("FPDFTextObj_GetTextRenderMode", c_int, c_void_p)
_FILL = _numeric("FPDFPageObj_GetFillColor", c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)
_FOUR_FLOATS, _FOUR_NUMBERS = Struct("4f").unpack_from, Struct("4I").unpack_from


class Drawn(NamedTuple):
    """How a text object is drawn, wherever it stands."""

    size: float
    """Of the font, before the matrix makes it what it is on the page."""
    font: int
    """Address of the font."""
    mode: int
    """One of `raw.FPDF_TEXTRENDERMODE_*`."""
    color: int
    """0xRRGGBB."""
    a: float
    """Of the matrix, with b, c and d, as PDF names them."""
    b: float
    c: float
    d: float


class Characters:
    """The characters of a page, by their index in drawing order."""

    def __init__(self, textpage: object) -> None:
        self.count: int = raw.FPDFText_CountChars(textpage)
        self._page = _address(textpage)
        self._box, self._matrix, self._color = (c_float * 4)(), (c_float * 6)(), (c_uint * 4)()
        self._x, self._y = c_double(), c_double()
        self._at_color = [addressof(self._color) + place * ctypes.sizeof(c_uint) for place in range(4)]
        self._at_box, self._at_matrix = addressof(self._box), addressof(self._matrix)
        self._at_origin = addressof(self._x), addressof(self._y)

    def codes(self) -> Iterator[tuple[int, int, int]]:
        """Yield index, code and the address of the text object; that is 0 for spaces that pdfium adds."""
        page, code, text_object = self._page, _CODE, _OBJECT
        for index in range(self.count):
            yield index, code(page, index), text_object(page, index) or 0

    def code(self, index: int) -> int:
        """Return what a character means."""
        return int(_CODE(self._page, index))

    def box(self, index: int) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top of a character's box, as wide as its advance and as high as its font."""
        _BOX(self._page, index, self._at_box)
        left, top, right, bottom = _FOUR_FLOATS(self._box)
        return left, bottom, right, top

    def ink(self, index: int) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top of what is seen of a character."""
        left, right, bottom, top = (c_double() for _ in range(4))
        _INK(self._page, index, *map(addressof, (left, right, bottom, top)))
        return left.value, bottom.value, right.value, top.value

    def drawn(self, index: int, text_object: int) -> Drawn:
        """Return how a character and its text object are drawn."""
        _MATRIX(self._page, index, self._at_matrix)
        _FILL(text_object, *self._at_color)
        red, green, blue, _ = _FOUR_NUMBERS(self._color)
        a, b, c, d = _FOUR_FLOATS(self._matrix)
        color = (red << 16) | (green << 8) | blue
        return Drawn(_SIZE(self._page, index), _FONT(text_object), _MODE(text_object), color, a, b, c, d)

    def origin(self, index: int) -> tuple[float, float]:
        """Return where a character stands."""
        _ORIGIN(self._page, index, *self._at_origin)
        return self._x.value, self._y.value
