"""From extracted text and headings to a document's tree, in the same way for every format."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tocwalk.errors import HierarchyError
from tocwalk.ingest.extracted import Extracted, Heading, PageStart
from tocwalk.ingest.slugs import Slugs
from tocwalk.tree import Document, JsonScalar, Section, counted
from tocwalk.tree.page_breaks import PageBreak

__all__ = ["LONG_SECTION_TOKENS", "build_document"]

LONG_SECTION_TOKENS = 16_000
"""A section whose own text is longer than this gets a warning: it can only be returned whole."""

_WARNED_SECTIONS = 5
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def build_document(extracted: Extracted, *, document_id: str, source: str, sha256: str) -> Document:
    """Return the tree that the headings make of the text.

    The document itself is the root: text before the first heading is its own. Every heading is a section; gaps between
    levels are closed (a heading of level 3 below one of level 1 is at depth 2). NUL and lone surrogates, which no store
    can hold, become U+FFFD and are counted in a warning.

    Args:
        extracted: What a reader returned.
        document_id: The path below the indexed root, with "/" between its parts.
        source: Where the document came from.
        sha256: Of the file's bytes, in hexadecimal.

    Raises:
        HierarchyError: The headings overlap or are not in reading order.
    """
    clean, replaced = _storable_extracted(extracted)
    _check_headings(clean)
    sections = _Builder(clean, _storable(document_id)[0]).sections()
    warnings = [*clean.warnings, *_replaced_warning(replaced), *_structure_warnings(sections)]
    return Document(
        id=sections[0].id,
        title=sections[0].title,
        source=_storable(source)[0],
        media_type=clean.media_type,
        sha256=sha256,
        sections=sections,
        pages=clean.pages[-1].number if clean.pages else None,
        warnings=tuple(warnings),
        running_text=clean.running_text,
        metadata=clean.metadata,
    )


class _Builder:
    """Turns the headings of one document into its sections."""

    def __init__(self, extracted: Extracted, document_id: str) -> None:
        self._extracted = extracted
        self._document_id = document_id
        self._pages = _Pages(extracted.pages)

    def sections(self) -> tuple[Section, ...]:
        headings = self._extracted.headings
        starts = [heading.start for heading in headings] + [len(self._extracted.text)]
        sections = [self._root(starts[0])]
        path: list[tuple[int, Section, Slugs]] = [(0, sections[0], Slugs())]
        for heading, end in zip(headings, starts[1:], strict=True):
            while len(path) > 1 and path[-1][0] >= heading.level:
                path.pop()
            section = self._section(heading, end, path[-1][1], path[-1][2])
            path.append((heading.level, section, Slugs()))
            sections.append(section)
        return self._with_page_ends(sections)

    def _root(self, end: int) -> Section:
        title = _one_line(self._extracted.title or "") or _title_heading(self._extracted.headings)
        first = self._pages.at(0)
        return Section(
            id=self._document_id,
            parent=None,
            depth=0,
            title=title or self._document_id.rsplit("/", 1)[-1],
            text=self._extracted.text[:end],
            start=0,
            page_start=first.number if first else None,
            label_start=first.label if first else None,
            found_by="document",
            page_breaks=self._pages.breaks(0, end),
        )

    def _section(self, heading: Heading, end: int, parent: Section, slugs: Slugs) -> Section:
        title, number = _one_line(heading.title), _one_line(heading.number or "") or None
        page = self._pages.at(heading.start)
        return Section(
            id=f"{parent.id}/{slugs.take(f'{number} {title}' if number else title)}",
            parent=parent.id,
            depth=parent.depth + 1,
            title=title,
            number=number,
            text=self._extracted.text[heading.start : end],
            start=heading.start,
            heading=heading.end - heading.start,
            page_start=page.number if page else None,
            label_start=page.label if page else None,
            found_by=heading.found_by,
            metadata={"anchor": heading.anchor} if heading.anchor else {},
            page_breaks=self._pages.breaks(heading.start, end),
        )

    def _with_page_ends(self, sections: Sequence[Section]) -> tuple[Section, ...]:
        """Give each section the page of the last character, blanks aside, of its subtree."""
        if not self._extracted.pages:
            return tuple(sections)
        last_below: dict[str, int] = {}
        ended: list[Section] = []
        for section in reversed(sections):
            own = section.start + max(len(section.text.rstrip()) - 1, 0)
            last = max(own, last_below.get(section.id, 0))
            if section.parent is not None:
                last_below[section.parent] = max(last, last_below.get(section.parent, 0))
            page = self._pages.at(last) if section.parent is not None else self._extracted.pages[-1]
            ended.append(replace(section, page_end=page.number, label_end=page.label) if page else section)
        return tuple(reversed(ended))


class _Pages:
    """Finds the page on which an offset lies."""

    def __init__(self, pages: Sequence[PageStart]) -> None:
        self._pages = pages
        self._offsets = [page.offset for page in pages]

    def at(self, offset: int) -> PageStart | None:
        if not self._pages:
            return None
        return self._pages[max(bisect_right(self._offsets, offset) - 1, 0)]

    def breaks(self, start: int, end: int) -> tuple[PageBreak, ...]:
        """Return the pages that begin inside a range of the text, by their offsets in it."""
        inside = self._pages[bisect_right(self._offsets, start) : bisect_left(self._offsets, end)]
        return tuple(PageBreak(page.offset - start, page.number, page.label) for page in inside)


def _title_heading(headings: Sequence[Heading]) -> str:
    """Return the title of the only heading of the top level if it comes first, else ""."""
    top = min((heading.level for heading in headings), default=0)
    if headings and headings[0].level == top and sum(heading.level == top for heading in headings) == 1:
        return _one_line(headings[0].title)
    return ""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _check_headings(extracted: Extracted) -> None:
    behind = 0
    for heading in extracted.headings:
        if not behind <= heading.start <= heading.end <= len(extracted.text):
            raise HierarchyError(
                f"The heading {heading.title[:80]!r} spans {heading.start}-{heading.end}, but the one before ends at"
                f" {behind} and the text at {len(extracted.text)}: headings must be in reading order, without overlap."
            )
        behind = heading.end


def _storable(text: str) -> tuple[str, int]:
    return _UNSTORABLE.subn(_REPLACEMENT, text)


def _storable_extracted(extracted: Extracted) -> tuple[Extracted, int]:
    """Replace what cannot be stored, one character by one, so that offsets hold; count those of the text."""
    text, replaced = _storable(extracted.text)
    clean = replace(
        extracted,
        text=text,
        title=_storable(extracted.title)[0] if extracted.title else None,
        headings=tuple(_storable_heading(heading) for heading in extracted.headings),
        pages=tuple(replace(page, label=_storable(page.label)[0]) if page.label else page for page in extracted.pages),
        warnings=tuple(_storable(warning)[0] for warning in extracted.warnings),
        running_text=tuple(_storable(line)[0] for line in extracted.running_text),
        metadata=_storable_metadata(extracted.metadata),
    )
    return clean, replaced


def _storable_heading(heading: Heading) -> Heading:
    return replace(
        heading,
        title=_storable(heading.title)[0],
        number=_storable(heading.number)[0] if heading.number else None,
        anchor=_storable(heading.anchor)[0] if heading.anchor else None,
    )


def _storable_metadata(metadata: Mapping[str, JsonScalar]) -> dict[str, JsonScalar]:
    return {
        _storable(key)[0]: _storable(value)[0] if isinstance(value, str) else value for key, value in metadata.items()
    }


def _replaced_warning(replaced: int) -> list[str]:
    if not replaced:
        return []
    return [f"Replaced by U+FFFD, as what cannot be stored (NUL, lone surrogates): {counted(replaced, 'character')}."]


def _structure_warnings(sections: Sequence[Section]) -> list[str]:
    """Say beforehand where a tree is of little use: no headings at all, or long stretches without one."""
    sizes = [section.tokens for section in sections]
    if len(sections) == 1:
        size = counted(sizes[0], "token")
        return [f"No headings were found: the document is one section of {size}, which can only be returned whole."]
    long = [(section, size) for section, size in zip(sections, sizes, strict=True) if size > LONG_SECTION_TOKENS]
    warnings = [
        f"{_named(section)} has {size} tokens without a heading inside; it can only be returned whole."
        for section, size in long[:_WARNED_SECTIONS]
    ]
    if len(long) > _WARNED_SECTIONS:
        warnings.append(
            f"Longer than {LONG_SECTION_TOKENS} tokens: {counted(len(long) - _WARNED_SECTIONS, 'more section')}."
        )
    if 2 * (within := sum(size for _, size in long)) > sum(sizes):
        warnings.append(
            f"{within} of the document's {sum(sizes)} tokens are in such long sections: its table of contents leads to"
            " little of it, and walking it does not suit it."
        )
    return warnings


def _named(section: Section) -> str:
    return "The text before the first heading" if section.parent is None else f"Section {section.id!r}"
