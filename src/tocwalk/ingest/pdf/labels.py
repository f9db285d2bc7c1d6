"""Numbers of headings as PDF files print them: also without a space behind them, and as small letters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from tocwalk.ingest.numbering import Label, roman_value, split_label, split_labels

__all__ = ["SMALL_LETTER", "SMALL_ROMAN", "caption_of", "is_caption", "label_of", "labels_of", "spaced"]

SMALL_LETTER, SMALL_ROMAN = "small-letter", "small-roman"
"""Kinds of the numbers "a." and "i.", which other formats do not number headings with."""

_GLUED = re.compile(r"^((?:\d{1,3}\.)+(?:\d{1,3}\.?)?|\d{1,3}(?:\.\d{1,3})+)(?=[^\W\d_]{2})")
_SMALL = re.compile(r"(?P<number>[a-z]|[ivx]{1,5})[.)]\s+(?=[A-Z0-9\"“])")
_CAPTION = re.compile(
    r"(?P<keyword>figure|fig\.|table|chart|exhibit|listing|graph|plate|photo|abbildung|abb\.|tabelle|tab\.|figura|tabla"
    r"|tableau|图|表)\s*(?P<number>[A-Z]?[-–.]?\d[\w.–-]*|(?-i:[A-Z])(?=[.:]|$))",
    re.IGNORECASE,
)
_BEFORE_CODE = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3})+)\.?\s+(?=[\\@])")


def is_caption(text: str) -> bool:
    """Say whether a text is the caption of a figure or table."""
    return _CAPTION.match(text) is not None


def caption_of(text: str) -> tuple[str, str] | None:
    """Return the word and the number of a caption: ("table", "4.1"); None where a text is none."""
    match = _CAPTION.match(text)
    return (match["keyword"].casefold(), match["number"].rstrip(".")) if match else None


def spaced(text: str) -> str:
    """Put a space between a number and a title that are printed without one: "1.1.Scope"."""
    return _GLUED.sub(r"\1 ", text)


@lru_cache(maxsize=1024)
def label_of(text: str) -> Label:
    """Take a heading apart into number and title; the same line is asked about several times in a row."""
    text = " ".join(spaced(text).split())
    label = split_label(text)
    return label if label.number else _other(text) or label


def labels_of(headings: Iterable[str]) -> list[Label]:
    """Take apart the headings of one document, in reading order, whose numbers make each other certain.

    "i." is a Roman numeral unless it follows "h.".
    """
    texts = [" ".join(spaced(heading).split()) for heading in headings]
    labels: list[Label] = []
    last_letter = 0
    for text, split in zip(texts, split_labels(texts), strict=True):
        label = split if split.number else _other(text) or split
        if label.number and label.kind in {SMALL_LETTER, SMALL_ROMAN}:
            place = ord(label.number) - ord("a") + 1 if len(label.number) == 1 else 0
            if place and (label.kind == SMALL_LETTER or place == last_letter + 1):
                label, last_letter = replace(label, kind=SMALL_LETTER, value=(place,)), place
        labels.append(label)
    return labels


def _other(text: str) -> Label | None:
    match = _SMALL.match(text)
    if match is not None:
        number = match["number"]
        value = roman_value(number)
        if value or len(number) == 1:  # "iix." is neither a Roman numeral nor a letter
            kind = SMALL_ROMAN if value else SMALL_LETTER
            title, value = text[match.end() :], value or ord(number) - 96
            return Label(number=number, title=title, kind=kind, value=(value,), separated=True)
    match = _BEFORE_CODE.match(text)
    if match is not None:
        parts = tuple(int(part) for part in match["number"].split("."))
        return Label(number=match["number"], title=text[match.end() :], kind="decimal", value=parts)
    return None
