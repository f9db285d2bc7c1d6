"""What a section's summary is made from, and when no model is needed for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tocwalk.ingest.formats import MARKDOWN
from tocwalk.ingest.front_matter import front_matter_end
from tocwalk.ingest.prose import paragraphs, without_markup
from tocwalk.summarising.shortening import SUMMARY_LENGTH
from tocwalk.tree import Document, Section, one_line

__all__ = ["Material", "material_of", "summary_without_model"]


@dataclass(frozen=True, slots=True)
class Material:
    """A section as its summary is made from it.

    Its number, its pages and where it stands are no part of it: a section that only moves keeps its summary.
    """

    title: str
    body: str
    """Its own text without the heading."""
    below: tuple[tuple[str, str], ...] = ()
    """Title and summary of each section directly below, in reading order."""


def material_of(document: Document, section: Section, below: Sequence[tuple[Section, str]]) -> Material:
    """Return the material of a section.

    Args:
        document: Whose section it is.
        section: The section.
        below: Each section directly below it, with its summary.
    """
    body = section.body
    if section.parent is None and document.media_type == MARKDOWN:
        body = body[front_matter_end(body) :]
    return Material(_title(section), body.strip(), tuple((_title(child), summary) for child, summary in below))


def summary_without_model(material: Material) -> str | None:
    """Return the summary of a section that needs no model, or None.

    A short text is its own summary; nothing but one subsection is summarised like that; and no text has none.
    """
    if material.below:
        return material.below[0][1] if len(material.below) == 1 and not material.body else None
    if len(material.body) > 2 * SUMMARY_LENGTH:
        return None
    text = one_line(" ".join(paragraphs(without_markup(material.body))), 2 * SUMMARY_LENGTH)
    return text if len(text) <= SUMMARY_LENGTH and (text or not material.body) else None


def _title(section: Section) -> str:
    return " ".join((section.title or section.number or "").split())
