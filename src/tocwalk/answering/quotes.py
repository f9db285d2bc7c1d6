"""Whether quotes stand in a text, word for word: see `comparing` for what may differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from tocwalk.answering.comparing import ComparedText
from tocwalk.answering.rows import table_rows

__all__ = ["FEWEST_WORDS", "Finding", "QuotedText"]

FEWEST_WORDS = 5
"""Words of a quote at least, unless it holds a whole row of a table."""

# Scripts without blanks between words: two characters of Chinese or Japanese, or five of Thai, Lao, Burmese and Khmer,
# count as a word.
_HAN = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_THAI = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_LETTER = rf"[^\W{_HAN}{_THAI}]"
_WORD = re.compile(rf"[{_HAN}]{{1,2}}|[{_THAI}]{{1,5}}|{_LETTER}+(?:['.,:/-]{_LETTER}+)*")
_WITHIN_WORD = re.compile(rf"(?<={_LETTER})(?={_LETTER})")
_MOST_CUT = 100
"""Places in the middle of words that are passed over: a text with more of them repeats itself without end."""
_BETWEEN_CELLS = re.compile(r"[\s|]+")
# Quotation marks, and dots that say that the text goes on.
_AROUND = re.compile(r"""\A(?:\.{3}|[\s"'…“”‘’«»])+|(?:\.{3}|[\s"'…“”‘’«»])+\Z""")


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a quote stands, or why it does not count."""

    start: int = -1
    """Offset in the text; -1 where it was not found."""
    end: int = -1
    problem: str = ""
    """Why it does not count, as the end of a sentence; empty if it does."""


class QuotedText:
    """A text that quotes are looked up in; what that needs is made once for all of them."""

    def __init__(self, text: str) -> None:
        self._text = text

    def find(self, quote: str) -> Finding:
        """Find a quote of at least five words, or one that holds a whole row of a table.

        Returns:
            The range of the text that it is; or the problem.
        """
        bare = _AROUND.sub("", quote)
        wanted = ComparedText(bare).text.strip()
        if not wanted:
            return Finding(problem="the quote is empty")
        if sum(1 for _ in _WORD.finditer(wanted)) < FEWEST_WORDS:
            row = self._find_row(wanted)
            if row is not None:
                return Finding(*row)
            if not any(self._find_row(ComparedText(line).text) for line in bare.splitlines()):
                return Finding(problem=f"the quote has fewer than {FEWEST_WORDS} words and is no whole row of a table")
        found = self._find_words(wanted) or self._find_row(wanted)
        if found is None:
            return Finding(problem="the quote does not stand in the cited section word for word")
        return Finding(*found)

    @cached_property
    def _compared(self) -> ComparedText:
        return ComparedText(self._text)

    @cached_property
    def _rows(self) -> dict[str, tuple[int, int]]:
        """The rows of tables by their words, whatever stands between their cells; of equal ones the first."""
        rows: dict[str, tuple[int, int]] = {}
        for start, end in table_rows(self._text):
            rows.setdefault(_row_key(self._compared.part(start, end)), (start, end))
        return rows

    def _find_row(self, compared: str) -> tuple[int, int] | None:
        return self._rows.get(_row_key(compared))

    def _find_words(self, wanted: str) -> tuple[int, int] | None:
        """Return where the words stand, not in the middle of a word at either end; None for nowhere."""
        shown, at = self._compared.text, -1
        for _ in range(_MOST_CUT):
            at = shown.find(wanted, at + 1)
            if at < 0:
                break
            end = at + len(wanted)
            if not _WITHIN_WORD.match(shown, at) and not _WITHIN_WORD.match(shown, end):
                return self._compared.origin(at, end)
        return None


def _row_key(compared: str) -> str:
    return _BETWEEN_CELLS.sub(" ", compared).strip()
