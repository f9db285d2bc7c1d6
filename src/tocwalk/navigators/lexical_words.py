"""Words as the lexical navigator compares them: folded, without the words every question has, stemmed."""

from __future__ import annotations

import re
import threading
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import snowballstemmer

__all__ = ["NumberMention", "acronyms", "asks_for_definition", "initials", "label_of", "number_mentions", "stems"]

_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
# Scripts written without spaces: every two neighbouring signs are compared as a word.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_STOP_WORD_LIST = """
    a about after all also am an and any anybody anyone are as at be been before being between both but by can
    cannot could did do does doing during each else ever every exist exists explain for from get gets getting give
    given gives go goes going got had happen happens has have having he her here him his how i if in into is it its
    itself kind kinds know known knows let made make makes many may me mean meaning means meant might more most much
    must my need needs no nobody nor not of off on once one only or other our out over own per please same say says
    shall she should so some somebody someone something such take takes tell than that the their them then there
    these they thing things this those through to too under until up upon us use used want wants was way ways we
    were what when where whether which while who whom whose why will with within without would you your
"""
_STOP_WORDS = frozenset(_STOP_WORD_LIST.split())
_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")
_DEFINITION = re.compile(
    r"\bdefin(?:e|ed|es|ition)\b|\bmean(?:s|ing|t)?\b(?! of\b)"
    r"|^\s*what (?:is|are) (?:an? )?[\w-]+(?: [\w-]+)?\s*\?*\s*$"
)
_KEYWORD = (
    r"article|art|section|sect|sec|chapter|ch|clause|paragraph|para|part|appendix|annex|note|schedule|item|table|figure"
    r"|rule|requirement|title|book|exhibit|§"
)
_NUMBER = r"\d+[a-z]?(?:[.-]\d+[a-z]?)*|[a-z]{1,3}-\d+|[ivxlc]+|[a-z]"
_MENTION = re.compile(rf"(?<!\w)({_KEYWORD})s?\.?\s*({_NUMBER})(?![\w-])")
_BARE_MENTION = re.compile(r"(?<![\w.])(\d+(?:\.\d+)+|[a-z]{1,3}-\d+)(?![\w-])")
_LABEL = re.compile(rf"(?:(.*?)\s*)?[(\[]?\b({_NUMBER})[)\].:]*")
_SAME_AS = {"art": "article", "ch": "chapter"}
_SAY_NOTHING = {"section", "sect", "sec", "§", "clause", "paragraph", "para", "requirement"}  # "section 4.2" is "4.2"
_WITHOUT_KEYWORD = 0.4
_LONGEST_LABEL = 60

_stemmer: Any = snowballstemmer.stemmer("english")  # pyright: ignore[reportUnknownMemberType]
_stemming = threading.Lock()  # a stemmer holds the word it works on


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A part named by its number: "Article 17" is `("article", "17")`, "section 4.2" like "4.2" `("", "4.2")`."""

    keyword: str
    number: str

    def fits(self, label: NumberMention) -> float:
        """Return how surely this, said in a question, means the part labelled so: 1, or less without its keyword."""
        if self.number != label.number:
            return 0.0
        if self.keyword == label.keyword:
            return 1.0
        return _WITHOUT_KEYWORD if not self.keyword or not label.keyword else 0.0


def stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words of `text` that say something, in order.

    Stemmed as English, by Snowball; words of other languages still come out alike on both sides of a comparison.
    """
    return tuple(_stem(part) for part in _parts(text) if part not in _STOP_WORDS)


def acronyms(text: str, *, shortest: int) -> frozenset[str]:
    """Return the words of `text` in capitals, in lower case: "What does the GAO do?" has "gao"."""
    return frozenset(word.lower() for word in _ACRONYM.findall(text) if len(word) >= shortest)


def initials(text: str) -> str:
    """Return the first letters of the words that say something: "gao" for "Government Accountability Office"."""
    return "".join(part[0] for part in _parts(text) if part not in _STOP_WORDS)


def asks_for_definition(question: str) -> bool:
    """Whether a question asks what a word means."""
    return _DEFINITION.search(_fold(question)) is not None


def number_mentions(question: str) -> frozenset[NumberMention]:
    """Return the parts that a question names by number: behind a keyword, or with a dot or a dash in it."""
    folded = _fold(question)
    named = [NumberMention(_keyword(match[1]), match[2]) for match in _MENTION.finditer(folded)]
    known = {mention.number for mention in named}
    bare = [NumberMention("", number) for number in _BARE_MENTION.findall(folded) if number not in known]
    return frozenset(named + bare)


def label_of(number: str | None) -> NumberMention | None:
    """Return the printed number of a section as a question would name it; None where it has none."""
    match = _LABEL.fullmatch(_fold((number or "")[:_LONGEST_LABEL]).strip())
    return NumberMention(_keyword(match[1] or ""), match[2]) if match else None


def _fold(text: str) -> str:
    """Lower case, no accents, compatibility forms unified."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return decomposed if decomposed.isascii() else "".join(c for c in decomposed if not unicodedata.combining(c))


def _parts(text: str) -> list[str]:
    """Return the words of `text`; of one joined by hyphens its parts and the joined word."""
    found: list[str] = []
    for word in _WORD.findall(_fold(text)):
        plain = re.sub(r"['’]s?$|['’]", "", word)
        if _UNSPACED.search(plain):
            found += [plain[i : i + 2] for i in range(max(1, len(plain) - 1))]
        elif "-" in plain:
            found += [*plain.split("-"), plain.replace("-", "")]
        else:
            found.append(plain)
    return found


def _keyword(word: str) -> str:
    return "" if word in _SAY_NOTHING else _SAME_AS.get(word, word)


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    with _stemming:
        return str(_stemmer.stemWord(word))
