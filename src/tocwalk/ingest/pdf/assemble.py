"""From lines to the text of a document, with the places of its headings and pages in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from tocwalk.ingest.extracted import Heading, PageStart
from tocwalk.ingest.pdf.glyphs import HYPHEN
from tocwalk.ingest.pdf.labels import labels_of
from tocwalk.ingest.pdf.model import Line, Mark, Style
from tocwalk.ingest.pdf.rows import is_label
from tocwalk.ingest.pdf.tables import lay_out

__all__ = ["Words", "assemble", "ends_sentence", "fits", "is_fixed", "title_of"]

_FIXED = re.compile(
    r"mono|nimbusmon|courier|consol|typewr|(?:cm|ec|sf|lm|t1|tx|px)[a-z]*tt|menlo|fixed|lettergothic", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LAST_WORD = re.compile(r"[^\W_]+$")
_FIRST_WORD = re.compile(r"[^\W_]+")
_CHARACTER = 0.5
"""Times the font size: width of an average character."""
_WHOLE_WORD = 4
"""Letters from which both halves of a hyphenated word count as words of their own."""
_SENTENCE_END = (".", "!", "?", ":", ";", "。", "！", "？")
_BULLET = re.compile(r"[•‣◦▪●○■□▶►➢✓\uf0b7\uf0a7]")
_ITEM = re.compile(r"\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+\S")
_ITEM_END = (".", ";", ":", ",", " and", " or")
"""What stands before the next item of a list, which begins a line of its own."""
_CLOSERS = "\"'”’)]»"


class Words:
    """The words of a document, to tell hyphens that are part of a word from those that only end a line."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._count: Counter[str] = Counter()
        for line in lines:
            words = _WORD.findall(line.text)
            self._count.update(word.casefold() for word in (words[:-1] if line.text.endswith(HYPHEN) else words))

    def joined(self, left: str, right: str) -> str:
        """Return two parts of a text, the first ending in a hyphen that ended a line, put together."""
        left = left.rstrip(HYPHEN)
        end, start = _LAST_WORD.search(left), _FIRST_WORD.match(right)
        if end is None or start is None:
            return f"{left}-{right}"
        return f"{left}{'-' if self._is_compound(end[0], start[0]) else ''}{right}"

    def _is_compound(self, left: str, right: str) -> bool:
        whole, hyphenated = self._count[(left + right).casefold()], self._count[f"{left}-{right}".casefold()]
        if whole != hyphenated:
            return hyphenated > whole
        if not right[0].islower():
            return True
        known = min(self._count[left.casefold()], self._count[right.casefold()])
        return known > 0 and min(len(left), len(right)) >= _WHOLE_WORD


def is_fixed(style: Style) -> bool:
    """Say whether a font is of fixed width, as those of code are."""
    return _FIXED.search(style.font) is not None


def title_of(lines: Sequence[Line], words: Words) -> str:
    """Return the lines of a heading as one."""
    title = lines[0].title
    for line in lines[1:]:
        title = words.joined(title, line.title) if title.endswith(HYPHEN) else f"{title} {line.title}"
    return _with_visible_hyphens(" ".join(title.split()))


def assemble(
    lines: Sequence[Line], marks: Sequence[Mark], *, pages: int, labels: Mapping[int, str], words: Words
) -> tuple[str, tuple[Heading, ...], tuple[PageStart, ...]]:
    """Put the text together.

    Paragraphs become one line each: lines are joined where the next word did not fit on the line before. Rows of tables
    and lines of code keep their breaks and columns.

    Args:
        lines: All lines of the document, in reading order.
        marks: The headings, in reading order, not overlapping.
        pages: How many pages there are.
        labels: Physical page -> printed page number.
        words: The document's words.

    Returns:
        The text, its headings, and where its pages begin.
    """
    texts = _line_texts(lines)
    edges = {mark.first for mark in marks} | {mark.last for mark in marks if mark.prefix is None}
    rights = _right_edges(lines)
    inside = {index for mark in marks for index in range(mark.first, mark.last - 1)}
    builder = _Builder(words)
    starts: list[int] = []
    for index, (line, text) in enumerate(zip(lines, texts, strict=True)):
        separator = "" if index == 0 else _separator(lines[index - 1], line, rights[line.block])
        if index - 1 in inside:
            separator = " "
        elif index in edges:
            separator = "\n\n" if index else ""
        starts.append(builder.add(separator, text))
    starts.append(builder.close())
    headings = _headings(marks, starts, texts)
    return builder.text, headings, _page_starts(lines, starts, pages, labels)


class _Builder:
    """Adds up text; what has been added does not change any more, but for a hyphen at its very end."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._parts: list[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def add(self, separator: str, text: str) -> int:
        """Add a separator and a line; return where the line begins."""
        text = _with_visible_hyphens(text, keep_last=True)
        if self._parts and self._parts[-1].endswith(HYPHEN):
            last = self._parts.pop()
            self._length -= len(last)
            if separator == " ":
                last, separator = self._words.joined(last, text)[: -len(text)], ""
            else:
                last = last[:-1] + "-"
            self._append(last)
        self._append(separator)
        self._append(text)
        return self._length - len(text)

    def _append(self, part: str) -> None:
        if part:
            self._parts.append(part)
            self._length += len(part)

    def close(self) -> int:
        """End the text; return its length."""
        if self._parts:
            self.add("\n", "")
        return self._length


def _with_visible_hyphens(text: str, *, keep_last: bool = False) -> str:
    """Turn hyphens that do not end a line into plain ones: they are printed."""
    if HYPHEN not in text:
        return text
    body, last = (text[:-1], text[-1]) if keep_last else (text, "")
    return body.replace(HYPHEN, "-") + last


def _line_texts(lines: Sequence[Line]) -> list[str]:
    """Return the text of each line, code laid out as it stands on the page."""
    texts: list[str] = []
    for _, block in groupby(lines, key=lambda line: (line.block, line.kind)):
        group = list(block)
        if len(group) > 1 and group[0].kind == "text" and all(is_fixed(line.style) for line in group):
            texts.extend(lay_out([line.pieces for line in group]))
        else:
            texts.extend(line.text for line in group)
    return texts


def _right_edges(lines: Sequence[Line]) -> dict[int, float]:
    """Return how far the lines of each block reach."""
    rights: dict[int, float] = {}
    for line in lines:
        rights[line.block] = max(rights.get(line.block, line.x1), line.x1)
    return rights


def _separator(before: Line, line: Line, right: float) -> str:
    if before.page != line.page:
        return " " if _continues_on_next_page(before, line) else "\n\n"
    if before.block != line.block:
        return "\n\n"
    if line.kind != "text" or is_fixed(line.style) or is_label(line.pieces[0].text) or _BULLET.match(line.text):
        return "\n"
    if _ITEM.match(line.text) and before.text.endswith(_ITEM_END):
        return "\n"
    if line.text[:1].islower() and not ends_sentence(before):
        return " "
    return "\n" if fits(before, line, right) else " "


def ends_sentence(line: Line) -> bool:
    """Say whether a line ends where a sentence does."""
    return line.text.rstrip(_CLOSERS).endswith(_SENTENCE_END)


def fits(before: Line, line: Line, right: float) -> bool:
    """Say whether the first word of a line would have fitted on the line before: then the break is meant."""
    word = line.text.split(" ", 1)[0]
    return before.x1 + (len(word) + 1) * _CHARACTER * line.size < right


def _continues_on_next_page(before: Line, line: Line) -> bool:
    if before.kind != "text" or line.kind != "text" or before.style.size != line.style.size:
        return False
    if before.text.endswith(HYPHEN):
        return line.text[:1].islower()
    return line.text[:1].islower() and not ends_sentence(before)


def _headings(marks: Sequence[Mark], starts: Sequence[int], texts: Sequence[str]) -> tuple[Heading, ...]:
    headings: list[Heading] = []
    for mark, label in zip(marks, labels_of(mark.text for mark in marks), strict=True):
        start = starts[mark.first]
        end = starts[mark.last] if mark.prefix is None else start + min(mark.prefix, len(texts[mark.first]))
        headings.append(
            Heading(
                start=start,
                end=end,
                level=mark.level,
                title=label.title or mark.text,
                number=label.number if label.title else None,
                found_by=mark.found_by,
            )
        )
    return tuple(headings)


def _page_starts(
    lines: Sequence[Line], starts: Sequence[int], pages: int, labels: Mapping[int, str]
) -> tuple[PageStart, ...]:
    offsets: dict[int, int] = {}
    for line, start in zip(lines, starts, strict=False):
        offsets.setdefault(line.page, start)
    page_starts: list[PageStart] = []
    offset = starts[-1]
    for page in range(pages, 0, -1):
        offset = offsets.get(page, offset) if page > 1 else 0
        page_starts.append(PageStart(offset=offset, number=page, label=labels.get(page)))
    return tuple(reversed(page_starts))
