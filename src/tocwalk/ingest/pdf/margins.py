"""Running headers and footers, and the page numbers printed in them.

A running text stands at the edge of the page, alone or in a group of close rows, and is the same on at least three
pages when page numbers are left out of it. What stands in such a place without repeating ("Article 7" at the top of a
page, a chapter's name on its only page) stays in the text.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tocwalk.ingest.numbering import roman_value, split_label
from tocwalk.ingest.pdf.model import Page, Piece

__all__ = ["Margins", "find_margins"]

_BAND = 0.15
"""Share of a page's height (or width, for text running along its side) in which running texts are looked for."""
_PAGES = 3
"""Pages on which a text must repeat to be a running one."""
_NEARBY = 4
"""Pages from one running text to the next: on every page, every other one, or with a full-page figure between."""
_LARGER = 1.0
"""Points by which running text with a page number may be larger than the body: else it is a numbered heading."""
_ROW_TOLERANCE = 2.0
_CLOSE_ROWS = 2.2
"""Times the font size: how far the rows of one header or footer may stand apart."""
_TOKEN = re.compile(r"(?P<prefix>(?:[A-Z]|\d{1,3})[-–—.])?(?P<number>\d{1,5}|[ivxlc]+|[IVXLC]+)")
_ARABIC, _ROMAN = "arabic", "roman"


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """What was found at the edges of the pages."""

    running: frozenset[int]
    """`id` of the pieces that are running text."""
    beside: frozenset[int]
    """`id` of the pieces that stand in the same rows without repeating: text, but never headings."""
    texts: tuple[str, ...]
    """The running texts as printed, each once, in order of appearance."""
    labels: Mapping[int, str]
    """Physical page -> page number as printed."""


class _Series(NamedTuple):
    """Page numbers that count up with the pages."""

    prefix: str
    kind: str
    offset: int
    """Printed minus physical."""


class _Row(NamedTuple):
    pieces: list[Piece]
    page: int
    edge: str
    body: float
    """Font size of most of the document."""


def find_margins(pages: Sequence[Page]) -> Margins:
    """Find the running texts of a document."""
    body = _body_size(pages)
    rows = [row for page in pages for row in _edge_rows(page, body)]
    series = _page_series(rows)
    repeated = _repeated(rows, series, pages)
    running: set[int] = set()
    beside: set[int] = set()
    texts: dict[str, None] = {}
    labels: dict[int, str] = {}
    for group in _groups(rows):
        for row in group:
            hits = [piece for piece in row.pieces if repeated & set(_keys(row, piece, series))]
            if not hits:
                break
            running.update(id(piece) for piece in hits)
            beside.update(id(piece) for piece in row.pieces if piece not in hits)
            texts.update((piece.text, None) for piece in hits)
            for piece in hits:
                if label := _label(piece.text, row.page, series):
                    labels.setdefault(row.page, label)
    return Margins(
        running=frozenset(running), beside=frozenset(beside), texts=tuple(texts), labels=_filled(labels, len(pages))
    )


def _body_size(pages: Sequence[Page]) -> float:
    sizes: Counter[float] = Counter()
    for page in pages:
        for piece in page.pieces:
            sizes[round(piece.size, 1)] += len(piece.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _edge_rows(page: Page, body: float) -> Iterator[_Row]:
    """Yield the rows at each edge of a page, from the edge inwards; rows that stand too far in are left out."""
    height, width = page.y1 - page.y0, page.x1 - page.x0
    upright = sorted((piece for piece in page.pieces if piece.upright), key=lambda piece: piece.y)
    rows: list[list[Piece]] = []
    for piece in upright:
        if rows and piece.y - rows[-1][0].y <= _ROW_TOLERANCE:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    for edge, ordered in (("bottom", rows), ("top", rows[::-1])):
        behind: list[Piece] = []
        for row in ordered:
            y, size = row[0].y, max(piece.size for piece in row)
            distance = y - page.y0 if edge == "bottom" else page.y1 - y
            if distance > _BAND * height or (behind and abs(y - behind[0].y) > _CLOSE_ROWS * size):
                break
            yield _Row(row, page.number, edge, body)
            behind = row
    for piece in page.pieces:
        if not piece.upright and min(piece.x0 - page.x0, page.x1 - piece.x1) < _BAND * width:
            yield _Row([piece], page.number, "side", body)


def _groups(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    """Gather the rows of one edge of one page; each piece along a side stands alone."""
    groups: dict[tuple[int, str, int], list[_Row]] = defaultdict(list)
    for index, row in enumerate(rows):
        groups[row.page, row.edge, index if row.edge == "side" else 0].append(row)
    yield from groups.values()


def _numbers(text: str) -> Iterator[tuple[str, str, int, str]]:
    """Yield prefix, kind, value and printed form of what may be a page number."""
    for token in text.split():
        match = _TOKEN.fullmatch(token.strip(".,|()[]-–—•·"))
        if match is None:
            continue
        prefix, number = match["prefix"] or "", match["number"]
        if number.isdecimal():
            yield prefix, _ARABIC, int(number), match[0]
        elif value := roman_value(number):
            yield prefix, _ROMAN, value, match[0]


def _page_series(rows: Iterable[_Row]) -> frozenset[_Series]:
    """Find by voting how printed page numbers run along with the physical ones."""
    votes: dict[_Series, set[int]] = defaultdict(set)
    for row in rows:
        for piece in row.pieces:
            for prefix, kind, value, _ in _numbers(piece.text):
                votes[_Series(prefix, kind, value - row.page)].add(row.page)
    return frozenset(series for series, pages in votes.items() if len(pages) >= _PAGES)


def _is_page_number(token: str, page: int, series: frozenset[_Series]) -> bool:
    return any(_Series(prefix, kind, value - page) in series for prefix, kind, value, _ in _numbers(token))


def _keys(row: _Row, piece: Piece, series: frozenset[_Series]) -> Iterator[tuple[str, str]]:
    """Yield a text without spaces as it is, and with a page number in it made alike; set larger, it is another text."""
    tokens = piece.text.split()
    place = f"{row.edge} {round(piece.size)}"
    yield place, "".join(tokens)
    if split_label(piece.text).keyword is None and piece.size <= row.body + _LARGER:
        for index, token in enumerate(tokens):
            if _is_page_number(token, row.page, series):
                yield place, "".join([*tokens[:index], "#", *tokens[index + 1 :]])


def _label(text: str, page: int, series: frozenset[_Series]) -> str | None:
    for prefix, kind, value, printed in _numbers(text):
        if _Series(prefix, kind, value - page) in series:
            return printed
    return None


def _repeated(rows: Sequence[_Row], series: frozenset[_Series], pages: Sequence[Page]) -> frozenset[tuple[str, str]]:
    """Return the keys of what repeats at the edges, and seldom elsewhere: headings may begin several pages, too."""
    at_edge = {id(piece) for row in rows for piece in row.pieces}
    elsewhere = Counter(
        _squeezed(piece) for page in pages for piece in page.pieces if piece.upright and id(piece) not in at_edge
    )
    on: dict[tuple[str, str], set[int]] = defaultdict(set)
    inside: Counter[tuple[str, str]] = Counter()
    for row in rows:
        for piece in row.pieces:
            for key in _keys(row, piece, series):
                on[key].add(row.page)
                inside[key] = elsewhere[_squeezed(piece)]
    return frozenset(key for key, places in on.items() if _runs(sorted(places)) and len(places) > inside[key])


def _squeezed(piece: Piece) -> tuple[int, str]:
    return round(piece.size), "".join(piece.text.split())


def _runs(pages: Sequence[int]) -> bool:
    """Say whether a text repeats in one stretch of pages: "Example:" may top three pages of many by chance."""
    stretch = 1
    for before, after in itertools.pairwise(pages):
        stretch = stretch + 1 if after - before <= _NEARBY else 1
        if stretch >= _PAGES:
            return True
    return False


def _filled(labels: Mapping[int, str], pages: int) -> dict[int, str]:
    """Number the pages without a printed number that stand between two of one arabic series."""
    filled = dict(labels)
    known = sorted(page for page, label in labels.items() if label.isdecimal())
    for before, after in itertools.pairwise(known):
        if int(labels[after]) - int(labels[before]) == after - before:
            filled.update((page, str(int(labels[before]) + page - before)) for page in range(before + 1, after))
    return {page: label for page, label in filled.items() if page <= pages}
