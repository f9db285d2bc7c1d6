"""Reads for people: what is in a corpus, what a document's outline is, where a section stands."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher, get_close_matches
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, select

from tocwalk.errors import NotFoundError
from tocwalk.index.cleaning import clean_text
from tocwalk.index.reads import Snapshot, head_of, section_rows
from tocwalk.index.rows import DocumentRow, OutlineEntry
from tocwalk.index.schema import corpus, key_of, section, tree
from tocwalk.tree import SectionHead, tokens_of_bytes

__all__ = ["corpora", "document", "document_ids", "documents", "find", "no_document", "outline"]

_SUGGESTED = 3


def corpora(connection: Connection, tenant: str) -> list[str]:
    """Return the names of a tenant's corpora, sorted; those that have become empty too."""
    return sorted(connection.scalars(select(corpus.c.name).where(corpus.c.tenant == tenant)))


def documents(at: Snapshot) -> list[DocumentRow]:
    """Return the documents, ordered by the parts of their ids."""
    rows = at.connection.execute(select(tree).where(at.sees()))
    return sorted(map(_document_row, rows), key=lambda row: row.id.split("/"))


def document(at: Snapshot, document_id: str) -> DocumentRow:
    """Return one document.

    Raises:
        NotFoundError: There is none of this id; close ids are named.
    """
    return _document_row(_tree(at, document_id))


def document_ids(at: Snapshot) -> Sequence[str]:
    """Return the ids of all documents."""
    return at.connection.scalars(select(tree.c.document).where(at.sees())).all()


def outline(at: Snapshot, document_id: str) -> list[OutlineEntry]:
    """Return the sections of a document in reading order, the document itself first.

    Raises:
        NotFoundError: There is none of this id; close ids are named.
    """
    rows = section_rows(at, *_of_tree(_tree(at, document_id).id))
    ids = {row.key: row.id for row in rows}
    return [
        OutlineEntry(head=head_of(row), parent=ids.get(row.parent), start=row.start, end=row.start + row.length)
        for row in rows
    ]


def find(at: Snapshot, section_id: str) -> SectionHead:
    """Return the section, or document, with an id.

    Raises:
        NotFoundError: There is none of this id; close ids are named.
    """
    rows = section_rows(at, section.c.corpus == at.corpus, section.c.id == clean_text(section_id))
    if not rows:
        above = _document_above(at, section_id)
        raise NotFoundError(
            f"Corpus {at.name!r} has no section {section_id!r}. {_closest(section_id, _candidates(at, above))}"
            "A document's outline lists its sections.",
            command=shlex.join(["tocwalk", "outline", "--ids", above[1] if above else "DOC"]),
        )
    return head_of(rows[0])


def no_document(corpus_name: str, document_id: str, ids: Iterable[str]) -> NotFoundError:
    """Return the error for a document that is not among `ids`, naming those close to it."""
    return NotFoundError(
        f"Corpus {corpus_name!r} has no document {document_id!r}. {_closest(document_id, ids)}"
        "The list of documents has them all.",
        command="tocwalk documents",
    )


def _tree(at: Snapshot, document_id: str) -> Row[Any]:
    query = select(tree).where(at.sees(), tree.c.document == clean_text(document_id))
    row = at.connection.execute(query).one_or_none()
    if row is None:
        raise no_document(at.name, document_id, document_ids(at))
    return row


def _of_tree(tree_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions that a section is one of a tree: a range of keys."""
    return section.c.key >= key_of(tree_id, 0), section.c.key < key_of(tree_id + 1, 0)


def _document_row(row: Row[Any]) -> DocumentRow:
    return DocumentRow(
        id=row.document,
        title=row.title,
        source=row.source,
        media_type=row.media_type,
        sha256=row.sha256,
        pages=row.pages,
        sections=row.sections,
        tokens=tokens_of_bytes(row.text_bytes),
        metadata=json.loads(row.metadata),
        indexed_at=datetime.fromtimestamp(row.indexed_at, UTC),
        parser_version=row.parser_version,
        summaries=row.summaries,
        warnings=tuple(json.loads(row.warnings)),
    )


def _document_above(at: Snapshot, section_id: str) -> tuple[int, str] | None:
    """Return tree and id of the document that a section's id begins with, the longest such; None if there is none."""
    parts = clean_text(section_id).split("/")
    beginnings = ["/".join(parts[:count]) for count in range(1, min(len(parts), 100) + 1)]
    query = select(tree.c.id, tree.c.document).where(at.sees(), tree.c.document.in_(beginnings))
    known = [(row.id, row.document) for row in at.connection.execute(query)]
    return max(known, key=lambda one: len(one[1]), default=None)


def _candidates(at: Snapshot, above: tuple[int, str] | None) -> Sequence[str]:
    """Return the section ids of a document; of no document, the documents' ids."""
    if above is None:
        return document_ids(at)
    return at.connection.scalars(select(section.c.id).where(*_of_tree(above[0]))).all()


def _closest(wanted: str, ids: Iterable[str]) -> str:
    """Return "Close: ... " for the ids most like the wanted one, or "".

    Their last parts are compared first, so that a level left out is no hindrance, and then the whole of the few
    that are left.
    """
    by_last: dict[str, list[str]] = {}
    for one in ids:
        by_last.setdefault(one.rpartition("/")[2].casefold(), []).append(one)
    lasts = get_close_matches(wanted.rpartition("/")[2].casefold(), by_last, n=_SUGGESTED)
    likely = [one for last in lasts for one in by_last[last]]
    likely.sort(key=lambda one: SequenceMatcher(None, wanted, one).ratio(), reverse=True)
    return f"Close: {', '.join(map(repr, likely[:_SUGGESTED]))}. " if likely else ""
