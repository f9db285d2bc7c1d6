"""What reads like a title and not like a sentence."""

from __future__ import annotations

import re

__all__ = ["continues", "is_title", "run_in_title", "without_page"]

_LONGEST = 240
_MOST_WORDS = 30
_SHORT_WORDS = 8
_PAGE = re.compile(r"(?:\s*(?:\.{3,}|(?:\.\s){3,}\.?|…+|·{3,})\s*|[ \t]{3,}|\t)(?:\d{1,4}|[ivxlc]+)?$")
_CJK_SENTENCE = re.compile(r"[，。；：]")
_LONGEST_LEADER = 60
_INNER_STOP = re.compile(r"\w{3,}\.(?:\s+[A-Z“\"(]|\s?(?:[—–]|--))")
_VERB = re.compile(
    r"\b(?:shall|is|are|was|were|be|been|has|have|had|may|must|will|can|means|mean|includes?|appl(?:y|ies)|provides?|"
    r"requires?|does|do|should|contains?|describes?|defines?|ist|sind|wird|werden|est|sont|peut|es|son)\b"
)
_STOP_AND_DASH = re.compile(r"(?P<title>[A-Z“\"][^.;:!?]{2,160})\.\s?(?:[—–]|--)\s*(?=\S)")
_RUN_IN = re.compile(r"(?P<title>[^.;:!?]{2,100}?)(?:\.(?:\s+|[—–-]+\s*)|\s?[—–]\s?|\.$|:\s)(?=\S|$)")
_ABBREVIATION = re.compile(r"\b(?:No|Nos|Art|Sec|St|Dr|Mr|Mrs|Inc|Ltd|Co|vs|cf|e\.g|i\.e|para|p|pp|Vol)$")
_SMALL = re.compile(r"(?:a|an|and|as|at|by|for|from|in|into|nor|of|on|or|per|the|to|under|upon|with|without)\b")
_FIRST = re.compile(r"[^\W_]|[\"“‘'«(\[/<§$.]")


def is_title(text: str, *, lower_case: bool = False, stopped_words: int = _SHORT_WORDS) -> bool:
    """Tell whether a line, or lines joined, may be a title.

    Args:
        text: With single blanks.
        lower_case: Whether it may begin with a small letter.
        stopped_words: How many words it may have if it ends with a full stop.
    """
    words = text.split()
    if not words or len(text) > _LONGEST or len(words) > _MOST_WORDS or not _FIRST.match(text):
        return False
    if not any(character.isalpha() for character in text) or (text[0].islower() and not lower_case):
        return False
    if text.endswith((",", ";", ":", "—", "–")) or _CJK_SENTENCE.search(text) or _INNER_STOP.search(text):
        return False
    if _VERB.fullmatch(words[-1]):
        return False
    return not text.endswith(".") or (len(words) <= stopped_words and not _VERB.search(text))


def without_page(line: str) -> str | None:
    """Return an entry of a table of contents without its page number; None if the line is none.

    The number stands behind dots, or far from the title; dots alone show an entry too.
    """
    match = _PAGE.search(line, max(len(line) - _LONGEST_LEADER, 0))
    return line[: match.start()].rstrip(" .…·\t") or None if match else None


def continues(text: str) -> bool:
    """Tell whether a line is the rest of a title that the line before began: short, and not a sentence."""
    return is_title(text, lower_case=True) and len(text.split()) <= _SHORT_WORDS + 2


def run_in_title(text: str) -> tuple[str, int] | None:
    """Return the title that a paragraph's first sentence is, and where the text behind it begins.

    "Limitation of Liability. The Supplier shall not ..." has one: a few words, all of the larger ones capitalised, or
    very few words without a verb; "The Congress shall assemble. ..." has none. A full stop and a dash, as in "Short
    title and extent.-- This Act ...", always end one.
    """
    if match := _STOP_AND_DASH.match(text):
        return " ".join(match["title"].split()), match.end()
    match = _RUN_IN.match(text)
    if match is None or _ABBREVIATION.search(match["title"]):
        return None
    title = " ".join(match["title"].split())
    words = title.split()
    if not words[0][0].isupper() or len(words) > _SHORT_WORDS + 2 or match.end() == len(text):
        return None
    large = [word for word in words[1:] if word[0].isalpha() and not _SMALL.fullmatch(word)]
    in_title_case = all(word[0].isupper() for word in large)
    if _VERB.search(title) or not (in_title_case or len(words) <= _SHORT_WORDS // 2):
        return None
    return title, match.end()
