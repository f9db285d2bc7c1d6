"""Lines that could be headings by how they look, before it is decided which looks are headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from tocwalk.ingest.numbering import Label
from tocwalk.ingest.pdf.assemble import Words, ends_sentence, fits, title_of
from tocwalk.ingest.pdf.labels import is_caption, label_of, labels_of
from tocwalk.ingest.pdf.looks import Body, Look, Strength, look_of, scheme_of, strength_of, style_of
from tocwalk.ingest.pdf.model import Line, Style

__all__ = ["Candidate", "find_candidates"]

_MAX_LINES, _MAX_LENGTH = 4, 220
_MAX_NUMBERED_LENGTH = 500
"""A numbered requirement can be a whole sentence."""
_TITLE_LINES, _TITLE_LENGTH = 2, 120
"""A title in the look of the body, below a number that stands alone, is not longer."""
_ADMONITION = re.compile(
    r"(?:notes?|warnings?|tips?|important|caution|danger|attention|hints?|see also|remarks?|sources?|hinweis(?:e)?"
    r"|achtung|wichtig|warnung|tipp|vorsicht|remarque|avertissement|astuce|nota|advertencia|aviso|consejo|avvertenza"
    r"|注意|注记|注記|警告|提示|重要|重要項目|ヒント|注)[.:!]?",
    re.IGNORECASE,
)
"""Labels of paragraphs, not of sections."""
_LETTERS = 2
_BULLETS, _OPENERS, _CLOSERS = "•‣◦▪●○■□–—*·", '([{"“‘«', '"”’)'
_SENTENCE_WORDS = 9
"""Words from which a text that ends in a full stop is a sentence."""
_SENTENCE_BREAK = re.compile(r"(?:[^\W\d_]{3}|[)\d])[.!?]\d*[”’\")]?\s+[A-Z]")
_TITLE_BEGINS = re.compile(r"[^\W_a-zß-ÿ]|[\"“‘']|$")
"""What stands behind a number that heads something; "Section 4 of", "Article 5," and "Section 1.6 [" refer to it."""
_NUMBER_GAP = 4.5
"""Times the font size: how far below a number that stands alone its title may be."""
_PITCH, _APART, _OFF = 1.3, 1.15, 1.4
"""Times the font size: the usual distance of lines; times that: the distance below a heading in another font; times the
font size: the distance below a numbered line in the same font that is a heading's."""


@dataclass(slots=True, kw_only=True)
class Candidate:
    """Lines that stand out."""

    first: int
    last: int
    """Behind the last line."""
    text: str
    label: Label
    look: Look
    strength: Strength

    @property
    def is_number(self) -> bool:
        """Whether it is a number and nothing else: "Article 5", "CHAPTER ONE"."""
        return self.label.number is not None and not self.label.title


def find_candidates(lines: Sequence[Line], body: Body, words: Words) -> tuple[list[Candidate], Counter[Style]]:
    """Return what stands out and reads like a heading, in reading order, and how often each style is set at all."""
    candidates: list[Candidate] = []
    styles: Counter[Style] = Counter()
    for first, last in _stretches(lines):
        if not is_caption(lines[first].text) and all(style_of(line)[1] for line in lines[first:last]):
            styles[lines[first].style] += 1
        above = candidates[-1] if candidates and candidates[-1].last == first else None
        candidate = _candidate(lines, first, last, body, words)
        plain = candidate is None and above is not None and above.is_number and above.label.keyword is not None
        if candidate is not None and above is None and _ends_sentence_above(lines, first, candidate):
            candidate = None
        if plain:
            candidate = _plain_title(lines, first, last, words)
        joined = _with_number(above, candidate, lines) if above and candidate else None
        if joined is not None:
            candidates[-1] = joined
        elif candidate is not None and not plain:
            candidates.append(candidate)
    return _labelled(candidates), styles


def _labelled(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Number those whose numbers only their neighbours make certain: "5 Title", "B. Title"."""
    labels = labels_of(candidate.text for candidate in candidates)
    return [
        replace(candidate, label=label, look=replace(candidate.look, scheme=scheme_of(label)))
        if label.number and label.kind != candidate.label.kind
        else candidate
        for candidate, label in zip(candidates, labels, strict=True)
    ]


def _stretches(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that can be one heading: blocks, cut where a line begins or ends one for certain."""
    after_number = False
    for _, group in groupby(range(len(lines)), key=lambda index: (lines[index].block, lines[index].kind)):
        block = list(group)
        if lines[block[0]].kind != "text":
            continue
        start = block[0]
        gaps = [lines[above].y - lines[below].y for above, below in pairwise(block)]
        pitch = min(gaps) if len(gaps) > 1 else _PITCH * lines[start].size
        rights: dict[float, float] = {}
        for index in block:
            size = lines[index].style.size
            rights[size] = max(rights.get(size, 0.0), lines[index].x1)
        for above, below in pairwise(block):
            early = fits(lines[above], lines[below], rights[lines[above].style.size])
            if (early and after_number and above == start) or _parts(lines[above], lines[below], pitch, early=early):
                yield start, below
                after_number = below - start == 1 and _is_bare_number(lines[start])
                start = below
        yield start, block[-1] + 1
        after_number = start == block[-1] and _is_bare_number(lines[start])


def _begins_heading(line: Line) -> bool:
    label = label_of(line.text)
    return label.number is not None and not label.number.startswith("(")


def _is_bare_number(line: Line) -> bool:
    label = label_of(line.text)
    return label.keyword is not None and not label.title


def _parts(above: Line, below: Line, pitch: float, *, early: bool) -> bool:
    """Say whether two lines of a block belong apart: the first ends a heading, or the second begins one.

    A number begins a heading where the line before is done: it ends early or ends a sentence, or stands off. Numbers
    within a sentence ("see / Section 4") do not.
    """
    if _is_bare_number(above):
        return True
    differ = (above.style.font, above.style.italic, above.style.weight) != (
        below.style.font, below.style.italic, below.style.weight,
    )  # fmt: skip
    gap = above.y - below.y
    done = early or gap > _APART * pitch
    if _begins_heading(below):
        return done or differ or ends_sentence(above)
    return done and (differ or (_begins_heading(above) and (early or gap > _OFF * above.size)))


def _candidate(lines: Sequence[Line], first: int, last: int, body: Body, words: Words) -> Candidate | None:
    styles = [style_of(line) for line in lines[first:last]]
    text = title_of(lines[first:last], words)
    label = label_of(text)
    strength = strength_of(styles[0][0], text, label, body)
    if strength is None or not _reads_like_heading(text, label, last - first, strength):
        return None
    if strength < Strength.LARGER and not all(pure for _, pure in styles):
        return None
    look = look_of(lines[first:last], text)
    return Candidate(first=first, last=last, text=text, label=label, look=look, strength=strength)


def _reads_like_heading(text: str, label: Label, count: int, strength: Strength) -> bool:
    if sum(character.isalpha() for character in text) < _LETTERS or is_caption(text) or text[0] in _BULLETS:
        return False
    if label.number is not None:
        refers = (
            label.keyword is not None and not label.separated and not re.match(r"[^\W_a-zß-ÿ]|[\"“‘']|$", label.title)
        )
        return not refers and len(text) <= (_MAX_NUMBERED_LENGTH if strength >= Strength.BOLDER else _MAX_LENGTH)
    ends = text.rstrip(_CLOSERS)[-1:]
    if len(text) > _MAX_LENGTH or count > _MAX_LINES or ends in {",", ";", "-"}:
        return False
    if strength < Strength.LARGER and (
        _ADMONITION.fullmatch(text) or text[0].islower() or text[0] in _OPENERS or ends == ":"
    ):
        return False
    return len(text.split()) < _SENTENCE_WORDS or not (ends in {".", ":"} or _SENTENCE_BREAK.search(text))


def _ends_sentence_above(lines: Sequence[Line], first: int, candidate: Candidate) -> bool:
    """Tell whether what stands out is the end of a sentence begun on the line right above: "see / **HISTORY**."."""
    if first == 0 or candidate.strength >= Strength.LARGER or candidate.label.number or candidate.text[-1] != ".":
        return False
    above, line = lines[first - 1], lines[first]
    close = above.page == line.page and above.kind == line.kind and 0 < above.y - line.y <= _OFF * above.size
    return close and not ends_sentence(above)


def _plain_title(lines: Sequence[Line], first: int, last: int, words: Words) -> Candidate | None:
    """Return a title that looks like the body, as it may stand below "Article 5"."""
    text = title_of(lines[first:last], words)
    if last - first > _TITLE_LINES or len(text) > _TITLE_LENGTH or text[-1] in ".;,:" or not text[0].isupper():
        return None
    look = look_of(lines[first:last], text)
    return Candidate(first=first, last=last, text=text, label=label_of(text), look=look, strength=Strength.NUMBERED)


def _with_number(above: Candidate, below: Candidate, lines: Sequence[Line]) -> Candidate | None:
    """Join a number that stands alone ("CHAPTER ONE", "Article 5", "CHAPTER" above "ONE") with the line below it."""
    upper, lower = lines[above.last - 1], lines[below.first]
    if lower.page > upper.page + 1 or below.label.number:
        return None
    text = f"{above.text} {below.text}"
    label = label_of(text)
    completed = above.label.number is None and label.number is not None and not label.title
    near = upper.page != lower.page or 0 < upper.y - lower.y <= _NUMBER_GAP * max(upper.size, lower.size)
    if not near or not (above.is_number or completed):
        return None
    larger = above if above.look.size > below.look.size else below
    return Candidate(
        first=above.first,
        last=below.last,
        text=text,
        label=label,
        look=replace(larger.look, caps=below.look.caps, scheme=scheme_of(label)),
        strength=max(above.strength, below.strength),
    )
