"""Lines that could be headings by how they look, before it is decided which looks are headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from tocwalk.ingest.numbering import Label
from tocwalk.ingest.pdf.assemble import Words, fits, is_fixed, title_of
from tocwalk.ingest.pdf.labels import label_of, labels_of
from tocwalk.ingest.pdf.model import Line, Style

__all__ = ["FLOAT", "Body", "Candidate", "Look", "body_of", "find_candidates", "look_of"]

FLOAT = "table"
"""Scheme of numbered boxes, as `numbering` names all that floats."""
_BOLD = 150
"""Units of weight by which a heading is bolder than the body."""
_LARGER = 0.9
"""Points by which a heading is larger than the body."""
_SMALLER = 1.1
"""Points by which a bold heading may be smaller than the body."""
_MAJOR = 0.15
"""Share of the text from which a style is one of the body's."""
_PROSE = 0.2
"""Share of the text that must not be code for its style to be the body's."""
_PURE = 0.85
"""Share of a line's characters that must look alike: the rest is a number, a footnote mark, a word in code."""
_MAX_LINES, _MAX_LENGTH = 4, 220
_MAX_NUMBERED_LENGTH = 500
"""A numbered requirement can be a whole sentence."""
_CAPTION = re.compile(
    r"(?:figure|fig\.|table|chart|exhibit|listing|graph|plate|photo|abbildung|abb\.|tabelle|tab\.|figura|tabla|tableau|图|表)"
    r"\s*[A-Z]?[-–.]?\d",
    re.IGNORECASE,
)
_ADMONITION = re.compile(
    r"(?:notes?|warnings?|tips?|important|caution|danger|attention|hints?|see also|remarks?|sources?|hinweis(?:e)?"
    r"|achtung|wichtig|remarque|nota|注意|注)[.:!]?",
    re.IGNORECASE,
)
"""Labels of paragraphs, not of sections."""
_LETTERS = 2
_BULLETS, _OPENERS, _CLOSERS = "•‣◦▪●○■□–—*·", '([{"“‘«', '"”’)'
_SENTENCE_WORDS = 9
"""Words from which a text that ends in a full stop is a sentence."""
_NUMBER_GAP = 4.5
"""Times the font size: how far below a number that stands alone its title may be."""
_SENTENCE_BREAK = re.compile(r"(?:[^\W\d_]{3}|[)\d])[.!?]\d*[”’\")]?\s+[A-Z]")
_PITCH, _APART = 1.3, 1.15
"""Times the font size: the usual distance of lines; times that: the distance below a heading in another font."""
_SIZES_TOGETHER = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """How the running text of a document looks."""

    style: Style
    """Of most characters."""
    size: float
    """Of the largest style that makes up much of the text."""


@dataclass(frozen=True, slots=True)
class Look:
    """What headings of one level have in common."""

    size: float
    weight: int
    italic: bool
    caps: bool
    color: int
    scheme: str
    """Keyword of its number ("chapter"), depth of a decimal number ("1.1" and "A.1" are "decimal2"), another kind of
    number ("letter", "roman", "parenthesised", "counted"), or ""."""


@dataclass(slots=True, kw_only=True)
class Candidate:
    """Lines that stand out."""

    first: int
    last: int
    """Behind the last line."""
    text: str
    label: Label
    look: Look
    strength: int
    """3 for larger than the body, 2 for bolder, 1 for otherwise different, 0 for numbered only."""


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


def find_candidates(lines: Sequence[Line], body: Body, words: Words) -> tuple[list[Candidate], Counter[Style]]:
    """Return what stands out and reads like a heading, in reading order, and how often each style is set at all."""
    candidates: list[Candidate] = []
    styles: Counter[Style] = Counter()
    for first, last in _stretches(lines):
        if not _CAPTION.match(lines[first].text) and all(_style_of(line)[1] for line in lines[first:last]):
            styles[lines[first].style] += 1
        candidate = _candidate(lines, first, last, body, words)
        if candidate is None:
            continue
        if candidates and (joined := _with_number(candidates[-1], candidate, lines, words)):
            candidates[-1] = joined
        else:
            candidates.append(candidate)
    return _labelled(candidates), styles


def _labelled(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Number those whose numbers only their neighbours make certain: "5 Title", "B. Title"."""
    labels = labels_of(candidate.text for candidate in candidates)
    return [
        replace(candidate, label=label, look=replace(candidate.look, scheme=_scheme(label)))
        if candidate.label.number is None and label.number
        else candidate
        for candidate, label in zip(candidates, labels, strict=True)
    ]


def _stretches(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that can be one heading: blocks, cut where a line begins or ends one for certain."""
    for _, group in groupby(range(len(lines)), key=lambda index: (lines[index].block, lines[index].kind)):
        block = list(group)
        if lines[block[0]].kind != "text":
            continue
        start = block[0]
        gaps = [lines[above].y - lines[below].y for above, below in pairwise(block)]
        pitch = min(gaps) if len(gaps) > 1 else _PITCH * lines[start].size
        right = max(lines[index].x1 for index in block)
        for above, below in pairwise(block):
            if (
                _begins_heading(lines[below])
                or _is_number(lines[above].text)
                or _parts(lines[above], lines[below], pitch, right)
            ):
                yield start, below
                start = below
        yield start, block[-1] + 1


def _parts(above: Line, below: Line, pitch: float, right: float) -> bool:
    """Say whether two lines in different fonts are heading and text: they stand apart, or the first ends early."""
    return _differ(above.style, below.style) and (above.y - below.y > _APART * pitch or fits(above, below, right))


def _differ(first: Style, second: Style) -> bool:
    return (first.font, first.italic, first.weight) != (second.font, second.italic, second.weight)


def _begins_heading(line: Line) -> bool:
    label = label_of(line.text)
    return label.number is not None and not label.number.startswith("(")


def _is_number(text: str) -> bool:
    """Say whether a text is the number of a heading and nothing else: "Article 5", "CHAPTER ONE"."""
    label = label_of(text)
    return label.keyword is not None and not label.title


def _style_of(line: Line) -> tuple[Style, bool]:
    """Return the style that most of a line has, words in code aside, and whether nearly all of it has its traits.

    A line of several pieces may have a number in another style.
    """
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


def _candidate(lines: Sequence[Line], first: int, last: int, body: Body, words: Words) -> Candidate | None:
    styles = [_style_of(line) for line in lines[first:last]]
    style, pure = styles[0][0], all(pure for _, pure in styles)
    text = title_of(lines[first:last], words)
    label = label_of(text)
    strength = _strength(style, text, label, body)
    if strength is None or (strength < 3 and not pure) or not _reads_like_heading(text, label, last - first, strength):  # noqa: PLR2004
        return None
    return Candidate(first=first, last=last, text=text, label=label, look=_look(style, text, label), strength=strength)


def _strength(style: Style, text: str, label: Label, body: Body) -> int | None:
    if style.size >= body.size + _LARGER:
        return 3
    if style.weight >= body.style.weight + _BOLD and style.size >= body.style.size - _SMALLER:
        return 2
    if style.size < body.style.size - _SIZES_TOGETHER:
        return None
    if is_fixed(style) and not is_fixed(body.style):
        return None
    if style.italic != body.style.italic or style.font != body.style.font or _is_caps(text):
        return 1
    return 0 if label.keyword or len(label.value) > 1 else None


def _is_caps(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    return len(letters) > 2 and sum(letter.isupper() for letter in letters) >= 0.9 * len(letters)  # noqa: PLR2004


def _reads_like_heading(text: str, label: Label, count: int, strength: int) -> bool:
    if sum(character.isalpha() for character in text) < _LETTERS or _CAPTION.match(text) or text[0] in _BULLETS:
        return False
    plain = strength >= 3  # noqa: PLR2004 - larger than the text: then the words matter less
    if label.number is not None:
        return len(text) <= (_MAX_NUMBERED_LENGTH if strength >= 2 else _MAX_LENGTH)  # noqa: PLR2004
    ends = text.rstrip(_CLOSERS)[-1:]
    if len(text) > _MAX_LENGTH or count > _MAX_LINES or ends in {",", ";", "-"}:
        return False
    if not plain and (_ADMONITION.fullmatch(text) or text[0].islower() or text[0] in _OPENERS or ends == ":"):
        return False
    return len(text.split()) < _SENTENCE_WORDS or not (ends in {".", ":"} or _SENTENCE_BREAK.search(text))


def look_of(lines: Sequence[Line], text: str) -> Look:
    """Return the look of lines that are known to be a heading."""
    return _look(_style_of(lines[0])[0], text, label_of(text))


def _look(style: Style, text: str, label: Label) -> Look:
    return Look(
        size=style.size, weight=style.weight, italic=style.italic, caps=_is_caps(text), color=style.color,
        scheme=_scheme(label),
    )  # fmt: skip


def _scheme(label: Label) -> str:
    if label.kind == "keyword":
        return label.keyword or ""
    if label.kind in {"decimal", "lettered"}:
        return f"decimal{max(len(label.value), 1)}"
    return label.kind or ""


def _with_number(above: Candidate, below: Candidate, lines: Sequence[Line], words: Words) -> Candidate | None:
    """Join a number that stands alone ("CHAPTER ONE", "Article 5", "CHAPTER" above "ONE") with the line below it."""
    if above.last != below.first or lines[above.first].page != lines[below.first].page or below.label.number:
        return None
    text = f"{above.text} {title_of(lines[below.first : below.last], words)}"
    label = label_of(text)
    alone = above.label.number is not None and not above.label.title
    completed = above.label.number is None and label.number is not None and not label.title
    gap = lines[above.last - 1].y - lines[below.first].y
    if not (alone or completed) or not 0 < gap <= _NUMBER_GAP * max(lines[above.first].size, lines[below.first].size):
        return None
    larger = above if above.look.size > below.look.size else below
    return Candidate(
        first=above.first,
        last=below.last,
        text=text,
        label=label,
        look=replace(larger.look, caps=below.look.caps, scheme=_scheme(label)),
        strength=max(above.strength, below.strength),
    )
