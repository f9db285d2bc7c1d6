"""The table of contents that an EPUB carries."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tocwalk.ingest.archive import read_member
from tocwalk.ingest.epub.package import Package, local_name, parse_xml, resolve
from tocwalk.ingest.flow import collapse
from tocwalk.ingest.html.charset import decode_html
from tocwalk.ingest.html.elements import attribute, children
from tocwalk.ingest.html.page import parse_page

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from selectolax.lexbor import LexborNode

__all__ = ["Entry", "read_navigation"]

_ON_THE_WAY = {"navmap", "navpoint"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the table of contents that leads somewhere."""

    depth: int
    """1 for the top."""
    label: str
    path: str
    """The page it leads to."""
    fragment: str
    """The id in that page, "" for its beginning."""


def read_navigation(archive: zipfile.ZipFile, package: Package, *, name: str) -> list[Entry]:
    """Return the lines of the table of contents in their order; none if the book has none.

    The EPUB 3 navigation page counts before the EPUB 2 one. A line that leads where an earlier one of the same label
    leads is left out.

    Raises:
        IngestError: `parse_failed` if it is listed but not there, or damaged.
    """
    entries: list[Entry] = []
    if package.navigation is not None:
        entries = list(_from_page(archive, package.navigation, name))
    if not entries and package.ncx is not None:
        entries = list(_from_ncx(parse_xml(archive, package.ncx, name=name), package.ncx))
    seen: set[tuple[str, str, str]] = set()
    unique: list[Entry] = []
    for entry in entries:
        target = (entry.label, entry.path, entry.fragment)
        if entry.label and target not in seen:
            seen.add(target)
            unique.append(entry)
    return unique


def _from_page(archive: zipfile.ZipFile, path: str, name: str) -> Iterator[Entry]:
    markup, _ = decode_html(read_member(archive, path, name=name))
    page = parse_page(markup, name=name)
    contents = [nav for nav in page.css("nav") if "toc" in attribute(nav, "epub:type").split()]
    ahead: list[tuple[LexborNode, int]] = [(nav, 0) for nav in contents[:1]]
    while ahead:
        node, depth = ahead.pop()
        if node.tag == "a":
            target, fragment = resolve(path, attribute(node, "href"))
            yield Entry(depth=depth, label=collapse(node.text()).strip(), path=target, fragment=fragment)
        deeper = depth + (node.tag == "ol")
        ahead.extend((child, deeper) for child in reversed(children(node)))


def _from_ncx(root: Element, path: str) -> Iterator[Entry]:
    ahead: list[tuple[Element, int]] = [(root, 0)]
    while ahead:
        element, depth = ahead.pop()
        if local_name(element) == "navpoint":
            depth += 1
            yield from _entry(element, depth, path)
        ahead.extend((child, depth) for child in reversed(element) if local_name(child) in _ON_THE_WAY)


def _entry(point: Element, depth: int, path: str) -> Iterator[Entry]:
    parts = {local_name(child): child for child in point}
    if "navlabel" in parts and "content" in parts:
        target, fragment = resolve(path, parts["content"].get("src", ""))
        label = collapse("".join(parts["navlabel"].itertext())).strip()
        yield Entry(depth=depth, label=label, path=target, fragment=fragment)
