"""Captions that head sections: where a section is a run of tables, each table with its caption is a section of its own.

Elsewhere captions are no headings: the text that goes on behind a table belongs to the section that the table is in.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tocwalk.ingest.pdf.assemble import Words, ends_sentence, title_of
from tocwalk.ingest.pdf.labels import caption_of, label_of
from tocwalk.ingest.pdf.looks import Body, style_of
from tocwalk.ingest.pdf.model import Line, Mark

__all__ = ["with_captions"]

_FEWEST = 4
"""Tables that make a run: fewer illustrate the section that they are in."""
_MOST = 0.5
"""Share of a section's lines that its tables make up."""
_MAX_LINES = 4
_SMALLER, _PROSE = 0.6, 40
"""Points by which notes are smaller than the body; characters from which a line of the body's size is no label."""


class _Kind(NamedTuple):
    """What captions of one sort have in common."""

    keyword: str
    size: float
    weight: int
    italic: bool


class _Caption(NamedTuple):
    first: int
    last: int
    """Behind its last line."""
    kind: _Kind
    number: str


def with_captions(marks: Sequence[Mark], lines: Sequence[Line], body: Body, words: Words) -> list[Mark]:
    """Add the captions that head sections to the headings.

    The tables at the end of a section are sections below it where they are most of it, several, each right below its
    caption, and nothing but notes stands between one and the next. Beside a heading that is such a caption itself,
    those like it are sections, too, however few.

    Args:
        marks: The headings, in reading order, with levels.
        lines: All lines.
        body: The look of the running text.
        words: The document's words.
    """
    captions = _captions(lines)
    firsts = [caption.first for caption in captions]
    added: list[Mark] = []
    for above, below in pairwise([None, *marks, None]):
        start, end = above.last if above else 0, below.first if below else len(lines)
        inside = captions[bisect_left(firsts, start) : bisect_left(firsts, end)]
        run = _run(inside, end, lines, body)
        if not run:
            continue
        like = next((mark for mark in (above, below) if mark and _kind_of(mark, lines) == run[0].kind), None)
        if like is None and (len(run) < _FEWEST or end - run[0].first < _MOST * (end - start)):
            continue
        level = like.level if like else above.level + 1 if above else 1
        added += [_mark(caption, level, lines, words) for caption in run]
    return sorted([*marks, *added], key=lambda mark: (mark.first, mark.last))


def _captions(lines: Sequence[Line]) -> list[_Caption]:
    """Return the captions that are blocks of their own; one that only says that its table goes on is none."""
    captions: list[_Caption] = []
    for index, line in enumerate(lines):
        if line.kind != "text" or (index and lines[index - 1].block == line.block):
            continue
        named = caption_of(line.text)
        if named is None:
            continue
        caption = _Caption(index, _end(lines, index), _kind(named[0], line), named[1])
        if caption.last - index <= _MAX_LINES and not (captions and _goes_on(captions[-1], caption)):
            captions.append(caption)
    return captions


def _goes_on(before: _Caption, caption: _Caption) -> bool:
    return (before.kind, before.number) == (caption.kind, caption.number)


def _end(lines: Sequence[Line], first: int) -> int:
    """Return where a caption ends: with its block, or with the next if that has the title to a number alone."""
    last = next((index for index in range(first, len(lines)) if lines[index].block != lines[first].block), len(lines))
    alone = last == first + 1 and label_of(lines[first].text).title == ""
    if alone and last < len(lines) and (lines[last].kind, lines[last].page) == ("text", lines[first].page):
        return _end(lines, last)
    return last


def _kind(keyword: str, line: Line) -> _Kind:
    style, _ = style_of(line)
    return _Kind(keyword, style.size, style.weight, style.italic)


def _kind_of(mark: Mark, lines: Sequence[Line]) -> _Kind | None:
    """Return the kind of a heading that is a caption."""
    caption = caption_of(lines[mark.first].text) if mark.last > mark.first else None
    return _kind(caption[0], lines[mark.first]) if caption else None


def _run(captions: Sequence[_Caption], end: int, lines: Sequence[Line], body: Body) -> list[_Caption]:
    """Return the captions of one kind that follow each other up to the end of their section."""
    run: list[_Caption] = []
    for caption in reversed(captions):
        if (run and caption.kind != run[0].kind) or not _is_table(lines[caption.last : end], body):
            break
        run.insert(0, caption)
        end = caption.first
    return run


def _is_table(lines: Sequence[Line], body: Body) -> bool:
    """Say whether lines are a table with its notes."""
    return any(line.kind == "table" for line in lines) and not any(_is_prose(line, body) for line in lines)


def _is_prose(line: Line, body: Body) -> bool:
    if line.kind != "text" or line.style.size < body.style.size - _SMALLER:
        return False
    return len(line.text) >= _PROSE or ends_sentence(line)


def _mark(caption: _Caption, level: int, lines: Sequence[Line], words: Words) -> Mark:
    text = title_of(lines[caption.first : caption.last], words)
    return Mark(first=caption.first, last=caption.last, text=text, level=level)
