"""EPUB books."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field

from tocwalk.ingest.archive import open_archive, read_member, refuse
from tocwalk.ingest.epub.contents import Target, with_contents
from tocwalk.ingest.epub.navigation import Entry, read_navigation
from tocwalk.ingest.epub.package import Package, open_package
from tocwalk.ingest.extracted import Extracted
from tocwalk.ingest.formats import EPUB
from tocwalk.ingest.html.charset import decode_html
from tocwalk.ingest.html.page import numbered, parse_page
from tocwalk.ingest.html.text import PageReader
from tocwalk.ingest.unmarked import with_unmarked_headings

__all__ = ["extract"]


def extract(data: bytes, *, name: str) -> Extracted:
    """Return the text of an EPUB, its pages in reading order, and its headings.

    Pages are read as HTML is. Levels are those of the book's own table of contents, which also gives the titles that no
    page marks as headings.

    Raises:
        IngestError: `parse_failed` for a damaged book, `unsupported` for an encrypted one, `too_large` for one that
            would unpack to too much.
    """
    archive = open_archive(data, name=name)
    package = open_package(archive, name=name)
    pages = _read_pages(archive, package, name)
    text = pages.reader.flow.text()
    targets = [target for entry in read_navigation(archive, package, name=name) for target in pages.targets(entry)]
    headings = with_contents(text, pages.reader.headings, sorted(targets, key=lambda target: target.offset))
    return Extracted(
        text=text,
        headings=with_unmarked_headings(text, numbered(headings), name=name),
        media_type=EPUB,
        title=package.title,
        warnings=tuple(pages.warnings),
        metadata=package.metadata,
    )


@dataclass(slots=True)
class _Pages:
    """The pages of a book as they were read."""

    reader: PageReader = field(default_factory=PageReader)
    starts: dict[str, int] = field(default_factory=dict[str, int])
    """Path -> where the page begins in the text."""
    anchors: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    """Path -> id -> where it stands in the text."""
    warnings: list[str] = field(default_factory=list[str])

    def targets(self, entry: Entry) -> list[Target]:
        """Return the place that a line of the table of contents leads to; none if it is not in the book."""
        if entry.path not in self.starts:
            return []
        offset = self.anchors[entry.path].get(entry.fragment, self.starts[entry.path])
        return [Target(offset=offset, depth=entry.depth, label=entry.label)]


def _read_pages(archive: zipfile.ZipFile, package: Package, name: str) -> _Pages:
    pages = _Pages()
    present = set(archive.namelist())
    for path in dict.fromkeys(package.spine):
        if path not in present:
            pages.warnings.append(f"The book lists a page {path!r} that is not in it.")
            continue
        markup, warnings = decode_html(read_member(archive, path, name=name))
        pages.warnings.extend(f"{path}: {warning}" for warning in warnings)
        _read_page(pages, path, markup, name)
    if not pages.starts:
        refuse(name, "has none of the pages it lists", reason="parse_failed")
    return pages


def _read_page(pages: _Pages, path: str, markup: str, name: str) -> None:
    page = parse_page(markup, name=f"{name}/{path}")
    pages.starts[path] = pages.reader.flow.next_offset()
    if page.root is not None:
        pages.reader.read(page.root)
    pages.anchors[path] = pages.reader.flow.forget_anchors()
