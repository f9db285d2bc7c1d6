"""The sentences of a section: its text without markup, headings, tables and code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

__all__ = ["language_of", "paragraphs", "segments", "sentences", "without_markup"]

_FENCE = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|</?[a-zA-Z][^<>]*>", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()\s]*\)")
_LINK = re.compile(r"\[\[?([^\[\]]+)\]?\](?:\([^()\s]*\)|\[[^\[\]]*\])")
_REFERENCE = re.compile(r"\{{2,3}[!?&-]?([^{}]*)\}{2,3}")
_ATTRIBUTES = re.compile(r"\{[:#.][^{}\n]*\}")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3})(?=\S)(.{1,200}?)(?<=\S)\1(?!\w)")
_CODE = re.compile(r"`{1,3}([^`\n]{1,300})`{1,3}")
_NO_PROSE = re.compile(r"^(?:[ \t]*\|.*|[\W_]*|--- \w.*|[ \t]*\.\. .*|.*(?: \.){4}.*|.*\.{5}.*)$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n\s*\n")
_MARKER = re.compile(r"(?:[-*+•–—>]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,5})[.)]|\(\w{1,4}\)|\d+(?:\.\d+)+\.?)(?:\s+|$)")

_COMMON_WORDS = {
    "en": "the of and to in is that for shall be",
    "de": "der die das und den nicht von zu mit ist",
    "fr": "le la les des et du une est que pour",
    "es": "el la los las de que y una por para",
    "it": "il la che di e della per una con non",
    "nl": "de het een en van dat niet is op te",
    "pt": "o os as de que e uma para não com",
    "pl": "nie się na jest do że to oraz lub przez",
    "ru": "и в не на что с по для от как",
    "sv": "och att det som en av för är med den",
}
_LOOKED_AT = 20_000
_WORDS = {language: set(words.split()) for language, words in _COMMON_WORDS.items()}


def without_markup(text: str) -> str:
    """Return text without code blocks, tables, tags, links' targets and emphasis; line breaks stay."""
    text = _ATTRIBUTES.sub("", _TAG.sub(" ", _FENCE.sub("\n", text)))
    text = _REFERENCE.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    return _NO_PROSE.sub("", _CODE.sub(r"\1", _EMPHASIS.sub(r"\2", text)))


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of text without markup, each on one line, without list marks and numbers."""
    for paragraph in _BLANK_LINES.split(text):
        line = " ".join(paragraph.split())
        while match := _MARKER.match(line):
            line = line[match.end() :]
        if line:
            yield line


def sentences(paragraph: str, *, language: str) -> list[str]:
    """Return the sentences of a paragraph."""
    return [stripped for sentence in segments(paragraph, language=language) if (stripped := sentence.strip())]


def segments(text: str, *, language: str) -> list[str]:
    """Return a text in pieces, one for each sentence or break between paragraphs, with the white space behind it."""
    import sentencex  # type: ignore[import-untyped]

    return cast("list[str]", sentencex.segment(language, text))  # pyright: ignore[reportAttributeAccessIssue,reportUnknownMemberType]


def language_of(text: str) -> str:
    """Return the language whose most common words are the most frequent in the text's beginning; English by default."""
    counts = dict.fromkeys(_WORDS, 0)
    for word in re.findall(r"\w+", text[:_LOOKED_AT].lower()):
        for language, common in _WORDS.items():
            counts[language] += word in common
    return max(counts, key=lambda language: counts[language])
