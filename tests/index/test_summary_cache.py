"""Summaries kept beside the documents."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sample_documents import put, two_chapters

from tocwalk.errors import IndexVersionError
from tocwalk.index import SummaryCache, TreeIndex


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    """A summary is there under its key after the file was closed and opened again; another key has none."""
    with SummaryCache(tmp_path / "index.db") as cache:
        assert cache.put("a", "About ducks.") == "About ducks."
    with SummaryCache(tmp_path / "index.db") as cache:
        assert (cache.get("a"), cache.get("b")) == ("About ducks.", None)


def test_the_first_summary_of_a_key_stays(tmp_path: Path) -> None:
    """Who comes second is handed what is kept, so that everybody has the same."""
    with SummaryCache(tmp_path / "index.db") as one, SummaryCache(tmp_path / "index.db") as other:
        one.put("a", "First.")
        assert other.put("a", "Second.") == "First."
        assert one.get("a") == "First."


def test_tenants_share_no_summaries(tmp_path: Path) -> None:
    """What one tenant paid for is not shown to another."""
    with SummaryCache(tmp_path / "index.db") as mine, SummaryCache(tmp_path / "index.db", tenant="other") as theirs:
        mine.put("a", "Mine.")
        assert theirs.get("a") is None
        theirs.put("a", "Theirs.")
        assert mine.get("a") == "Mine."


def test_what_no_database_can_keep_is_replaced(tmp_path: Path) -> None:
    """A lone surrogate and NUL become U+FFFD."""
    with SummaryCache(tmp_path / "index.db") as cache:
        assert cache.put("a", "x\0\ud800") == "x\ufffd\ufffd"


def test_an_index_of_an_older_version_gets_the_table(tmp_path: Path) -> None:
    """An index that was made before there were such summaries is opened as it is, and its documents stay."""
    path = tmp_path / "index.db"
    with TreeIndex(path) as index:
        put(index, two_chapters("doc"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE summary")
        connection.commit()
    with SummaryCache(path) as cache, TreeIndex(path) as index:
        cache.put("a", "About ducks.")
        assert cache.get("a") == "About ducks."
        assert [row.id for row in index.documents()] == ["doc"]


def test_an_index_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """What this version cannot read it does not write to."""
    path = tmp_path / "index.db"
    TreeIndex(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tocwalk_schema SET version = 99")
        connection.commit()
    with pytest.raises(IndexVersionError, match="99"):
        SummaryCache(path)
