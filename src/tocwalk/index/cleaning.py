"""What every database and every serialiser can keep, and what a walk can name.

NUL and lone surrogates become U+FFFD, one character for one, so that offsets stay true. What cannot be mended
without changing its meaning is refused.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping

from tocwalk.errors import HierarchyError, IndexStoreError, InputError
from tocwalk.index.schema import MAX_SECTIONS
from tocwalk.tree import Document, JsonScalar, Section

__all__ = ["check_corpus", "check_id", "clean_document", "clean_text"]

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_GROUP = re.compile(r"\[\d+-\d+\]$")
_LARGEST = 1 << 63
_MOST_PARTS = 100
_LONGEST_ID = 2000


def clean_text(text: str) -> str:
    """Return the text with U+FFFD for each NUL and each lone surrogate."""
    return _UNSTORABLE.sub("\ufffd", text)


def check_corpus(name: str) -> None:
    """Raise `InputError` unless a corpus can have this name."""
    if not name.strip() or clean_text(name) != name:
        raise InputError(f"{name!r} cannot be a corpus: its name must not be blank or hold NUL or lone surrogates.")


def clean_document(document: Document) -> Document:
    """Return the document as it can be stored.

    Raises:
        HierarchyError: Its sections do not form a tree, or an id cannot be one; that of a document may have
            2,000 characters, and 100 parts between "/": each but the last is a folder that walks go through.
        IndexStoreError: It has more than 2^20 sections, or metadata that cannot be kept.
    """
    if len(document.sections) > MAX_SECTIONS:
        raise IndexStoreError(
            f"Document {document.id!r} has {len(document.sections)} sections; an index takes at most {MAX_SECTIONS} of"
            " one document. Split it into several files."
        )
    cleaned = dataclasses.replace(
        document,
        id=clean_text(document.id),
        title=clean_text(document.title),
        source=clean_text(document.source),
        media_type=clean_text(document.media_type),
        sha256=clean_text(document.sha256),
        warnings=tuple(clean_text(warning) for warning in document.warnings),
        metadata=_clean_metadata(document.id, document.metadata),
        sections=tuple(_clean_section(section) for section in document.sections),
    )
    cleaned.check()
    if cleaned.sections[0].id != cleaned.id:
        raise HierarchyError(
            f"Document {cleaned.id!r} begins with a section of the id {cleaned.sections[0].id!r}; its first section is"
            " the document itself and must have its id."
        )
    for section in cleaned.sections:
        check_id(section.id)
    _check_size(cleaned.id)
    return cleaned


def check_id(section_id: str) -> None:
    """Raise unless a document or section may have this id.

    Raises:
        HierarchyError: It is blank, or looks like the name of a folder ("a/") or of a group ("a[1-9]").
    """
    if not section_id.strip():
        raise HierarchyError(f"{section_id!r} cannot be an id: it is blank. Give every section an id.")
    if section_id.endswith("/") or _GROUP.search(section_id):
        raise HierarchyError(
            f"{section_id!r} cannot be an id: folders are named with a '/' at the end, and groups of sections with a"
            " range like [1-9]. Give the section another id."
        )


def _check_size(document_id: str) -> None:
    parts = document_id.count("/") + 1
    if parts > _MOST_PARTS or len(document_id) > _LONGEST_ID:
        raise HierarchyError(
            f"{document_id[:80] + '...'!r} cannot be the id of a document: it has {len(document_id)} characters and"
            f" {parts} parts between '/'; up to {_LONGEST_ID} and {_MOST_PARTS} can be kept. Give it a shorter one, or"
            " index a folder nearer to it."
        )


def _clean_section(section: Section) -> Section:
    texts = (section.id, section.parent, section.title, section.number, section.text, section.summary)
    labels = (section.label_start, section.label_end)
    metadata = _clean_metadata(section.id, section.metadata) if section.metadata else section.metadata
    if metadata is section.metadata and not any(text and _UNSTORABLE.search(text) for text in texts + labels):
        return section
    return dataclasses.replace(
        section,
        id=clean_text(section.id),
        parent=_clean_optional(section.parent),
        title=clean_text(section.title),
        number=_clean_optional(section.number),
        text=clean_text(section.text),
        summary=clean_text(section.summary),
        label_start=_clean_optional(section.label_start),
        label_end=_clean_optional(section.label_end),
        metadata=metadata,
    )


def _clean_optional(text: str | None) -> str | None:
    return None if text is None else clean_text(text)


def _clean_metadata(owner: str, metadata: Mapping[str, JsonScalar]) -> dict[str, JsonScalar]:
    cleaned: dict[str, JsonScalar] = {}
    for key, value in metadata.items():
        if not isinstance(key, str) or not _is_storable(value):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise IndexStoreError(
                f"Metadata {key!r} of {owner!r} is {value!r}, which cannot be kept: keys must be strings, values"
                " strings, finite numbers (whole ones within 64 bits), booleans or None."
            )
        cleaned[clean_text(key)] = clean_text(value) if isinstance(value, str) else value
    return cleaned


def _is_storable(value: object) -> bool:
    if isinstance(value, int):
        return -_LARGEST <= value < _LARGEST
    return value is None or isinstance(value, str) or (isinstance(value, float) and math.isfinite(value))
