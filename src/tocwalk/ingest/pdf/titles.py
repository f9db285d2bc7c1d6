"""The title of a document, and of headings that two sources name differently."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tocwalk.ingest.pdf.assemble import Words, title_of
from tocwalk.ingest.pdf.labels import label_of
from tocwalk.ingest.pdf.match import squeezed
from tocwalk.ingest.pdf.model import Line

__all__ = ["best_text", "document_title"]

_FIRST_PAGES = 3
_LARGE = 1.3
"""Times the size of the body: how large a title on a first page must be."""
_LONGEST = 250
_JUNK = re.compile(
    r"untitled.*|(?:microsoft )?(?:word|powerpoint|excel)\b.*"
    r"|.*\.(?:docx?|pdf|indd|tex|dvi|qxd|fm|rtf|xlsx?|pptx?|odt|html?)"
    r"|print(?:ing)?\b.*|full page.*|document\d*|title|[\W\d_]*",
    re.IGNORECASE,
)
"""What programs write into a file's properties when nobody gave a title."""


def best_text(printed: str, given: str) -> str:
    """Return number and title of a heading that is printed one way and named another way by a bookmark or contents.

    The name is kept where only its spelling differs: print may be kerned or in capitals. A number that only one of the
    two has is taken from that one.
    """
    label, named = label_of(printed), label_of(given)
    if squeezed(printed) == squeezed(given):
        return printed if label.number and not named.number else given
    if label.number and label.title and squeezed(label.title) == squeezed(named.title):
        separator = printed.strip()[len(label.number) :][:1]
        return f"{label.number}{separator if separator in {'.', ':', ')'} else ''} {named.title}"
    return printed if squeezed(given) in squeezed(printed) else given


def document_title(given: str | None, lines: Sequence[Line], size: float, words: Words) -> str | None:
    """Return the title of a document: from the file's properties if the first pages show it, else as printed there.

    Args:
        given: From the file's properties.
        lines: All lines.
        size: Of the body, in points.
        words: The document's words.
    """
    first = lines[0].page if lines else 0
    opening = [line for line in lines if line.page < first + _FIRST_PAGES]
    if given and squeezed(given) and squeezed(given) in squeezed(" ".join(line.text for line in opening)):
        return given
    printed = _printed([line for line in opening if line.page == first and line.kind == "text"], size, words)
    return printed or (given if given and not _JUNK.fullmatch(given.strip()) else None)


def _printed(page: Sequence[Line], size: float, words: Words) -> str | None:
    largest = max((line.style.size for line in page), default=0.0)
    if largest < _LARGE * size:
        return None
    start = next(index for index, line in enumerate(page) if line.style.size == largest)
    end = start
    while end < len(page) and page[end].style.size == largest:
        end += 1
    title = title_of(page[start:end], words)
    return title if len(title) <= _LONGEST and sum(character.isalpha() for character in title) > 2 else None  # noqa: PLR2004
