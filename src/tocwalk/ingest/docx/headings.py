"""Which paragraphs of a Word document are headings, and which part of them is the title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tocwalk.ingest.docx.blocks import Block, Paragraph, paragraphs_of
from tocwalk.ingest.numbering import KEYWORDS, split_label
from tocwalk.ingest.text.titles import is_title, run_in_title

__all__ = ["mark_by_look", "title_end"]

_LONG = 120
"""Characters of a paragraph that is a heading by its style, beyond which it holds more than its title."""
_LONGEST_RUN_IN = 160
_SENTENCE = re.compile(r".{20,}?\w\w\w\)?\.\s+(?=[A-Z“\"(])", re.DOTALL)
_STOPS = ".:;–—-"
_STOP = re.compile(r"\s*[.:;–—]?\s*")
_RANKS = {row[0]: rank for rank, row in enumerate(KEYWORDS)}
_DISTINCT = 2
"""Half points by which a heading is larger than the text."""
_COMMON = 0.5
"""Share of the paragraphs that may look like headings; where more do, the look says nothing."""


def title_end(paragraph: Paragraph) -> int:
    """Return where the title ends in the text of a paragraph that is a heading by its style.

    Contracts set whole clauses in a heading's style: "**Fees.** The Customer pays ...". The title is what is emphasised
    at the beginning; in a long paragraph without that it is the first words if they read like a title, or else the
    first sentence. The full stop and the blanks behind it count as the title's.
    """
    text = paragraph.text
    emphasised = _emphasised(paragraph)
    if emphasised:
        stopped = text[:emphasised].rstrip()[-1] in _STOPS or text[emphasised:].lstrip()[0] in _STOPS
        if stopped or len(text) > _LONG:
            stop = _STOP.match(text, emphasised)
            return stop.end() if stop else emphasised
    if len(text) <= _LONG:
        return len(text)
    found = run_in_title(text)
    if found is not None and found[1] < _LONGEST_RUN_IN:
        return found[1]
    sentence = _SENTENCE.match(text)
    return sentence.end() if sentence else len(text)


def _emphasised(paragraph: Paragraph) -> int:
    """Return how much of a paragraph's beginning is underlined or bold, if the rest is not; 0 if none is."""
    for emphasis in ("underlined", "bold"):
        end = 0
        for piece in paragraph.pieces:
            if piece.text.strip() and not getattr(piece.look, emphasis):
                break
            end += len(piece.text)
        lead = paragraph.text[:end].strip()
        if any(character.isalpha() for character in lead) and len(lead) <= _LONGEST_RUN_IN:
            return end if end < len(paragraph.text) else 0
    return 0


def mark_by_look(blocks: Sequence[Block]) -> bool:
    """Give levels to what looks like a heading, if styles name at most one (the title); return whether any does.

    A heading is a short paragraph outside of tables that is larger than most text, or bold, underlined or in capitals
    where most text is not. Larger ones are above smaller ones, and among those of one size the words and numbers decide
    ("PART" above "Item", "1" above "1.1", numbered above unnumbered), then the look.
    """
    styled = [paragraph.level for paragraph in paragraphs_of(blocks) if paragraph.level is not None]
    if len(styled) > 1:
        return False
    outside = [block for block in blocks if isinstance(block, Paragraph) and block.level is None]
    usual = _usual_look(paragraphs_of(blocks))
    headings = [paragraph for paragraph in outside if _looks_like_heading(paragraph, usual)]
    if not headings or len(headings) > _COMMON * len(outside):
        return False
    ranks = [_rank(paragraph) for paragraph in headings]
    order = {rank: level for level, rank in enumerate(sorted(set(ranks)), start=1 + sum(styled))}
    for paragraph, rank in zip(headings, ranks, strict=True):
        paragraph.level = order[rank]
    return True


_Usual = tuple[int, bool, bool]


def _usual_look(paragraphs: Iterable[Paragraph]) -> _Usual:
    """Return the size of most text, and whether it is bold and underlined."""
    characters: Counter[_Usual] = Counter()
    for paragraph in paragraphs:
        for piece in paragraph.pieces:
            characters[piece.look.size, piece.look.bold, piece.look.underlined] += len(piece.text)
    return characters.most_common(1)[0][0] if characters else (0, False, False)


def _looks_like_heading(paragraph: Paragraph, usual: _Usual) -> bool:
    text = " ".join(paragraph.text.split())
    pieces = [piece for piece in paragraph.pieces if piece.text.strip()]
    if not is_title(text, lower_case=True) or (paragraph.mark is not None and paragraph.mark.bullet):
        return False
    size, bold, underlined = usual
    return (
        min(piece.look.size for piece in pieces) >= size + _DISTINCT
        or (not bold and all(piece.look.bold for piece in pieces))
        or (not underlined and all(piece.look.underlined for piece in pieces))
        or (paragraph.centred and (text.isupper() or all(piece.look.capitals for piece in pieces)))
    )


def _rank(paragraph: Paragraph) -> tuple[int | bool, ...]:
    """Return what sorts the headings of a document from the widest to the narrowest."""
    mark = f"{paragraph.mark.text} " if paragraph.mark is not None else ""
    label = split_label(mark + " ".join(paragraph.text.split()))
    if label.keyword is not None:
        number = (0, _RANKS.get(label.keyword, 0), 0)
    elif label.number is not None:
        number = (1, 0, len(label.value) + (paragraph.mark.level if paragraph.mark else 0))
    else:
        number = (2, 0, 0)
    first = next(piece.look for piece in paragraph.pieces if piece.text.strip())
    capitals = first.capitals or paragraph.text.isupper()
    return (-first.size, *number, not paragraph.centred, not capitals, not first.bold, not first.underlined)
