"""Collection: what was retired long enough ago is deleted, a bounded piece at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, select, update

from tocwalk.index.schema import corpus, document_metadata, key_of, section, section_text, tree

__all__ = ["Piece", "close_generations", "delete_pieces", "pieces"]

_PIECE = 5000


@dataclass(frozen=True, slots=True)
class Piece:
    """Some sections of a retired tree: few enough to be deleted in one short transaction."""

    tree: int
    first: int
    end: int
    """Keys from `first` up to, but without, `end`."""
    last: bool
    """True for the last piece of its tree."""


def close_generations(connection: Connection, tenant: str, retired_by: float) -> list[Piece]:
    """Make unreadable all generations that saw a tree retired by then, and return what can be deleted.

    Args:
        connection: A write transaction.
        tenant: Whose corpora.
        retired_by: In seconds since 1970.
    """
    mine = select(corpus.c.id).where(corpus.c.tenant == tenant)
    retired = (tree.c.corpus.in_(mine), tree.c.retired_at <= retired_by)
    newest = select(tree.c.corpus, func.max(tree.c.retired_in).label("oldest")).where(*retired).group_by(tree.c.corpus)
    for row in connection.execute(newest).all():
        older = (corpus.c.id == row.corpus, corpus.c.oldest < row.oldest)
        connection.execute(update(corpus).where(*older).values(oldest=row.oldest))
    trees = connection.execute(select(tree.c.id, tree.c.sections).where(*retired).order_by(tree.c.id)).all()
    return [piece for row in trees for piece in _pieces_of(row.id, row.sections)]


def pieces(found: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Yield pieces in lists that are small enough for one transaction."""
    some: list[Piece] = []
    held = 0
    for piece in found:
        size = piece.end - piece.first
        if some and held + size > _PIECE:
            yield some
            some, held = [], 0
        some.append(piece)
        held += size
    if some:
        yield some


def delete_pieces(connection: Connection, some: Sequence[Piece]) -> int:
    """Delete the sections and texts of pieces, and return how many trees are gone with them."""
    gone = 0
    for piece in some:
        for table in (section_text, section):
            connection.execute(delete(table).where(table.c.key >= piece.first, table.c.key < piece.end))
        if piece.last:
            connection.execute(delete(document_metadata).where(document_metadata.c.tree == piece.tree))
            gone += connection.execute(delete(tree).where(tree.c.id == piece.tree)).rowcount
    return gone


def _pieces_of(tree_id: int, count: int) -> Iterator[Piece]:
    for first in range(0, count, _PIECE):
        end = min(first + _PIECE, count)
        yield Piece(tree_id, key_of(tree_id, first), key_of(tree_id, end), last=end == count)
