"""reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Protocol, cast

from tocwalk.errors import IngestError
from tocwalk.ingest.encoding import decode
from tocwalk.ingest.extracted import Extracted, Heading
from tocwalk.ingest.formats import RST
from tocwalk.ingest.numbering import split_labels
from tocwalk.tree import JsonScalar, counted

__all__ = ["extract"]

_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "report_level": 5,
    "halt_level": 6,
    "warning_stream": False,
}
"""No other file is read, no configuration of this machine counts, titles stay in the tree, nothing is printed."""

_INCLUDE = re.compile(r"^[ \t]*\.\. include::", re.MULTILINE)
_ADORNMENT = re.compile(r"\s*([!-/:-@\[-`{-~])\1*\s*")
_ROLE = re.compile(r":[\w:+.-]+:`(?:~[^`<]*\.)?[!~]?([^`<]*?)\s*(?:<[^`>]*>)?`")
"""A role that docutils does not know; Sphinx prints only the last part of a name behind "~"."""
_SKIPPED_TITLE = "Inconsistent title style"


def extract(data: bytes, *, name: str) -> Extracted:
    """Return the text of a reStructuredText file, as it is, and its section titles.

    Titles of every style count, those that docutils refuses because they skip a level too. Inline markup is taken off
    them; what is inside directives is text. Nothing is included and nothing raw is run.

    Raises:
        IngestError: `parse_failed` if blocks are nested too deep.
    """
    text, warnings = decode(data)
    document = _parse(text, name)
    lines = _Lines(text)
    headings = list(_headings(sorted(_titles(document, lines), key=lambda title: title.underline), lines))
    included = len(_INCLUDE.findall(text))
    if included:
        warnings.append(f"The file includes others in {counted(included, 'line')}; they are not read.")
    labels = split_labels(heading.title for heading in headings)
    return Extracted(
        text=text,
        headings=tuple(
            heading if heading.number else replace(heading, title=label.title, number=label.number)
            for heading, label in zip(headings, labels, strict=True)
        ),
        media_type=RST,
        warnings=tuple(warnings),
        metadata=dict(_fields(document)),
    )


class _Node(Protocol):
    """What is used of a node of docutils' tree."""

    tagname: str
    parent: _Node | None
    line: int | None

    def __getitem__(self, attribute: str) -> list[str]: ...
    def __iter__(self) -> Iterator[_Node]: ...
    def astext(self) -> str: ...
    def findall(self) -> Iterator[_Node]: ...


def _parse(text: str, name: str) -> _Node:
    from docutils.core import publish_doctree  # type: ignore[import-untyped]

    settings = _SETTINGS | {"line_length_limit": len(text) + 1}
    try:
        return cast(_Node, publish_doctree(text, settings_overrides=settings))
    except RecursionError as error:
        message = f"{name!r} has blocks nested too deep to be read; it is damaged, or made to be so."
        raise IngestError(message, reason="parse_failed") from error


class _Lines:
    """The lines of the text as docutils counts them."""

    def __init__(self, text: str) -> None:
        self._lines = re.sub("[\v\f]", " ", text).splitlines(keepends=True)
        self._starts = list(accumulate(map(len, self._lines), initial=0))

    def __getitem__(self, number: int) -> str:
        """Return a line, the first being 1, without the blanks around it; "" where there is none."""
        return self._lines[number - 1].strip() if 0 < number <= len(self._lines) else ""

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the offsets of lines `first` to `last`."""
        return self._starts[first - 1], self._starts[last]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Title:
    """A section's title as docutils has it."""

    underline: int
    """The line under it, the first being 1."""
    text: str
    level: int | None = None
    """None for a title that docutils refused."""
    number: str | None = None
    anchor: str | None = None


def _titles(document: _Node, lines: _Lines) -> Iterator[_Title]:
    """Yield the titles of sections, and those that docutils refused because they skip a level."""
    for node in document.findall():
        if node.tagname == "section" and node.line is not None:
            title = next(child for child in node if child.tagname == "title")
            generated = "".join(part.astext() for part in title if part.tagname == "generated")
            yield _Title(
                underline=node.line,
                text=title.astext().removeprefix(generated),
                level=_depth(node),
                number=generated.strip() or None,
                anchor=node["ids"][0],
            )
        elif node.tagname == "system_message" and _SKIPPED_TITLE in node.astext():
            source = next(child.astext().split("\n") for child in node if child.tagname == "literal_block")
            near = range(node.line or 0, (node.line or 0) + len(source) + 1)
            found = (at for at in near if lines[at] == source[-1].strip() and lines[at - 1] == source[-2].strip())
            yield from (_Title(underline=at, text=source[-2]) for at in islice(found, 1))


def _depth(section: _Node) -> int:
    depth, parent = 1, section.parent
    while parent is not None:
        depth += parent.tagname == "section"
        parent = parent.parent
    return depth


def _headings(titles: Sequence[_Title], lines: _Lines) -> Iterator[Heading]:
    """Yield the headings; a refused title has the level of its style, or is one below the title before it.

    Args:
        titles: In reading order.
        lines: The lines of the text.
    """
    levels: dict[str, int] = {}
    behind, before = 0, 0
    for title in titles:
        adornment, above = lines[title.underline], title.underline - 2
        overlined = above > behind and bool(_ADORNMENT.fullmatch(lines[above])) and lines[above][0] == adornment[0]
        style = adornment[0] * (1 + overlined)
        level = title.level or levels.get(style, before + 1)
        levels[style] = before = level
        behind = title.underline
        start, end = lines.span(title.underline - 1 - overlined, title.underline)
        plain = " ".join(_ROLE.sub(r"\1", title.text).split())
        yield Heading(start=start, end=end, level=level, title=plain, number=title.number, anchor=title.anchor)


def _fields(document: _Node) -> Iterator[tuple[str, JsonScalar]]:
    """Yield the fields at the beginning of the document: author, date, version."""
    for node in document.findall():
        if node.tagname == "field_list":
            for field in node:
                name, body = list(field)[:2]
                yield name.astext().strip().lower(), " ".join(body.astext().split())
            return
        if node.tagname == "paragraph":
            return
