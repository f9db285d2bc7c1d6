"""Slugs: the readable last part of a section's id."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["SLUG_LENGTH", "Slugs", "slug"]

SLUG_LENGTH = 60
"""Characters of a slug, a suffix for duplicates aside."""

_LOOKED_AT = 4 * SLUG_LENGTH
_LATIN_MARKS = re.compile(r"([a-z])[\u0300-\u036f]+")
_UNDECOMPOSED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})


def slug(text: str) -> str:
    """Return `text` in lower case with Latin letters folded to ASCII and "-" between its words.

    Letters of other scripts are kept with their marks, so that a Chinese or Hindi title stays readable. Never empty:
    where nothing is left it is "section".
    """
    folded = unicodedata.normalize("NFKD", text[:_LOOKED_AT].casefold()).casefold()
    folded = _LATIN_MARKS.sub(r"\1", folded).translate(_UNDECOMPOSED)
    composed = unicodedata.normalize("NFC", folded)
    words = "".join(character if _is_word(character) else " " for character in composed).split()
    return _cut("-".join(words)) or "section"


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")


def _cut(whole: str) -> str:
    """Cut at the last word that fits; a word longer than a slug is cut inside."""
    if len(whole) <= SLUG_LENGTH:
        return whole
    head, _, _ = whole[: SLUG_LENGTH + 1].rpartition("-")
    return head or whole[:SLUG_LENGTH]


class Slugs:
    """Hands out slugs that differ among the sections below one parent: "-2", "-3" in reading order."""

    def __init__(self) -> None:
        """Begin with none taken."""
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}

    def take(self, text: str) -> str:
        """Return a slug of `text` that was not handed out before."""
        base = slug(text)
        candidate = base
        number = self._last.get(base, 1)
        while candidate in self._taken:
            number += 1
            candidate = f"{base}-{number}"
        self._last[base] = number
        self._taken.add(candidate)
        return candidate
