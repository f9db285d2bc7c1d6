"""AsciiDoc: its section titles, found line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tocwalk.ingest.asciidoc.scan import Scan
from tocwalk.ingest.encoding import decode
from tocwalk.ingest.extracted import Extracted, Heading
from tocwalk.ingest.formats import ASCIIDOC
from tocwalk.ingest.front_matter import front_matter_end
from tocwalk.ingest.numbering import split_labels
from tocwalk.tree import counted

__all__ = ["extract"]

_INCLUDE = re.compile(r"^include::\S+\[", re.MULTILINE)


def extract(data: bytes, *, name: str) -> Extracted:  # noqa: ARG001 - every reader is handed the name
    """Return the text of an AsciiDoc file, as it is, and its section titles.

    Titles of one line (`== Title`, `## Title`) and of two lines count, discrete ones too; what is inside delimited
    blocks, paragraphs and comments is text. Inline markup is taken off titles and attributes are put in; an id becomes
    the anchor. Conditions are not decided: all their branches are in the text. Nothing is included.
    """
    text, warnings = decode(data)
    scan = Scan(text, front_matter_end(text))
    headings = _below_the_title(list(scan.headings()))
    included = len(_INCLUDE.findall(text))
    if included:
        warnings.append(f"The file includes others in {counted(included, 'line')}; they are not read.")
    labels = split_labels(heading.title for heading in headings)
    return Extracted(
        text=text,
        headings=tuple(
            replace(heading, title=label.title, number=label.number)
            for heading, label in zip(headings, labels, strict=True)
        ),
        media_type=ASCIIDOC,
        warnings=tuple(warnings),
        metadata=scan.metadata,
    )


def _below_the_title(headings: Sequence[Heading]) -> list[Heading]:
    """Put a book's parts, which have the rank of its title, below it."""
    if not headings or headings[0].level > 1:
        return list(headings)
    title, *others = headings
    deeper = any(heading.level == 1 for heading in others)
    return [title, *(replace(heading, level=heading.level + deeper) for heading in others)]
