"""Markdown, as CommonMark reads it, with the extensions that hide or mark headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from tocwalk.ingest.encoding import decode
from tocwalk.ingest.extracted import Extracted, Heading
from tocwalk.ingest.formats import MARKDOWN
from tocwalk.ingest.front_matter import read_front_matter
from tocwalk.ingest.html_headings import html_headings
from tocwalk.ingest.markdown_rules import commonmark
from tocwalk.ingest.numbering import split_labels

if TYPE_CHECKING:
    from markdown_it.token import Token
    from markdown_it.utils import EnvType

__all__ = ["extract"]

_ATTRIBUTES = re.compile(r"\{(?P<list>:[^{}]*|[#.][^{}]*|[\w-]+=[^{}]*)\}$")
_ATTRIBUTE_LINE = re.compile(r" {0,3}\{(?P<list>:[^{}\n]*|#[^{}\n]*)\}[ \t]*(?:\n|$)")
_REFERENCE = re.compile(r"\{{2,3}[!?&-]?([^{}]*)\}{2,3}")
_ID_ATTRIBUTE = re.compile(r"#([^\s{}]+)")
_ID_TAG = re.compile(r"<[^<>]*?\b(?:id|name)\s*=\s*[\"']?([^\s\"'<>]+)", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MARKUP = re.compile(r"[\\`*_\[\]<>&!\n{]")
_LONGEST_PARSED = 10_000
"""Characters of a title whose inline markup is read; a longer one is nobody's title."""


def extract(data: bytes, *, name: str) -> Extracted:  # noqa: ARG001 - every reader is handed the name
    """Return the text of a Markdown file and its headings.

    The text is the file's, byte order mark and carriage returns apart. Headings are those of the document's top level:
    ATX, setext and HTML ones; those inside quotes, lists, code, math or comments are text. Attribute lists
    (`{#id .class}`, `{: #id}`) and inline markup are taken off the titles; an id becomes the anchor. A kramdown-rfc
    document (front matter that ends at "--- abstract") is read the same way.
    """
    text, warnings = decode(data)
    front_matter = read_front_matter(text)
    found = _Headings(text, front_matter.end).found()
    labels = split_labels(heading.title for heading in found)
    headings = tuple(
        replace(heading, title=label.title, number=label.number) for heading, label in zip(found, labels, strict=True)
    )
    return Extracted(
        text=text,
        headings=headings,
        media_type=MARKDOWN,
        title=front_matter.title,
        warnings=(*warnings, *front_matter.warnings),
        metadata=front_matter.metadata,
    )


class _Headings:
    """Finds the headings of one document."""

    def __init__(self, text: str, begin: int) -> None:
        self._text = text
        self._begin = begin
        lengths = (len(line) + 1 for line in text[begin:].split("\n"))
        self._lines = [min(offset, len(text)) for offset in accumulate(lengths, initial=begin)]
        self._parser = commonmark()
        self._env: EnvType = {}

    def found(self) -> list[Heading]:
        """Return the headings of the top level, numbers still in their titles."""
        tokens = self._parser.parse(self._text[self._begin :], self._env)
        headings: list[Heading] = []
        for token, following in pairwise([*tokens, None]):
            if token is None or token.level or token.map is None:
                continue
            if token.type == "html_block":
                headings.extend(html_headings(self._text, *self._span(token)))
            elif token.type == "heading_open" and following is not None:
                headings.extend(self._heading(token, following.content))
        return headings

    def _span(self, token: Token) -> tuple[int, int]:
        first, last = token.map or (0, 0)
        return self._lines[first], self._lines[last]

    def _heading(self, token: Token, content: str) -> Iterator[Heading]:
        start, end = self._span(token)
        attributes = _ATTRIBUTES.search(content)
        if attributes:
            content = _without_closing_hashes(content[: attributes.start()].rstrip())
        line = _ATTRIBUTE_LINE.match(self._text, end)
        identifiers = [match["list"] for match in (attributes, line) if match]
        title = self._plain(content)
        if title:
            yield Heading(
                start=start,
                end=line.end() if line else end,
                level=int(token.tag[1]),
                title=title,
                anchor=_anchor(identifiers, content),
            )

    def _plain(self, content: str) -> str:
        """Return a title without its inline markup."""
        if len(content) > _LONGEST_PARSED or not _MARKUP.search(content):
            return " ".join(content.split())
        tokens: list[Token] = []
        self._parser.inline.parse(content, self._parser, self._env, tokens)
        return " ".join(_REFERENCE.sub(r"\1", "".join(_visible(tokens))).split())


def _without_closing_hashes(title: str) -> str:
    """Take off the "##" that may close an ATX heading, which CommonMark does not see before an attribute list."""
    before = title.rstrip("#")
    return before.rstrip() if before[-1:].isspace() else title


def _visible(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "image":
            yield from _visible(token.children or ())
        elif token.type in {"softbreak", "hardbreak"} or _BREAK.match(token.content):
            yield " "
        elif token.type in {"text", "text_special", "code_inline"}:
            yield token.content


def _anchor(attribute_lists: Iterable[str], content: str) -> str | None:
    for attributes in attribute_lists:
        if match := _ID_ATTRIBUTE.search(attributes):
            return match[1]
    tag = _ID_TAG.search(content[:_LONGEST_PARSED])
    return tag[1] if tag else None
