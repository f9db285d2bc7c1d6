"""How headings look, and what makes them stand out from the body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from tocwalk.ingest.numbering import Label
from tocwalk.ingest.pdf.assemble import is_fixed
from tocwalk.ingest.pdf.labels import label_of
from tocwalk.ingest.pdf.model import Line, Style

__all__ = ["FLOAT", "Body", "Look", "Strength", "body_of", "is_caps", "look_of", "scheme_of", "strength_of", "style_of"]

FLOAT = "table"
"""Scheme of numbered boxes, as `numbering` names all that floats."""
_BOLD = 150
"""Units of weight by which a heading is bolder than the body."""
_LARGER, _SMALLER, _EQUAL = 0.9, 1.1, 0.6
"""Points by which a heading is larger, may be smaller if it is bold, and may be smaller if it is not."""
_MAJOR = 0.15
"""Share of the text from which a style is one of the body's."""
_PROSE = 0.2
"""Share of the text that must not be code for its style to be the body's."""
_PURE = 0.85
"""Share of a line's characters that must look alike: the rest is a number, a footnote mark, a word in code."""
_CAPITALS, _FEW_LETTERS = 0.9, 2


class Strength(IntEnum):
    """How clearly a line stands out."""

    NUMBERED = 0
    """By its number only."""
    DIFFERENT = 1
    """By another font, slant or capitals."""
    BOLDER = 2
    LARGER = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """How the running text of a document looks."""

    style: Style
    """Of most characters."""
    size: float
    """Of the largest style that makes up much of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What headings of one level have in common."""

    size: float
    weight: int
    italic: bool
    caps: bool
    color: int
    scheme: str
    """Keyword of its number ("chapter"), depth of a decimal number ("1.1" and "A.1" are "decimal2"), another kind of
    number ("letter", "roman", "parenthesised", "small-letter"), or ""."""


def body_of(lines: Sequence[Line]) -> Body:
    """Return the look of most of the text."""
    counts: Counter[Style] = Counter()
    for line in lines:
        if line.kind == "text":
            for piece in line.pieces:
                for style, count in piece.styles.items():
                    counts[style._replace(color=0)] += count
    prose = {style: count for style, count in counts.items() if not is_fixed(style)}
    if sum(prose.values()) < _PROSE * counts.total():
        prose = dict(counts)
    if not prose:
        return Body(style=Style("", 10.0, 400, italic=False, color=0), size=10.0)
    style = max(prose, key=prose.__getitem__)
    by_size: Counter[float] = Counter()
    for other, count in prose.items():
        if other.weight < style.weight + _BOLD:
            by_size[other.size] += count
    major = [size for size, count in by_size.items() if count >= _MAJOR * sum(prose.values())]
    return Body(style=style, size=max([style.size, *major]))


def style_of(line: Line) -> tuple[Style, bool]:
    """Return the style that most of a line has, words in code aside, and whether nearly all of it has its traits.

    A line of several pieces may have a number in another style.
    """
    if len(line.pieces) == 1 and len(line.pieces[0].styles) == 1:
        return line.style, True
    counts: Counter[Style] = Counter()
    for piece in line.pieces:
        counts.update(piece.styles)
    prose = {style: count for style, count in counts.items() if not is_fixed(style)} or counts
    traits: Counter[tuple[float, int, bool]] = Counter()
    for style, count in prose.items():
        traits[style.size, style.weight, style.italic] += count
    (size, weight, italic), count = traits.most_common(1)[0]
    pure = count >= _PURE * traits.total() or len(line.pieces) > 1
    return max(prose, key=prose.__getitem__)._replace(size=size, weight=weight, italic=italic), pure


def strength_of(style: Style, text: str, label: Label, body: Body) -> Strength | None:
    """Return how clearly a text stands out from the body; None if it does not."""
    if style.size >= body.size + _LARGER:
        return Strength.LARGER
    if style.weight >= body.style.weight + _BOLD and style.size >= body.style.size - _SMALLER:
        return Strength.BOLDER
    if style.size < body.style.size - _EQUAL or (is_fixed(style) and not is_fixed(body.style)):
        return None
    if style.italic != body.style.italic or style.font != body.style.font or is_caps(text):
        return Strength.DIFFERENT
    return Strength.NUMBERED if label.kind in {"keyword", "decimal", "lettered"} else None


def is_caps(text: str) -> bool:
    """Say whether a text is in capitals, a few letters aside."""
    letters = list(filter(str.isalpha, text))
    return len(letters) > _FEW_LETTERS and sum(map(str.isupper, letters)) >= _CAPITALS * len(letters)


def look_of(lines: Sequence[Line], text: str) -> Look:
    """Return the look of lines that are a heading with this text."""
    style, _ = style_of(lines[0])
    return Look(
        size=style.size,
        weight=style.weight,
        italic=style.italic,
        caps=is_caps(text),
        color=style.color,
        scheme=scheme_of(label_of(text)),
    )


def scheme_of(label: Label) -> str:
    """Return what a heading is numbered with, as looks name it."""
    if label.kind == "keyword":
        return label.keyword or ""
    if label.kind in {"decimal", "lettered"}:
        return f"decimal{max(len(label.value), 1)}"
    return label.kind or ""
