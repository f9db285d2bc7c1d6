"""The parts of a Word file that hold its text."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from tocwalk.ingest.archive import check_xml, open_archive, read_member, refuse
from tocwalk.ingest.docx.strict import as_transitional
from tocwalk.ingest.docx.xml import Element, attribute, descend, find

if TYPE_CHECKING:
    from docx.opc.part import Part
    from docx.package import Package

__all__ = ["WordFile", "open_word_file"]

_RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_KINDS = ("styles", "numbering", "footnotes", "endnotes", "header", "footer")
_LOOKED_AT = 1024
_BEFORE_XML = b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"
"""Byte order marks and blanks; zeros for what has two bytes a character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordFile:
    """What a Word file holds, as elements."""

    body: Element
    styles: Element | None
    numbering: Element | None
    notes: Mapping[tuple[str, str], Element]
    """(`footnote` or `endnote`, id) -> the note."""
    margins: tuple[Element, ...]
    """Running headers and footers."""
    title: str | None
    """Of the file's properties."""
    metadata: Mapping[str, str]


def open_word_file(data: bytes, *, name: str) -> WordFile:
    """Return the parts of a .docx, .docm, .dotx or .dotm file, a strict one too.

    Raises:
        IngestError: `parse_failed` for a damaged file, `too_large` for one that would unpack to too much, `unsupported`
            for one with a document type, entities or a password.
    """
    _check(data, name)
    from docx.exceptions import PythonDocxError
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.exceptions import OpcError
    from docx.package import Package

    try:
        package = Package.open(io.BytesIO(as_transitional(data)))
        main = package.part_related_by(RELATIONSHIP_TYPE.OFFICE_DOCUMENT)
        parts = {kind: [_root(part) for part in _related(main, kind)] for kind in _KINDS}
        body = find(_root(main), "w:body")
        properties = dict(_properties(package))
    except (PythonDocxError, OpcError, KeyError, ValueError, AttributeError, SyntaxError) as error:
        refuse(
            name, f"is not a readable Word file ({error}); save it again as .docx", reason="parse_failed", cause=error
        )
    if body is None:
        refuse(name, "has no document inside; save it again as .docx", reason="parse_failed")
    return WordFile(
        body=body,
        styles=next(iter(parts["styles"]), None),
        numbering=next(iter(parts["numbering"]), None),
        notes={
            (kind, attribute(note, "id") or ""): note
            for kind in ("footnote", "endnote")
            for root in parts[f"{kind}s"]
            for note in descend(root, f"w:{kind}")
        },
        margins=(*parts["header"], *parts["footer"]),
        title=properties.pop("title", None),
        metadata=properties,
    )


def _check(data: bytes, name: str) -> None:
    """Look at all XML, whatever its name, before a library parses it; no type may be declared (ECMA-376, part 2, 9)."""
    archive = open_archive(data, name=name)
    for entry in archive.namelist():
        content = read_member(archive, entry, name=name)
        if content[:_LOOKED_AT].lstrip(_BEFORE_XML).startswith(b"<"):
            check_xml(content, entry, name=name, typed=False)


def _related(main: Part, kind: str) -> Iterator[Part]:
    for relationship in main.rels.values():
        if relationship.reltype == _RELATIONSHIP + kind and not relationship.is_external:
            yield relationship.target_part


def _root(part: Part) -> Element:
    from docx.opc.part import XmlPart
    from docx.oxml.parser import parse_xml

    root: object = part.element if isinstance(part, XmlPart) else parse_xml(part.blob)
    return cast(Element, root)


def _properties(package: Package) -> Iterator[tuple[str, str]]:
    """Yield what the file says about itself; without that part the library would make up defaults."""
    from docx.opc.constants import RELATIONSHIP_TYPE

    if all(relationship.reltype != RELATIONSHIP_TYPE.CORE_PROPERTIES for relationship in package.rels.values()):
        return
    properties = package.core_properties
    for key in ("title", "author", "subject", "keywords"):
        if text := str(getattr(properties, key)).strip():
            yield key, text
    for key in ("created", "modified"):
        moment: object = getattr(properties, key)
        if isinstance(moment, datetime):
            yield key, moment.isoformat()
