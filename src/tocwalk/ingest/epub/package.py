"""What an EPUB says about itself: which files it is read in, in which order, its title and where its contents are."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag
from xml.etree import ElementTree as ET

from tocwalk.ingest.archive import check_xml, read_member, refuse

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from tocwalk.tree import JsonScalar

__all__ = ["Package", "local_name", "open_package", "parse_xml", "resolve"]

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"}
_METADATA = {"creator": "author", "date": "date", "language": "language", "publisher": "publisher"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """An EPUB's package document; paths are those inside the archive."""

    spine: tuple[str, ...]
    """The pages, in reading order; those outside the main flow (footnotes) stand where the book lists them."""
    navigation: str | None
    """The EPUB 3 navigation page."""
    ncx: str | None
    """The EPUB 2 table of contents."""
    title: str | None
    metadata: Mapping[str, JsonScalar]


def open_package(archive: zipfile.ZipFile, *, name: str) -> Package:
    """Return an EPUB's package document.

    Raises:
        IngestError: `parse_failed` if it is missing or damaged, `unsupported` if the book's pages are encrypted.
    """
    path = _package_path(archive, name)
    root = parse_xml(archive, path, name=name)
    items = {element.get("id", ""): element for element in _named(root, "item")}
    paths = {key: resolve(path, item.get("href", ""))[0] for key, item in items.items()}
    referenced = [element.get("idref", "") for element in _named(root, "itemref")]
    spine = tuple(paths[key] for key in referenced if key in items and items[key].get("media-type") in _PAGES)
    if not spine:
        refuse(name, f"lists no pages in {path!r}", reason="parse_failed")
    _check_encryption(archive, spine, name)
    ncx = next((element.get("toc", "") for element in _named(root, "spine")), "")
    ncx = ncx or next((key for key, item in items.items() if item.get("media-type") == "application/x-dtbncx+xml"), "")
    navigation = next((key for key, item in items.items() if "nav" in item.get("properties", "").split()), "")
    return Package(
        spine=spine,
        navigation=paths.get(navigation),
        ncx=paths.get(ncx),
        title=next(_texts(root, "title"), None),
        metadata={key: "; ".join(found) for tag, key in _METADATA.items() if (found := list(_texts(root, tag)))},
    )


def parse_xml(archive: zipfile.ZipFile, path: str, *, name: str) -> Element:
    """Return the root element of an XML entry.

    Raises:
        IngestError: As `read_member` and `check_xml`; `parse_failed` if the XML is not well-formed.
    """
    data = read_member(archive, path, name=name)
    check_xml(data, path, name=name, typed=True)
    try:
        return ET.fromstring(data)  # noqa: S314 - check_xml lets no entities through
    except (ET.ParseError, ValueError, LookupError) as error:
        refuse(name, f"has an unreadable {path!r} ({error})", reason="parse_failed", cause=error)


def resolve(base: str, href: str) -> tuple[str, str]:
    """Return the path and the fragment that a reference in the entry `base` leads to."""
    target, fragment = urldefrag(href)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(target))) if target else base
    return path, unquote(fragment)


def local_name(element: Element) -> str:
    """Return an element's name without its namespace, in lower case."""
    return element.tag.rpartition("}")[2].lower()


def _package_path(archive: zipfile.ZipFile, name: str) -> str:
    rootfiles = _named(parse_xml(archive, _CONTAINER, name=name), "rootfile")
    path = next((rootfile.get("full-path") for rootfile in rootfiles), None)
    if not path:
        refuse(name, f"names no package document in {_CONTAINER!r}", reason="parse_failed")
    return path


def _check_encryption(archive: zipfile.ZipFile, spine: tuple[str, ...], name: str) -> None:
    """Refuse books whose pages are encrypted; that fonts are, is common and does not matter."""
    if _ENCRYPTION not in archive.namelist():
        return
    references = _named(parse_xml(archive, _ENCRYPTION, name=name), "cipherreference")
    encrypted = {posixpath.normpath(unquote(element.get("URI", ""))) for element in references}
    if not encrypted.isdisjoint(spine):
        refuse(name, "is encrypted (digital rights management); index a copy without it", reason="unsupported")


def _named(root: Element, tag: str) -> Iterator[Element]:
    return (element for element in root.iter() if local_name(element) == tag)


def _texts(root: Element, tag: str) -> Iterator[str]:
    """Yield the texts of Dublin Core elements, which are the book's metadata."""
    for element in _named(root, tag):
        text = " ".join("".join(element.itertext()).split())
        if text and "purl.org/dc/" in element.tag:
            yield text
