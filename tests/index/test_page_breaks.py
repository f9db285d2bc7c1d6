"""Where pages begin inside a section's text."""

from __future__ import annotations

import dataclasses
import sqlite3
from contextlib import closing
from pathlib import Path

from sample_documents import two_chapters

from tocwalk.index import TreeIndex
from tocwalk.tree import Document, SectionHead
from tocwalk.tree.page_breaks import PageBreak, page_at

BREAKS = (PageBreak(3, 8, "viii"), PageBreak(9, 9, None))


def broken() -> Document:
    """Return a document whose last section runs over three pages."""
    made = two_chapters("doc")
    last = dataclasses.replace(made.sections[-1], page_start=7, page_end=9, label_start="vii", page_breaks=BREAKS)
    return dataclasses.replace(made, sections=(*made.sections[:-1], last))


def stored(index: TreeIndex) -> list[SectionHead]:
    """Return the heads of the document's sections."""
    return [entry.head for entry in index.outline("default", "doc")]


def test_page_breaks_are_kept_beside_the_metadata(tmp_path: Path) -> None:
    """An offset of the stored text has its page and label, and the section's metadata are its own alone."""
    with TreeIndex(tmp_path / "index.db") as index:
        index.put(broken())
        last = stored(index)[-1]
    assert [page_at(last, offset) for offset in (0, 2, 3, 8, 9)] == [
        (7, "vii"),
        (7, "vii"),
        (8, "viii"),
        (8, "viii"),
        (9, None),
    ]
    assert "page_breaks" not in last.metadata


def test_an_index_from_before_is_brought_up_to_date(tmp_path: Path) -> None:
    """An index that has no room for page breaks is read and written on, opened for reading first."""
    path = tmp_path / "index.db"
    with TreeIndex(path) as index:
        index.put(two_chapters("doc"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE section DROP COLUMN page_breaks")
        connection.commit()
    with TreeIndex(path, read_only=True) as index:
        assert all(head.page_breaks == () for head in stored(index))
    with TreeIndex(path) as index:
        index.put(dataclasses.replace(broken(), sha256="other"))
        assert stored(index)[-1].page_breaks == BREAKS
