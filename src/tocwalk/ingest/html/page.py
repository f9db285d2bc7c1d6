"""HTML pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tocwalk.ingest.extracted import Extracted, Heading
from tocwalk.ingest.flow import collapse
from tocwalk.ingest.formats import HTML
from tocwalk.ingest.html.charset import decode_html
from tocwalk.ingest.html.elements import attribute
from tocwalk.ingest.html.limits import check_markup
from tocwalk.ingest.html.text import PageReader
from tocwalk.ingest.html.xhtml import as_html
from tocwalk.ingest.numbering import split_labels
from tocwalk.ingest.unmarked import with_unmarked_headings

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from tocwalk.tree import JsonScalar

__all__ = ["extract", "numbered", "parse_page"]

_METADATA = {
    "author": "author",
    "dcterms.creator": "author",
    "date": "date",
    "dcterms.date": "date",
    "keywords": "keywords",
}


def extract(data: bytes, *, name: str) -> Extracted:
    """Return the text of an HTML page as a person reads it, and its headings.

    Headings are `<h1>` to `<h6>` and `role="heading"`, wherever they stand; in a page that has at most one of them also
    what a reader of plain text takes for headings. Blocks stand on lines of their own, tables with data as Markdown,
    preformatted text as it is. Scripts, styles, navigation and what is hidden are left out. The id that a heading has,
    contains or stands behind is its anchor.

    Raises:
        IngestError: `too_large` if elements are nested too deep, or have too many attributes.
    """
    markup, warnings = decode_html(data)
    page = parse_page(markup, name=name)
    reader = PageReader()
    if page.root is not None:
        reader.read(page.root)
    text = reader.flow.text()
    headings = with_unmarked_headings(text, numbered(reader.headings), name=name, verbatim=reader.verbatim)
    return Extracted(
        text=text,
        headings=headings,
        media_type=HTML,
        title=_title(page, headings),
        warnings=tuple(warnings),
        metadata=_metadata(page),
    )


def parse_page(markup: str, *, name: str) -> LexborHTMLParser:
    """Return the elements of a page, HTML or XHTML.

    Raises:
        IngestError: `too_large` if elements are nested too deep, or have too many attributes.
    """
    from selectolax.lexbor import LexborHTMLParser

    markup = as_html(markup)
    check_markup(markup, name=name)
    return LexborHTMLParser(markup)


def numbered(headings: Sequence[Heading]) -> tuple[Heading, ...]:
    """Return headings with the numbers taken off their titles."""
    labels = split_labels(heading.title for heading in headings)
    return tuple(
        replace(heading, title=label.title, number=label.number)
        for heading, label in zip(headings, labels, strict=True)
    )


def _title(page: LexborHTMLParser, headings: Sequence[Heading]) -> str | None:
    """Return the only heading of the top level; a page's `<title>` mostly names the site too."""
    top = [heading for heading in headings if heading.level == 1]
    if len(top) == 1:
        return top[0].title or top[0].number
    title = page.css_first("head > title")
    return collapse(title.text()).strip() or None if title is not None else None


def _metadata(page: LexborHTMLParser) -> dict[str, JsonScalar]:
    metadata: dict[str, JsonScalar] = {}
    language = attribute(page.root, "lang") if page.root is not None else ""
    if language:
        metadata["language"] = language
    for meta in page.css("head > meta[name][content]"):
        key = _METADATA.get(attribute(meta, "name").lower())
        if key is not None:
            metadata.setdefault(key, attribute(meta, "content"))
    return metadata
