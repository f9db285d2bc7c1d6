"""A text as quotes are compared with it, and where each part of that stands in the text itself.

What copying and page layout change is normalised: white space, hyphens at line ends and soft hyphens, typographic
quotation marks and dashes, ligatures and full-width forms, accents apart from their letters, emphasis and code marks,
and what cannot be seen. Case, words, numbers and their order stay as they are.

The work grows with the length of the text, whatever is in it.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache

__all__ = ["ComparedText"]

_CHARACTERS = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u2039\u203a\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u00ad", "-"),
    **dict.fromkeys("*`", ""),  # emphasis and code marks
}
_TABLE = str.maketrans(_CHARACTERS)
_MOST_MARKS = 30
"""Accents on one letter that are put in order with it, as Unicode's stream-safe format has it: ordering is slow."""
_BLANKS = re.compile(r"\s{2,}|[^\S ]")
# "agree- ment" and "long-term" lose theirs: whether a hyphen at the end of a line belongs to the word cannot be known.
_HYPHEN = re.compile(r"(?<=[^\W\d_])- ?(?=[^\W\d_])")


class ComparedText:
    """A text in the form in which quotes are compared.

    Attributes:
        text: That form.
    """

    def __init__(self, original: str) -> None:
        self._rewritings: list[_Rewriting] = []
        self.text = original
        odd = _odd_characters(original)
        if odd is not None:
            self._rewrite(odd, _plain)
        self._rewrite(_BLANKS, lambda _: " ")
        self._rewrite(_HYPHEN, lambda _: "")

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the original that a range of `text` was made of; it must not be empty."""
        for rewriting in reversed(self._rewritings):
            start, end = rewriting.origin(start)[0], rewriting.origin(end - 1)[1]
        return start, end

    def part(self, start: int, end: int) -> str:
        """Return what a range of the original has become."""
        for rewriting in self._rewritings:
            start, end = rewriting.outcome(start), rewriting.outcome(end)
        return self.text[start:end]

    def _rewrite(self, pattern: re.Pattern[str], replacement: Callable[[str], str]) -> None:
        rewriting = _Rewriting()
        self.text = rewriting.apply(self.text, pattern, replacement)
        self._rewritings.append(rewriting)


class _Rewriting:
    """Replacements in a text: the ranges that were replaced, and those that took their places."""

    def __init__(self) -> None:
        self._starts, self._ends = array("q"), array("q")
        self._new_starts, self._new_ends = array("q"), array("q")

    def apply(self, text: str, pattern: re.Pattern[str], replacement: Callable[[str], str]) -> str:
        """Return the text with every match replaced, and remember where."""
        parts: list[str] = []
        done = shift = 0
        for match in pattern.finditer(text):
            start, end = match.span()
            written = replacement(match[0])
            parts += (text[done:start], written)
            self._starts.append(start)
            self._ends.append(end)
            self._new_starts.append(start + shift)
            self._new_ends.append(start + shift + len(written))
            shift += len(written) - (end - start)
            done = end
        return "".join([*parts, text[done:]])

    def origin(self, position: int) -> tuple[int, int]:
        """Return the range in the old text that the character at a position of the new one was made of."""
        last = bisect_right(self._new_starts, position) - 1
        if last < 0:
            return position, position + 1
        if position < self._new_ends[last]:
            return self._starts[last], self._ends[last]
        old = self._ends[last] + position - self._new_ends[last]
        return old, old + 1

    def outcome(self, position: int) -> int:
        """Return where in the new text a position of the old one is."""
        last = bisect_right(self._starts, position) - 1
        if last < 0:
            return position
        return self._new_ends[last] + max(0, position - self._ends[last])


def _odd_characters(text: str) -> re.Pattern[str] | None:
    """Return a pattern for the characters of a text that are compared in another form; None where it has none."""
    there = set(text)
    marks = "".join(re.escape(one) for one in there if unicodedata.combining(one))
    odd = "".join(re.escape(one) for one in there if _plain(one) != one)
    patterns = [f"[^{marks}]?[{marks}]{{1,{_MOST_MARKS}}}"] if marks else []
    patterns += [f"[{odd}]"] if odd else []
    return re.compile("|".join(patterns)) if patterns else None


@lru_cache(maxsize=4096)
def _plain(characters: str) -> str:
    """Return a character, or a letter with its accents, as it is compared."""
    same = unicodedata.normalize("NFKC", characters.translate(_TABLE)).translate(_TABLE)
    return "".join(map(_seen, same))


def _seen(character: str) -> str:
    """Return a character as it is, nothing for what hides in text, and a blank for what moves cursors or colours.

    Models are shown a blank in its place too.
    """
    if character.isspace():
        return character
    return {"Cf": "", "Cc": " "}.get(unicodedata.category(character), character)
