"""Key terms of a document's sections: what a section speaks of and the others do not."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

__all__ = ["KeyTerms"]

_RARE_SHARE = 0.05
_COMMON_SHARE = 0.25
_FEW_SECTIONS = 8
"""In a document of fewer sections no word is common or rare: they say nothing about its words."""
_SHORTEST_WORD = 4
_REPEATED = 2
_OFTEN = 3
_LONGEST_TERM = 40
_MOST_WORDS = 4

_TOKEN = re.compile(r"[^\W\d_][\w'’\-]*|\d[\w.\-]*\w|[^\w\s]|\n")
_IDENTIFIER = re.compile(
    r"(?=\w*[^\W\d])[^\W_]+(?:_[^\W_]+)+|[A-Z][A-Z0-9\-]*[A-Z0-9]|[a-z]+[A-Z]\w*|(?:[A-Z][a-z0-9]+){2,}"
)
_DEFINED = re.compile(r"[“„\"‘«]([^“”„\"‘’«»\n]{3,40})[”“\"’»]")
_SMALL_WORDS = (
    "a about above after all also an and any are as at be been before being below between both but by can "
    "cannot could did do does during each either for from further had has have having he her here his how "
    "however if in into is it its itself may might more most must neither no nor not of on one only or other "
    "otherwise our out over own per shall she should so some such than that the their them then there thereof "
    "these they this those through to too under until unless up upon use used using very was were what when "
    "where whether which while who whom whose why will with within without would you your "
)
_STOP_WORDS = frozenset(_SMALL_WORDS.split())


@dataclass(frozen=True, slots=True)
class _Terms:
    """The terms of one section, with how often each occurs and in the order of their first occurrence."""

    counts: Counter[str]
    certain: frozenset[str]
    """Lower-case forms of identifiers, defined terms and capitalised phrases, which need not be repeated."""
    shown: dict[str, str]
    """How each was first written."""


class KeyTerms:
    """Finds the terms that set a section apart from the other sections of its document.

    Kept are two-word phrases, capitalised phrases, defined terms, identifiers, and words that at most one in twenty
    sections has; the more often in the section and the rarer elsewhere, the earlier they come.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        """Count the terms of all sections.

        Args:
            texts: The sections' bodies without markup.
        """
        self._sections = len(texts)
        words: Counter[str] = Counter()
        for text in texts:
            words.update({token.lower() for token in _TOKEN.findall(text) if token[0].isalpha()})
        self._words = words
        self._terms = [self._of_section(text) for text in texts]
        self._frequency = Counter(term for terms in self._terms for term in terms.counts)

    def of(self, position: int, *, said: str, most: int) -> list[str]:
        """Return at most `most` terms of the section at `position` of the texts, without those that `said` contains."""
        terms = self._terms[position]
        said = said.casefold()
        ranked = sorted(
            (term for term in terms.counts if self._tells(term, terms) and term.casefold() not in said),
            key=lambda term: -terms.counts[term] * math.log(1 + self._sections / self._frequency[term]),
        )
        chosen: list[str] = []
        for term in ranked:
            if len(chosen) == most:
                break
            if not any(term in other or other in term for other in chosen):
                chosen.append(term)
        return [terms.shown[term] for term in chosen]

    def _tells(self, term: str, terms: _Terms) -> bool:
        if term in terms.certain:
            return self._frequency[term] <= max(_COMMON_SHARE * self._sections, 1)
        if " " in term:
            return terms.counts[term] >= _REPEATED and self._frequency[term] <= max(_COMMON_SHARE * self._sections, 1)
        rare = self._sections >= _FEW_SECTIONS and self._words[term] <= max(_RARE_SHARE * self._sections, 1)
        return rare and terms.counts[term] >= _OFTEN

    def _of_section(self, text: str) -> _Terms:
        counts: Counter[str] = Counter()
        shown: dict[str, str] = {}
        certain: set[str] = set()
        for term, is_certain in self._candidates(text):
            key = term.lower()
            counts[key] += 1
            shown.setdefault(key, term)
            if is_certain:
                certain.add(key)
        return _Terms(counts, frozenset(certain), shown)

    def _candidates(self, text: str) -> Iterator[tuple[str, bool]]:
        for match in _DEFINED.finditer(text):
            if len(match[1].split()) <= _MOST_WORDS:
                yield match[1].strip(" ,.;:"), True
        run: list[str] = []
        for piece in _TOKEN.findall(text):
            if self._is_content(piece):
                run.append(piece)
            elif piece != "\n":
                yield from _of_run(run)
                run = []
        yield from _of_run(run)

    def _is_content(self, token: str) -> bool:
        """A word that is neither one of the language's small words nor one that every other section has."""
        if not token[0].isalpha() or len(token) > _LONGEST_TERM:
            return False
        word = token.lower()
        if word in _STOP_WORDS or (len(word) < _SHORTEST_WORD and not _IDENTIFIER.fullmatch(token)):
            return False
        return self._sections < _FEW_SECTIONS or self._words[word] <= 2 * _COMMON_SHARE * self._sections


def _of_run(run: Sequence[str]) -> Iterable[tuple[str, bool]]:
    """Yield the terms in words that follow one another without punctuation or small words between them."""
    for place, word in enumerate(run):
        yield word, bool(_IDENTIFIER.fullmatch(word))
        if place + 1 < len(run):
            following = run[place + 1]
            yield f"{word} {following}", place > 0 and word[0].isupper() and following[0].isupper()
