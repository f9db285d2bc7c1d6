"""Writes: each a function inside one write transaction."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, Row, Table, func, insert, select, update

from tocwalk.errors import DocumentConflictError, IndexStoreError
from tocwalk.index.batches import batches
from tocwalk.index.cleaning import check_corpus, clean_text
from tocwalk.index.filters import bounded, comparable
from tocwalk.index.measure import Extent, extents
from tocwalk.index.people import document_ids, no_document
from tocwalk.index.reads import find_corpus, no_corpus, snapshot
from tocwalk.index.rows import PutResult, PutStatus
from tocwalk.index.schema import corpus, document_metadata, first_number, key_of, section, section_text, tree
from tocwalk.tree import Document, JsonScalar, Section

__all__ = ["Incoming", "is_stored", "put_documents", "remove_document"]

_BATCH = 1000


@dataclass(frozen=True, slots=True)
class Incoming:
    """A document to be stored, cleaned and checked, and how it was made."""

    document: Document
    parser_version: str
    summaries: str


def put_documents(connection: Connection, tenant: str, name: str, incoming: Sequence[Incoming]) -> list[PutResult]:
    """Store documents as one new generation of a corpus, which is made if it is missing.

    Raises:
        DocumentConflictError: Another source has the id of one, or another document that of a section.
        IndexStoreError: What was written cannot be counted again.
    """
    corpus_id, newest = _corpus(connection, tenant, name)
    trees: list[int] = []
    statuses: list[PutStatus] = []
    for one in incoming:
        live = _live_tree(connection, corpus_id, one.document.id)
        if live is not None:
            _refuse_other_source(live, one.document)
            if _is_same(live, one):
                statuses.append("unchanged")
                continue
            _retire(connection, live.id, newest + 1)
        statuses.append("stored" if live is None else "replaced")
        trees.append(_write(connection, corpus_id, newest + 1, one))
    for tree_id in trees:
        _refuse_shared_ids(connection, tree_id)
    if trees:
        newest += 1
        _advance(connection, corpus_id, newest)
    return [
        PutResult(document=one.document.id, status=status, generation=newest)
        for one, status in zip(incoming, statuses, strict=True)
    ]


def remove_document(connection: Connection, tenant: str, name: str, document_id: str) -> int:
    """Retire a document and return the new generation of its corpus.

    Raises:
        NotFoundError: There is no such corpus or document; close ids are named.
    """
    row = find_corpus(connection, tenant, name, lock=True)
    if row is None:
        raise no_corpus(connection, tenant, name)
    live = _live_tree(connection, row.id, document_id)
    if live is None:
        raise no_document(name, document_id, document_ids(snapshot(connection, tenant, name)))
    generation: int = row.generation + 1
    _retire(connection, live.id, generation)
    _advance(connection, row.id, generation)
    return generation


def is_stored(connection: Connection, tenant: str, name: str, document_id: str, made: Mapping[str, str]) -> bool:
    """Return whether the live version of a document has these values of `tree`'s columns."""
    row = find_corpus(connection, tenant, name)
    live = None if row is None else _live_tree(connection, row.id, document_id)
    return live is not None and all(getattr(live, column) == clean_text(value) for column, value in made.items())


def _corpus(connection: Connection, tenant: str, name: str) -> tuple[int, int]:
    """Return a corpus's number and newest generation; one that is missing is made, empty."""
    row = find_corpus(connection, tenant, name, lock=True)
    if row is not None:
        return row.id, row.generation
    check_corpus(name)
    empty = first_number()
    return _insert(connection, corpus, {"tenant": tenant, "name": name, "generation": empty, "oldest": empty}), empty


def _insert(connection: Connection, table: Table, row: Mapping[str, Any]) -> int:
    """Insert one row and return the number that the database gave it."""
    made = connection.execute(insert(table).values(row))
    return cast("tuple[int]", made.inserted_primary_key)[0]


def _advance(connection: Connection, corpus_id: int, generation: int) -> None:
    connection.execute(update(corpus).where(corpus.c.id == corpus_id).values(generation=generation))


def _live_tree(connection: Connection, corpus_id: int, document_id: str) -> Row[Any] | None:
    query = select(tree).where(tree.c.corpus == corpus_id, tree.c.document == clean_text(document_id))
    return connection.execute(query.where(tree.c.retired_in.is_(None))).one_or_none()


def _retire(connection: Connection, tree_id: int, generation: int) -> None:
    connection.execute(update(tree).where(tree.c.id == tree_id).values(retired_in=generation, retired_at=time.time()))


def _refuse_other_source(live: Row[Any], document: Document) -> None:
    if live.source != document.source:
        raise DocumentConflictError(
            f"The id {document.id!r} belongs to {live.source!r}; {document.source!r} cannot be stored under it too."
            f" Remove the other with `tocwalk remove {document.id}`, or store this one in another corpus or under"
            " another id: a file's is its path below the folder that is indexed, so that a folder above both tells them"
            " apart."
        )


def _is_same(live: Row[Any], one: Incoming) -> bool:
    document = one.document
    return (live.sha256, live.parser_version, live.summaries, live.title, live.metadata) == (
        document.sha256,
        one.parser_version,
        one.summaries,
        document.title,
        _json(document.metadata),
    )


def _write(connection: Connection, corpus_id: int, generation: int, one: Incoming) -> int:
    """Write a tree and return its id; every row that went in is counted again."""
    document = one.document
    sized = extents(document.sections)
    tree_id = _insert(connection, tree, _tree_row(corpus_id, generation, one, sized[0].subtree_bytes))
    for entries in batches(document.metadata.items(), _BATCH):
        rows = [{"key": bounded(key), "value": comparable(value)} for key, value in entries]
        connection.execute(insert(document_metadata).values(corpus=corpus_id, tree=tree_id), rows)
    for positions in batches(range(len(sized)), _BATCH):
        rows = [_section_row(corpus_id, tree_id, at, document.sections[at], sized[at]) for at in positions]
        connection.execute(insert(section), rows)
        texts = [{"key": key_of(tree_id, at), "text": document.sections[at].text} for at in positions]
        connection.execute(insert(section_text), texts)
    _verify_counts(connection, tree_id, document)
    return tree_id


def _tree_row(corpus_id: int, generation: int, one: Incoming, text_bytes: int) -> dict[str, Any]:
    document = one.document
    return {
        "corpus": corpus_id,
        "document": document.id,
        "created_in": generation,
        "indexed_at": time.time(),
        "title": document.title,
        "source": document.source,
        "media_type": document.media_type,
        "sha256": document.sha256,
        "parser_version": one.parser_version,
        "summaries": one.summaries,
        "pages": document.pages,
        "warnings": json.dumps(document.warnings),
        "metadata": _json(document.metadata),
        "sections": len(document.sections),
        "text_bytes": text_bytes,
    }


def _section_row(corpus_id: int, tree_id: int, position: int, one: Section, extent: Extent) -> dict[str, Any]:
    return {
        "key": key_of(tree_id, position),
        "end_key": key_of(tree_id, extent.end),
        "parent": None if extent.parent is None else key_of(tree_id, extent.parent),
        "tree": tree_id,
        "corpus": corpus_id,
        "id": one.id,
        "depth": one.depth,
        "number": one.number,
        "title": one.title,
        "summary": one.summary,
        "page_start": one.page_start,
        "page_end": one.page_end,
        "label_start": one.label_start,
        "label_end": one.label_end,
        "start": one.start,
        "length": len(one.text),
        "children": extent.children,
        "levels": extent.levels,
        "has_body": not _is_blank(one),
        "text_bytes": extent.text_bytes,
        "subtree_bytes": extent.subtree_bytes,
        "metadata": _json(one.metadata) if one.metadata else None,
        "page_breaks": json.dumps(one.page_breaks) if one.page_breaks else None,
    }


def _verify_counts(connection: Connection, tree_id: int, document: Document) -> None:
    for table in (section, section_text):
        within = (table.c.key >= key_of(tree_id, 0), table.c.key < key_of(tree_id + 1, 0))
        count = connection.scalar(select(func.count()).select_from(table).where(*within))
        if count != len(document.sections):
            raise IndexStoreError(
                f"Document {document.id!r} has {len(document.sections)} sections, but {count} rows of"
                f" {table.name!r} went in. Nothing was changed; check the disk and index it again."
            )


def _refuse_shared_ids(connection: Connection, tree_id: int) -> None:
    """Raise if a section of a tree has the id of a section of another live document of the corpus."""
    mine, other = section.alias("mine"), section.alias("other")
    same = (other.c.corpus == mine.c.corpus) & (other.c.id == mine.c.id) & (other.c.tree != mine.c.tree)
    joined = mine.join(other, same).join(tree, tree.c.id == other.c.tree)
    query = select(mine.c.id, tree.c.document, tree.c.source).select_from(joined)
    within = (mine.c.key >= key_of(tree_id, 0), mine.c.key < key_of(tree_id + 1, 0))
    shared = connection.execute(query.where(*within, tree.c.retired_in.is_(None)).limit(1)).one_or_none()
    if shared is not None:
        raise DocumentConflictError(
            f"The section id {shared.id!r} belongs to the document {shared.document!r} (from {shared.source!r}). Ids of"
            " sections must differ within a corpus: give this document another id, or put it into another corpus."
        )


def _is_blank(one: Section) -> bool:
    return not one.text[one.heading :].strip()


def _json(values: Mapping[str, JsonScalar]) -> str:
    return json.dumps(dict(values), sort_keys=True)
