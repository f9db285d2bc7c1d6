"""Whether a quote stands in a text, word for word.

What copying and page layout change is normalised on both sides: white space, hyphens at line ends and soft hyphens,
typographic quotation marks and dashes, ligatures and full-width forms, bold and code marks. Case, words, numbers and
their order count as they are.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

__all__ = ["FEWEST_WORDS", "Finding", "find_quote"]

FEWEST_WORDS = 5
"""Words of a quote at least, unless it is a whole row of a table."""

_SAME = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u2039\u203a`\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
}
# Emphasis and code marks, soft hyphens, and what hides in text without being seen.
_NOTHING = re.compile("[*\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_WORD = re.compile(r"\w+(?:['.,:/-]\w+)*")
# Markdown's tables, and those of fixed width that PDFs give.
_BETWEEN_CELLS = re.compile(r"[|\t]| {2,}")


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a quote stands, or why it does not count."""

    start: int = -1
    """Offset in the text; -1 where it was not found."""
    end: int = -1
    problem: str = ""
    """Why it does not count, as the end of a sentence; empty if it does."""


def find_quote(quote: str, text: str) -> Finding:
    """Find a quote of at least five words, or a whole row of a table, in a text.

    Returns:
        The range of the text that it is; or the problem.
    """
    bare = quote.strip().strip("\"'\u201c\u201d\u2018\u2019\u00ab\u00bb")
    wanted, _ = _normalised(bare)
    if not wanted:
        return Finding(problem="the quote is empty")
    row = _find_row(bare, text)
    if row is not None:
        return row
    if len(_WORD.findall(wanted)) < FEWEST_WORDS:
        return Finding(problem=f"the quote has fewer than {FEWEST_WORDS} words and is no whole row of a table")
    shown, offsets = _normalised(text)
    found = _find_words(wanted, shown)
    if found < 0:
        return Finding(problem="the quote does not stand in the cited section word for word")
    return Finding(offsets[found], offsets[found + len(wanted) - 1] + 1)


def _find_words(wanted: str, shown: str) -> int:
    """Return where `wanted` stands in `shown`, not in the middle of a word at either end; -1 for nowhere."""
    at = shown.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        cut_before = at > 0 and shown[at - 1].isalnum() and wanted[0].isalnum()
        cut_behind = end < len(shown) and shown[end].isalnum() and wanted[-1].isalnum()
        if not cut_before and not cut_behind:
            return at
        at = shown.find(wanted, at + 1)
    return -1


def _find_row(quote: str, text: str) -> Finding | None:
    """Return the line of a table that a quote is, cell by cell, whatever separates the cells; None if it is none."""
    wanted = _cells(quote)
    start = 0
    for line in text.splitlines(keepends=True):
        row = _cells(line)
        if len(row) > 1 and any(map(_WORD.search, row)) and wanted in (row, [" ".join(row)]):
            return Finding(start, start + len(line.rstrip("\r\n")))
        start += len(line)
    return None


def _cells(line: str) -> list[str]:
    """Return the cells of a row, normalised, without empty ones."""
    return [cell for cell in (_normalised(part)[0] for part in _BETWEEN_CELLS.split(line.strip())) if cell]


def _normalised(text: str) -> tuple[str, list[int]]:
    """Return a text as it is compared, with the offset that each of its characters had."""
    characters: list[str] = []
    offsets: list[int] = []
    for offset, original in enumerate(text):
        if _NOTHING.match(original):
            continue
        for character in _SAME.get(original) or unicodedata.normalize("NFKC", original):
            one = " " if character.isspace() else _SAME.get(character, character)
            if one == " " and (not characters or characters[-1] == " "):
                continue
            characters.append(one)
            offsets.append(offset)
    if characters and characters[-1] == " ":
        del characters[-1], offsets[-1]
    return _without_hyphens(characters, offsets)


def _without_hyphens(characters: list[str], offsets: list[int]) -> tuple[str, list[int]]:
    """Take out hyphens between letters, with the space behind them: "agree- ment" and "long-term" lose theirs.

    Whether a hyphen at the end of a line belongs to the word cannot be known, so it counts nowhere.
    """
    kept: list[int] = []
    position = 0
    while position < len(characters):
        if characters[position] == "-" and kept and characters[kept[-1]].isalpha():
            behind = position + 1
            if behind < len(characters) and characters[behind] == " ":
                behind += 1
            if behind < len(characters) and characters[behind].isalpha():
                position = behind
                continue
        kept.append(position)
        position += 1
    return "".join(characters[i] for i in kept), [offsets[i] for i in kept]
