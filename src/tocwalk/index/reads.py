"""Reads for the walk: each a function of a snapshot, that is of a corpus as one generation saw it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, or_, select

from tocwalk.errors import GenerationCollectedError, NotFoundError
from tocwalk.index.batches import batches
from tocwalk.index.cleaning import clean_text
from tocwalk.index.filters import Conditions
from tocwalk.index.schema import MAX_SECTIONS, corpus, document_metadata, key_of, section, section_text, tree
from tocwalk.tree import SectionHead
from tocwalk.tree.page_breaks import PageBreak

__all__ = [
    "Key",
    "Scope",
    "Snapshot",
    "ancestors",
    "below",
    "children",
    "find_corpus",
    "head_of",
    "no_corpus",
    "roots",
    "section_rows",
    "sections",
    "snapshot",
    "text",
]

Key: TypeAlias = tuple[int, int]
"""A tree and a position in it."""

_BATCH = 500
_LARGEST_TREE = 1 << 43
_STORED = section.join(tree, tree.c.id == section.c.tree)

_HEAD_COLUMNS = (*section.c, tree.c.document, tree.c.source, tree.c.metadata.label("document_metadata"))

# Statements of the walk's reads, built once: building one anew costs more than running it.
_SEEN = and_(
    tree.c.corpus == bindparam("corpus"),
    tree.c.created_in <= bindparam("generation"),
    or_(tree.c.retired_in.is_(None), tree.c.retired_in > bindparam("retired_after")),
)
_HEADS = select(*_HEAD_COLUMNS).select_from(_STORED).where(_SEEN).order_by(section.c.key)
_CORPUS = select(corpus).where(corpus.c.tenant == bindparam("tenant"), corpus.c.name == bindparam("name"))
_SECTIONS = _HEADS.where(section.c.key.in_(bindparam("keys", expanding=True)))
_CHILDREN = _HEADS.where(section.c.parent.in_(bindparam("keys", expanding=True)))
_EXTENT = select(section.c.key, section.c.end_key).select_from(_STORED).where(_SEEN, section.c.key == bindparam("key"))
_TEXT = (
    select(section_text.c.text)
    .where(section_text.c.key >= bindparam("first"), section_text.c.key < bindparam("end"))
    .order_by(section_text.c.key)
)
_HERE = select(section.c.key, section.c.parent).where(section.c.key == bindparam("key")).cte("up", recursive=True)
_UP = _HERE.union_all(select(section.c.key, section.c.parent).where(section.c.key == _HERE.c.parent))
_ANCESTORS = _HEADS.where(section.c.key.in_(select(_UP.c.key)))


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents are looked at: all, unless `only` names some; of these, those that meet the conditions."""

    only: frozenset[str] | None
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A corpus at one generation, inside a read transaction."""

    connection: Connection
    corpus: int
    name: str
    generation: int
    oldest: int
    """The smallest generation that is still whole."""

    @property
    def is_whole(self) -> bool:
        """False if trees that the generation saw have been collected; those that later ones see too are there."""
        return self.generation >= self.oldest

    def sees(self) -> ColumnElement[bool]:
        """The condition that a tree is one that this generation sees, and that is still there."""
        return and_(
            tree.c.corpus == self.corpus,
            tree.c.created_in <= self.generation,
            or_(tree.c.retired_in.is_(None), tree.c.retired_in > max(self.generation, self.oldest)),
        )

    def bound(self, **values: object) -> dict[str, object]:
        """Return the parameters of a statement on `_SEEN`, with more of its own."""
        pinned = max(self.generation, self.oldest)
        return {"corpus": self.corpus, "generation": self.generation, "retired_after": pinned, **values}

    def require_whole(self) -> None:
        """Return if all that the generation saw is there.

        Raises:
            GenerationCollectedError: It is not.
        """
        if not self.is_whole:
            raise self._collected()

    def unseen(self, key: Key) -> GenerationCollectedError | NotFoundError:
        """Return the error for a key that the generation does not see: it may have been collected, or never been."""
        if not self.is_whole:
            return self._collected()
        return NotFoundError(
            f"Generation {self.generation} of corpus {self.name!r} has no section with the key {key!r}."
        )

    def _collected(self) -> GenerationCollectedError:
        return GenerationCollectedError(
            f"Generation {self.generation} of corpus {self.name!r} has been collected, or is another index's; the"
            f" oldest that can be read is {self.oldest}. Start the walk anew."
        )


def find_corpus(connection: Connection, tenant: str, name: str, *, lock: bool = False) -> Row[Any] | None:
    """Return the row of a corpus, or None; with `lock`, nobody else changes it before the transaction ends."""
    query = _CORPUS.with_for_update() if lock else _CORPUS
    return connection.execute(query, {"tenant": tenant, "name": clean_text(name)}).one_or_none()


def no_corpus(connection: Connection, tenant: str, name: str) -> NotFoundError:
    """Return the error for a corpus that a tenant does not have, naming some that it has."""
    names = connection.scalars(select(corpus.c.name).where(corpus.c.tenant == tenant).order_by(corpus.c.name).limit(5))
    there = ", ".join(map(repr, names))
    advice = f"There is {there}." if there else "Nothing is indexed yet: index documents first."
    return NotFoundError(f"There is no corpus {name!r}. {advice}", command="" if there else "tocwalk index PATH")


def snapshot(connection: Connection, tenant: str, name: str, generation: int | None = None) -> Snapshot:
    """Return a corpus as `generation` saw it, or as it is.

    Raises:
        NotFoundError: There is no such corpus.
        GenerationCollectedError: This index never had the generation, or no longer has it.
    """
    row = find_corpus(connection, tenant, name)
    if row is None:
        raise no_corpus(connection, tenant, name)
    pinned: int = row.generation if generation is None else generation
    if pinned > row.generation:
        raise GenerationCollectedError(
            f"Corpus {name!r} has no generation {pinned!r}, the newest is {row.generation}: the walk began on another"
            " index. Start it anew."
        )
    return Snapshot(connection, row.id, name, pinned, row.oldest)


def roots(at: Snapshot, scope: Scope) -> list[SectionHead]:
    """Return the documents in scope, ordered by the parts of their ids."""
    where = [section.c.key == tree.c.id * MAX_SECTIONS, *(_meets(at, key, values) for key, values in scope.conditions)]
    if scope.only is None:
        heads = _heads(at, *where)
    else:
        only = batches(sorted(map(clean_text, scope.only)), _BATCH)
        heads = [head for some in only for head in _heads(at, *where, tree.c.document.in_(some))]
    return sorted(heads, key=lambda head: head.document.split("/"))


def sections(at: Snapshot, keys: Sequence[Key]) -> list[SectionHead]:
    """Return the sections with these keys, in the order asked for.

    Raises:
        GenerationCollectedError: One of them has been collected.
        NotFoundError: The generation does not see one of them.
    """
    found: dict[Key, SectionHead] = {}
    for some in batches(dict.fromkeys(keys), _BATCH):
        wanted = [key_of(*key) for key in some if _is_possible(key)]
        rows = at.connection.execute(_SECTIONS, at.bound(keys=wanted))
        found.update((head.key, head) for head in map(head_of, rows))
    for key in keys:
        if key not in found:
            raise at.unseen(key)
    return [found[key] for key in keys]


def children(at: Snapshot, keys: Iterable[Key]) -> dict[Key, tuple[SectionHead, ...]]:
    """Return by key what is directly below each of these sections, in reading order.

    Raises:
        GenerationCollectedError: One of them has been collected.
        NotFoundError: The generation does not see one of them.
    """
    found: dict[Key, list[SectionHead]] = {key: [] for key in keys}
    for some in batches(found, _BATCH):
        wanted = [key_of(*key) for key in some if _is_possible(key)]
        for row in at.connection.execute(_CHILDREN, at.bound(keys=wanted)):
            found[divmod(row.parent, MAX_SECTIONS)].append(head_of(row))
    sections(at, [key for key, below in found.items() if not below])  # leaves, or not there at all
    return {key: tuple(below) for key, below in found.items()}


def below(at: Snapshot, key: Key) -> list[SectionHead]:
    """Return all that is below a section, in reading order, itself left out."""
    first, end = _extent(at, key)
    return _heads(at, section.c.key > first, section.c.key < end)


def ancestors(at: Snapshot, key: Key) -> list[SectionHead]:
    """Return the sections from the document down to this one, both included."""
    first, _ = _extent(at, key)
    return [head_of(row) for row in at.connection.execute(_ANCESTORS, at.bound(key=first))]


def text(at: Snapshot, key: Key, *, subtree: bool) -> str:
    """Return the text of a section, or that of a section and of all below it, in reading order."""
    first, end = _extent(at, key)
    within = {"first": first, "end": end if subtree else first + 1}
    return "".join(at.connection.scalars(_TEXT, within))


def section_rows(at: Snapshot, *where: ColumnElement[bool]) -> Sequence[Row[Any]]:
    """Return in reading order the rows, for `head_of`, of the sections that meet conditions on `section` and `tree`."""
    query = select(*_HEAD_COLUMNS).select_from(_STORED).where(at.sees(), *where).order_by(section.c.key)
    return at.connection.execute(query).all()


def head_of(row: Row[Any]) -> SectionHead:
    """Return the head in a row of `section_rows`."""
    tree_id, position = divmod(row.key, MAX_SECTIONS)
    metadata = row.document_metadata if position == 0 else row.metadata
    return SectionHead(
        tree=tree_id,
        position=position,
        end=row.end_key - key_of(tree_id, 0),
        document=row.document,
        id=row.id,
        depth=row.depth,
        number=row.number,
        title=row.title,
        summary=row.summary,
        page_start=row.page_start,
        page_end=row.page_end,
        label_start=row.label_start,
        label_end=row.label_end,
        children=row.children,
        levels=row.levels,
        has_body=row.has_body,
        text_bytes=row.text_bytes,
        subtree_bytes=row.subtree_bytes,
        metadata=json.loads(metadata) if metadata else {},
        source=row.source,
        page_breaks=tuple(PageBreak(*one) for one in json.loads(row.page_breaks)) if row.page_breaks else (),
    )


def _heads(at: Snapshot, *where: ColumnElement[bool]) -> list[SectionHead]:
    return [head_of(row) for row in section_rows(at, *where)]


def _meets(at: Snapshot, key: str, values: Sequence[str]) -> ColumnElement[bool]:
    entry = document_metadata.c
    matching = select(entry.tree).where(entry.corpus == at.corpus, entry.key == key, entry.value.in_(values))
    return tree.c.id.in_(matching)


def _extent(at: Snapshot, key: Key) -> tuple[int, int]:
    """Return the key of a section and the key behind the last section below it."""
    if _is_possible(key):
        row = at.connection.execute(_EXTENT, at.bound(key=key_of(*key))).one_or_none()
        if row is not None:
            return row.key, row.end_key
    raise at.unseen(key)


def _is_possible(key: Key) -> bool:
    """Return whether a key can be one: it may come from a state that a person has edited."""
    tree_id, position = key
    return 0 < tree_id < _LARGEST_TREE and 0 <= position < MAX_SECTIONS
