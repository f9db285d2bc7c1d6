"""How well the titles and summaries of an offer fit the words of a question.

The measure is BM25's, its fields weighted as in BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
BM25 and Beyond", 2009), with the candidates of the offer as its collection. Divided by what all words of the question
are worth together, it says how much of the question a candidate covers: words that nobody in the offer has count
against all of them, so that "nothing here" can be told.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tocwalk.navigators.lexical_words import (
    NumberMention,
    acronyms,
    asks_for_definition,
    initials,
    label_of,
    number_mentions,
    stems,
)
from tocwalk.navigators.protocol import OWN_BODY, Candidate

__all__ = ["score_offer"]

_TITLE, _SUMMARY, _ABOVE = 3.0, 1.0, 1.0
"""What a word is worth in the title, in the summary, and in a title above that is shown too."""
_SATURATION = 1.2
_ENOUGH_WORDS = 3
"""How many words of a long question, of the average worth, count as much as all words of a short one."""
_TITLE_LENGTH, _SUMMARY_LENGTH = 0.5, 0.75
"""How much a long field dilutes its words: BM25's b."""
_SAME_BEGINNING = 0.5
"""What a word is worth that begins like the one asked for, where stemming left them apart: "absenc" for "absent"."""
_SHORTEST_BEGINNING, _SHARED = 5, 0.7
"""How many letters must be the same, and which part of the longer word."""
_SHORTEST_ACRONYM = 3
_PHRASE_IN_TITLE, _PHRASE_IN_SUMMARY = 0.4, 0.2
"""What two words side by side, as in the question, add of the worth of the less rare one."""
_NAMED, _IN_RANGE = 1.0, 0.5
"""What it adds to be named by number, and to be a group in whose range the number named is."""
_SMALL_OFFER = 20
"""How many candidates with none of the words are thought beside the offer: alone, a small one says little of rarity."""
_GLOSSARY = frozenset(stems("definitions glossary terminology abbreviations acronyms interpretation"))
_GLOSSARY_BONUS = 0.35
"""What the title of a glossary adds where the question asks what a word means."""


def score_offer(query: str, candidates: Sequence[Candidate], *, above: Sequence[str] = ()) -> dict[str, float]:
    """Return how well each candidate fits `query`, by ref.

    0 is not at all, 1 about every word of a question of three, more than that of a longer one. Being named by number
    ("Article 17") counts as much as every word.

    Args:
        query: The question.
        candidates: What is compared.
        above: Titles above all of them.
    """
    words = stems(query)
    pairs = tuple(dict.fromkeys(pairwise(words)))
    fields = {candidate.ref: _Fields.of(candidate) for candidate in candidates}
    terms = _terms(query, words, fields.values())
    weights = _weights(terms, fields)
    rarity = _rarity(terms, weights)
    whole = sum(rarity.values()) or 1.0
    enough = max(1.0, len(terms) / _ENOUGH_WORDS)
    named = _Named(query, candidates)
    opened = _Fields.of(Candidate(ref="", kind="section", title="\n".join(above)))
    scores: dict[str, float] = {}
    for candidate in candidates:
        own = fields[candidate.ref]
        parents = [opened, *(fields[ref] for ref in _refs_above(candidate.ref) if ref in fields)]
        worth = _phrases(own, pairs, rarity)
        for term in terms:
            weight = weights[candidate.ref][term.stem] + _ABOVE * any(term.in_title(parent) > 0 for parent in parents)
            worth += rarity[term.stem] * weight / (weight + _SATURATION)
        scores[candidate.ref] = enough * (worth / whole + named.bonus(candidate, own))
    return scores


@dataclass(frozen=True, slots=True)
class _Fields:
    """The words of one candidate."""

    title: tuple[str, ...]
    summary: tuple[str, ...]
    title_words: frozenset[str]
    summary_counts: Mapping[str, int]
    initials: str

    @classmethod
    def of(cls, candidate: Candidate) -> _Fields:
        title, summary = stems(candidate.title), stems(candidate.summary)
        return cls(title, summary, frozenset(title), Counter(summary), initials(candidate.title))


@dataclass(frozen=True, slots=True)
class _Term:
    """A word of the question, with the words of the offer that count as it, and for how much."""

    stem: str
    alike: Mapping[str, float]
    acronym: str

    def in_title(self, fields: _Fields) -> float:
        if self.acronym and self.acronym in fields.initials:
            return 1.0
        return max((worth for word, worth in self.alike.items() if word in fields.title_words), default=0.0)

    def in_summary(self, fields: _Fields) -> float:
        return sum(worth * fields.summary_counts.get(word, 0) for word, worth in self.alike.items())


class _Named:
    """What a question says besides its words: numbers of parts, and that it asks for a definition."""

    def __init__(self, query: str, candidates: Sequence[Candidate]) -> None:
        self.mentions = number_mentions(query)
        # Among several documents a glossary says nothing of whose word it is.
        several = any(c.kind in ("document", "folder") for c in candidates if c.ref not in ("", OWN_BODY))
        self.definition = asks_for_definition(query) and not several

    def bonus(self, candidate: Candidate, fields: _Fields) -> float:
        bonus = _GLOSSARY_BONUS if self.definition and fields.title_words & _GLOSSARY else 0.0
        if candidate.kind == "group":
            return bonus + _IN_RANGE * any(_in_range(mention, candidate.number) for mention in self.mentions)
        label = label_of(candidate.number)
        return bonus + _NAMED * max((mention.fits(label) for mention in self.mentions if label), default=0.0)


def _terms(query: str, words: Sequence[str], fields: Collection[_Fields]) -> list[_Term]:
    vocabulary = {word for own in fields for word in (*own.title_words, *own.summary_counts)}
    # In a question all in capitals an acronym cannot be told from a word.
    capitals = frozenset[str]() if query.isupper() else acronyms(query, shortest=_SHORTEST_ACRONYM)
    spelled = {stem: word for word in capitals for stem in stems(word)}
    return [_Term(word, _alike(word, vocabulary), spelled.get(word, "")) for word in dict.fromkeys(words)]


def _alike(word: str, vocabulary: Collection[str]) -> dict[str, float]:
    """Return the words of the offer that count as `word`: itself, and those that begin like it for the most part."""
    alike = {word: 1.0}
    for other in vocabulary:
        same = max(_SHORTEST_BEGINNING, math.ceil(_SHARED * max(len(word), len(other))))
        if word[:same] == other[:same] and len(word) >= _SHORTEST_BEGINNING:
            alike.setdefault(other, _SAME_BEGINNING)
    return alike


def _weights(terms: Sequence[_Term], fields: Mapping[str, _Fields]) -> dict[str, dict[str, float]]:
    """Return for each candidate how strongly its own title and summary have each term."""
    title_length = _average([len(own.title) for own in fields.values()])
    summary_length = _average([len(own.summary) for own in fields.values()])
    weights: dict[str, dict[str, float]] = {}
    for ref, own in fields.items():
        title = _TITLE / _dilution(len(own.title), title_length, _TITLE_LENGTH)
        summary = _SUMMARY / _dilution(len(own.summary), summary_length, _SUMMARY_LENGTH)
        weights[ref] = {term.stem: title * term.in_title(own) + summary * term.in_summary(own) for term in terms}
    return weights


def _rarity(terms: Sequence[_Term], weights: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return what each term is worth: more, the fewer candidates have it (BM25's idf, kept above 0)."""
    all_ = len(weights) + _SMALL_OFFER
    having = {term.stem: sum(own[term.stem] > 0 for own in weights.values()) for term in terms}
    return {stem: math.log(1 + (all_ - n + 0.5) / (n + 0.5)) for stem, n in having.items()}


def _phrases(own: _Fields, pairs: Sequence[tuple[str, str]], rarity: Mapping[str, float]) -> float:
    """Return what the neighbours that a candidate has in common with the question are worth."""

    def worth(words: Sequence[str]) -> float:
        there = set(pairwise(words))
        return sum(min(rarity[first], rarity[second]) for first, second in pairs if (first, second) in there)

    return _PHRASE_IN_TITLE * worth(own.title) + _PHRASE_IN_SUMMARY * worth(own.summary)


def _refs_above(ref: str) -> list[str]:
    parts = ref.split(".")
    return [".".join(parts[:n]) for n in range(1, len(parts))]


def _in_range(mention: NumberMention, group: str | None) -> bool:
    """Whether the last part of the number named lies in a group's range of positions, "12-40".

    Positions are not numbers, but where parts are numbered one by one they are near.
    """
    ends = re.fullmatch(r"(\d+)-(\d+)", group or "")
    last = re.search(r"(?<!\d)\d{1,9}$", mention.number)  # no document has more sections
    return ends is not None and last is not None and int(ends[1]) <= int(last[0]) <= int(ends[2])


def _dilution(length: int, average: float, strength: float) -> float:
    return 1 - strength + strength * length / average


def _average(lengths: Sequence[int]) -> float:
    """Return the average of fields that are there."""
    there = [length for length in lengths if length]
    return sum(there) / len(there) if there else 1.0
