"""Where headings stand: at an edge of the running text, or in the middle of the page.

Captions and the words of drawings stand elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence

from tocwalk.ingest.pdf.looks import Body
from tocwalk.ingest.pdf.model import Line

__all__ = ["Alignment"]

_NEAR = 3.0
"""Points by which what is aligned may be off."""
_LONG, _SHARE = 40, 0.02
"""Characters of a line of running text; share of these lines that shows an edge."""
_SEVERAL = 3
"""Headings that show that they have a place of their own."""
_BESIDE, _FAMILY = 2, 5
"""Headings at one edge that make it theirs; fewer headings than the second number are not judged."""
_LONG_FILE = 5
"""Pages from which headings of one kind are not all on one page."""
_MOST = 0.6


class Alignment:
    """The edges of a document's running text."""

    def __init__(self, lines: Sequence[Line], body: Body) -> None:
        places = Counter(
            _place(line.x0)
            for line in lines
            if line.kind == "text" and len(line.text) >= _LONG and line.style.font == body.style.font
        )
        self._pages = lines[-1].page if lines else 0
        self._edges = {place for place, count in places.items() if count >= _SHARE * places.total()}

    def aligned(self, headings: Sequence[Line]) -> list[bool]:
        """Say of each of the headings that look alike whether it stands where headings do.

        Where most begin at an edge of the text, one that does not, or that is the only one at its edge, is a caption or
        a word of a drawing. Where most do not, those that begin or are centred at one place, of a long file on several
        pages, are aligned, if they are most: else none is.
        """
        if len(headings) < _FAMILY:
            return [True] * len(headings)
        at_edge = [self._is_edge(line.x0) for line in headings]
        if sum(at_edge) >= _MOST * len(headings):
            beside = _beside([line.x0 for line in headings])
            return [is_edge and count >= _BESIDE for is_edge, count in zip(at_edge, beside, strict=True)]
        if self._pages >= _LONG_FILE and len({line.page for line in headings}) == 1:
            return [False] * len(headings)
        begins = _common([line.x0 for line in headings])
        middles = _common([(line.x0 + line.x1) / 2 for line in headings])
        return max(begins, middles, key=sum)

    def _is_edge(self, x: float) -> bool:
        return any(near in self._edges for near in (_place(x), _place(x - _NEAR), _place(x + _NEAR)))


def _place(x: float) -> int:
    return round(x / _NEAR)


def _common(places: Sequence[float]) -> list[bool]:
    """Say of each place whether it is a common one; none is where most are not."""
    common = [beside >= _SEVERAL for beside in _beside(places)]
    return common if sum(common) >= _MOST * len(places) else [False] * len(places)


def _beside(places: Sequence[float]) -> list[int]:
    """Return for each place how many are there, itself counted."""
    ordered = sorted(places)
    return [bisect_right(ordered, place + _NEAR) - bisect_left(ordered, place - _NEAR) for place in places]
