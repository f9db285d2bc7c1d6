"""How much of pdfium's plain text of a file is in its sections or in the reported running headers and footers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pypdfium2

from tocwalk.ingest.pdf import extract

__all__ = ["kept_share"]

_LINE_END_HYPHENS = "\x02\xad\ufffe"
"""What pdfium writes for a hyphen at the end of a line, where the parts of a word are joined: no character of it."""


def kept_share(file: Path) -> tuple[int, int]:
    """Return how many characters pdfium reads, white space aside, and how many of these were kept.

    Pages are compared one by one, as multisets of characters in compatibility form (ligatures count as their
    letters). A running text counts on a page only if it is printed there.
    """
    extracted = extract(file.read_bytes(), name=file.name)
    running = sorted(map(_squeezed, extracted.running_text), key=len, reverse=True)
    starts = [page.offset for page in extracted.pages] + [len(extracted.text)]
    count = kept = 0
    with pypdfium2.PdfDocument(file) as pdf:
        for page, (start, end) in zip(pdf, pairwise(starts), strict=True):
            printed = _squeezed(page.get_textpage().get_text_range())
            missing = Counter(printed) - Counter(_squeezed(extracted.text[start:end]))
            missing -= _running_on(printed, running)
            count += len(printed)
            kept += len(printed) - missing.total()
    return count, kept


def _running_on(printed: str, running: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for text in running:
        if text in printed:
            printed = printed.replace(text, "", 1)
            found.update(text)
    return found


def _squeezed(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    return "".join(character for character in plain if not (character.isspace() or character in _LINE_END_HYPHENS))
