"""Summaries without a model: a section's first sentence, and the terms that set it apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tocwalk.ingest.formats import MARKDOWN
from tocwalk.ingest.front_matter import front_matter_end
from tocwalk.ingest.key_terms import KeyTerms
from tocwalk.ingest.prose import language_of, paragraphs, sentences, without_markup
from tocwalk.tree import Document, Section

__all__ = ["lead_summaries"]

_LEAD_LENGTH = 240
_FEWEST_WORDS = 6
_FEWEST_CHARACTERS = 12
"""What six words are in a script without blanks between words."""
_LOOKED_AT = 6000
_LONGEST_BODY = 200_000
_TERMS = 5
_CHILDREN_LENGTH = 240
_CHILD_LENGTH = 60
_UNSEPARATED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def lead_summaries(document: Document) -> Document:
    """Return the document with a summary of each section.

    A section's summary is its first real sentence (six words or more, no heading, table or code; cut at 240 characters)
    and up to five key terms that are not yet said. That of a section with subsections is its sentence and their titles.
    The same document always gets the same summaries; the time taken grows with its length.
    """
    bodies = [without_markup(_SURROGATE.sub(" ", body)) for body in _bodies(document)]
    language = language_of(max(bodies, key=len, default=""))
    terms = KeyTerms(bodies)
    below = _titles_below(document.sections)
    summarised: list[Section] = []
    for position, (section, body) in enumerate(zip(document.sections, bodies, strict=True)):
        lead = _lead(section, body, language)
        titles = below.get(section.id)
        told = _children(titles) if titles else _terms(terms, position, said=f"{section.title} {lead}")
        summarised.append(replace(section, summary=" ".join(part for part in (lead, told) if part)))
    return replace(document, sections=tuple(summarised))


def _bodies(document: Document) -> Iterator[str]:
    for section in document.sections:
        body = section.body[:_LONGEST_BODY]
        if section.parent is None and document.media_type == MARKDOWN:
            body = body[front_matter_end(body) :]
        yield body


def _titles_below(sections: Iterable[Section]) -> dict[str, list[str]]:
    """Return the titles of each section's direct subsections by its id."""
    below: dict[str, list[str]] = {}
    for section in sections:
        if section.parent is not None:
            below.setdefault(section.parent, []).append(" ".join((section.title or section.number or "").split()))
    return below


def _lead(section: Section, body: str, language: str) -> str:
    """Return the first sentence that says something, else the first words there are."""
    echoes = {_fold(section.title), _fold(f"{section.number} {section.title}"), ""}
    begun = ""
    for paragraph in paragraphs(body[:_LOOKED_AT]):
        for sentence in sentences(paragraph, language=language):
            if _fold(sentence) in echoes:
                continue
            begun = f"{begun} {sentence}" if begun else sentence
            if _is_long_enough(begun) and not begun.endswith((":", "：")):
                return _clip(begun, _LEAD_LENGTH)
    return _clip(begun, _LEAD_LENGTH)


def _is_long_enough(text: str) -> bool:
    return len(text.split()) >= _FEWEST_WORDS or len(_UNSEPARATED.findall(text)) >= _FEWEST_CHARACTERS


def _terms(terms: KeyTerms, position: int, *, said: str) -> str:
    chosen = terms.of(position, said=said, most=_TERMS)
    return f"Terms: {', '.join(chosen)}." if chosen else ""


def _children(titles: Sequence[str]) -> str:
    listed = "; ".join(_clip(title, _CHILD_LENGTH) for title in titles if title)
    return _clip(f"Below: {listed}", _CHILDREN_LENGTH) if listed else ""


def _clip(text: str, length: int) -> str:
    """Cut at the last word that leaves room for "…"."""
    if len(text) <= length:
        return text
    head, _, _ = text[:length].rpartition(" ")
    return f"{(head or text[: length - 1]).rstrip(' ,;:')}…"


def _fold(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()
