"""What goes between a process that parses and its parent.

Each message is its length in eight bytes, the most significant first, and so many bytes: a request is a JSON object; a
reply is one byte that tells what follows and then JSON. Nothing but values can be in it, so a parser that a hostile
file has taken over cannot make its parent run anything.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from tocwalk.tree import Document, Section
from tocwalk.tree.page_breaks import PageBreak

__all__ = ["DOCUMENT", "ERROR", "LENGTH_BYTES", "OUT_OF_MEMORY", "document_from_json", "document_to_json"]

LENGTH_BYTES = 8
DOCUMENT, ERROR = b"D", b"E"
"""First byte of a reply, and what the rest is: a document, or an object of `reason` and `message`."""
OUT_OF_MEMORY = 3
"""Exit code: what is left after running out of memory is not trusted with another document."""

_SECTION_FIELDS = tuple(field.name for field in fields(Section))
_DOCUMENT_FIELDS = tuple(field.name for field in fields(Document) if field.name != "sections")
_TUPLES = ("warnings", "running_text")


def document_to_json(document: Document) -> bytes:
    """Return the document as UTF-8 JSON."""
    value: dict[str, Any] = {name: getattr(document, name) for name in _DOCUMENT_FIELDS}
    value["metadata"] = dict(document.metadata)
    value["sections"] = [_section(section) for section in document.sections]
    return json.dumps(value, ensure_ascii=False).encode()


def document_from_json(data: bytes) -> Document:
    """Return the document that `document_to_json` wrote.

    Raises:
        ValueError: It is not JSON of that form, or its sections do not form a tree.
    """
    try:
        value = json.loads(data)
        value |= {name: tuple(value[name]) for name in _TUPLES}
        document = Document(**value | {"sections": tuple(map(_section_of, value["sections"]))})
    except (TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"This is not a document: {error}") from error
    document.check()
    return document


def _section_of(value: dict[str, Any]) -> Section:
    value["page_breaks"] = tuple(PageBreak(*row) for row in value["page_breaks"])
    return Section(**value)


def _section(section: Section) -> dict[str, Any]:
    value: dict[str, Any] = {name: getattr(section, name) for name in _SECTION_FIELDS}
    value["metadata"] = dict(section.metadata)
    return value
