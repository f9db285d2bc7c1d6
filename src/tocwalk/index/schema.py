"""The tables of an index, the same on every database.

A tree is one stored version of a document. It is never changed: indexing a document again writes a new tree
and retires the old one. Every such change makes a new generation of the corpus, and a tree is seen by the
generations from `created_in` up to, but without, `retired_in`.

Generations and trees are numbered from a random start, since walks remember these numbers: in another index, one
made anew at the same place too, they must stand for nothing.

A section's key is its tree and its position in reading order in one number, so that a section with all below
it is one range of keys. Texts stand apart: walking down a table of contents never reads them.
"""

from __future__ import annotations

import secrets
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = [
    "MAX_SECTIONS",
    "SCHEMA_VERSION",
    "corpus",
    "document_metadata",
    "first_number",
    "key_of",
    "schema_version",
    "section",
    "section_text",
    "summary",
    "tables",
    "tree",
]

SCHEMA_VERSION: Final = 1
"""Goes up whenever an older tocwalk could no longer read what is written."""

MAX_SECTIONS: Final = 1 << 20
"""Sections of one document at most: the room for positions in a key."""

_FIRST_NUMBERS = 1 << 40  # tree ids have 43 bits: with those of a position, a key has 63

_ID = BigInteger().with_variant(Integer, "sqlite")

tables = MetaData()

schema_version = Table(
    "tocwalk_schema",
    tables,
    Column("version", Integer, primary_key=True, autoincrement=False),
)

corpus = Table(
    "corpus",
    tables,
    Column("id", _ID, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("generation", BigInteger, nullable=False),  # the newest
    Column("oldest", BigInteger, nullable=False),  # the smallest generation that can still be read
    UniqueConstraint("tenant", "name"),
)

tree = Table(
    "tree",
    tables,
    Column("id", _ID, primary_key=True),
    Column("corpus", _ID, ForeignKey("corpus.id"), nullable=False),
    Column("document", Text, nullable=False),
    Column("created_in", BigInteger, nullable=False),
    Column("retired_in", BigInteger),
    Column("retired_at", Double),  # seconds since 1970
    Column("indexed_at", Double, nullable=False),  # seconds since 1970
    Column("title", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("media_type", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("parser_version", Text, nullable=False),
    Column("summaries", Text, nullable=False),
    Column("pages", Integer),
    Column("warnings", Text, nullable=False),  # JSON
    Column("metadata", Text, nullable=False),  # JSON
    Column("sections", Integer, nullable=False),
    Column("text_bytes", BigInteger, nullable=False),
    Index("tree_document", "corpus", "document"),
    sqlite_autoincrement=True,  # the id of a collected tree must never come back: walks remember ids
)

Index(
    "tree_live",
    tree.c.corpus,
    tree.c.document,
    unique=True,
    sqlite_where=tree.c.retired_in.is_(None),
    postgresql_where=tree.c.retired_in.is_(None),
)

document_metadata = Table(
    "document_metadata",
    tables,
    Column("corpus", _ID, nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),  # as `filters.comparable` writes it
    Column("tree", _ID, ForeignKey("tree.id"), nullable=False),
    PrimaryKeyConstraint("corpus", "key", "value", "tree"),
    Index("document_metadata_tree", "tree"),
)

section = Table(
    "section",
    tables,
    Column("key", _ID, primary_key=True, autoincrement=False),
    Column("end_key", BigInteger, nullable=False),  # behind the last section below
    Column("parent", BigInteger),  # the parent's key
    Column("tree", _ID, nullable=False),
    Column("corpus", _ID, nullable=False),
    Column("id", Text, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("number", Text),
    Column("title", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("page_start", Integer),
    Column("page_end", Integer),
    Column("label_start", Text),
    Column("label_end", Text),
    Column("start", BigInteger, nullable=False),  # code points
    Column("length", BigInteger, nullable=False),  # code points
    Column("children", Integer, nullable=False),
    Column("levels", Integer, nullable=False),
    Column("has_body", Boolean, nullable=False),
    Column("text_bytes", BigInteger, nullable=False),
    Column("subtree_bytes", BigInteger, nullable=False),
    Column("metadata", Text),  # JSON; NULL where there is none
    # JSON, [[offset, page, label], ...]; NULL where there are none. An index without it is given it when it is opened.
    Column("page_breaks", Text),
    Index("section_parent", "parent"),
    Index("section_id", "corpus", "id"),
)

section_text = Table(
    "section_text",
    tables,
    Column("key", _ID, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)

# Came later than the others: an index without it is given it when it is first needed.
summary = Table(
    "summary",
    tables,
    Column("tenant", Text, primary_key=True),
    Column("key", Text, primary_key=True),  # of what the model was shown, and of how it was asked
    Column("text", Text, nullable=False),
)


def first_number() -> int:
    """Return a number to count from that no other index counts from: random, from 2^39 up to 2^40."""
    return _FIRST_NUMBERS // 2 + secrets.randbelow(_FIRST_NUMBERS // 2)


def key_of(tree_id: int, position: int) -> int:
    """Return the key of the section at `position` (from 0, the root) of a tree."""
    return tree_id * MAX_SECTIONS + position
