"""Opening an index: where it is, what may be there already, who may write it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from sample_documents import make_document, put, two_chapters

from tocwalk.errors import (
    IndexBusyError,
    IndexStoreError,
    IndexVersionError,
    NotFoundError,
    ReadOnlyIndexError,
    SettingsError,
)
from tocwalk.index import TreeIndex, default_location
from tocwalk.index.lock import WriterLock


def _indexed(location: Path) -> Path:
    with TreeIndex(location) as index:
        put(index, two_chapters("doc"))
    return location


def test_the_operator_says_where_the_index_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """TOCWALK_INDEX comes before TOCWALK_HOME, and that before the user's data folder; blank is not set."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TOCWALK_HOME", "~/elsewhere")
    monkeypatch.setenv("TOCWALK_INDEX", "~/my.db")
    assert default_location() == tmp_path / "my.db"
    monkeypatch.setenv("TOCWALK_INDEX", "sqlite:////srv/my.db")
    assert default_location() == "sqlite:////srv/my.db"
    monkeypatch.setenv("TOCWALK_INDEX", " ")
    assert default_location() == tmp_path / "elsewhere" / "index.db"
    monkeypatch.delenv("TOCWALK_HOME")
    default = Path(default_location())
    assert (default.name, default.parent.name) == ("index.db", "tocwalk")
    assert default.is_relative_to(tmp_path)


def test_a_url_names_the_same_file_as_its_path(tmp_path: Path) -> None:
    """An index can be opened by path, by text and by URL."""
    location = _indexed(tmp_path / "index.db")
    for same in (location, str(location), f"sqlite:///{location}", f"sqlite+pysqlite:///{location}"):
        with TreeIndex(same, read_only=True) as index:
            assert index.corpora() == ["default"]


def test_a_path_may_hold_any_characters(tmp_path: Path) -> None:
    """Characters that mean something in a URL, and bytes that are no UTF-8, are part of the name."""
    location = tmp_path / os.fsdecode(b"a b%20#c?d=\xff") / "index?mode=memory.db"
    _indexed(location)
    with TreeIndex(location, read_only=True) as index:
        assert index.corpora() == ["default"]
    assert {path.name for path in location.parent.iterdir()} >= {location.name, f"{location.name}.lock"}


def test_a_link_leads_to_the_same_index_and_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through a link to the file the same writer lock is held, and nothing is made beside the link."""
    location = _indexed(tmp_path / "index.db")
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(location)
    with TreeIndex(link) as index, WriterLock(location).held(0):
        monkeypatch.setattr("tocwalk.index.sqlite.BUSY_TIMEOUT_S", 0.02)
        with pytest.raises(IndexBusyError):
            put(index, make_document("new"))
        assert [row.id for row in index.documents("default")] == ["doc"]
    assert list(link.parent.iterdir()) == [link]


@pytest.mark.parametrize(
    "location",
    [
        "",
        " ",
        "a\0b",
        "sqlite://",
        ":memory:",
        "sqlite:///:memory:",
        "sqlite:///x.db?mode=ro",
        "sqlite+aiosqlite:///x.db",
        "postgresql://user:secret@host/db",
        "http://example.org/index.db",
        "://",
    ],
)
def test_a_location_that_is_no_file_is_refused(location: str) -> None:
    """Blank paths, databases in memory and those of other kinds are errors that show no password."""
    with pytest.raises(SettingsError) as caught:
        TreeIndex(location)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("tenant", ["", "  ", "a\0", "\ud800"])
def test_a_tenant_needs_a_name(tmp_path: Path, tenant: str) -> None:
    """A blank tenant, or one that would be stored as another, is refused before anything is made."""
    with pytest.raises(SettingsError, match="cannot be a tenant"):
        TreeIndex(tmp_path / "index.db", tenant=tenant)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_index_is_made_unless_reading_only(tmp_path: Path) -> None:
    """Opening makes the file and its folders; read-only it says what to run and makes nothing."""
    location = tmp_path / "new" / "folder" / "index.db"
    with pytest.raises(NotFoundError, match="index documents first") as missing:
        TreeIndex(location, read_only=True)
    assert missing.value.command == "tocwalk index PATH"
    assert list(tmp_path.iterdir()) == []
    with TreeIndex(location) as index:
        assert index.corpora() == []


def test_an_empty_file_is_an_index_to_be_made(tmp_path: Path) -> None:
    """A file of no bytes, as left over by a process killed at once, becomes an index; read-only it is none yet."""
    location = tmp_path / "index.db"
    location.touch()
    with pytest.raises(NotFoundError, match="index documents first"):
        TreeIndex(location, read_only=True)
    assert TreeIndex(location).corpora() == []


def test_an_index_opened_read_only_cannot_be_written(tmp_path: Path) -> None:
    """Every write raises, reading works."""
    location = _indexed(tmp_path / "index.db")
    with TreeIndex(location, read_only=True) as index:
        for write in (
            lambda: put(index, make_document("new")),
            lambda: index.remove("default", "doc"),
            index.collect,
        ):
            with pytest.raises(ReadOnlyIndexError, match="opened read-only"):
                write()
        assert [row.id for row in index.documents("default")] == ["doc"]


def test_a_folder_is_no_index(tmp_path: Path) -> None:
    """A folder, or a pipe, is an error that asks for a file."""
    os.mkfifo(tmp_path / "pipe")
    for read_only in (True, False):
        for location in (tmp_path, tmp_path / "pipe"):
            with pytest.raises(IndexStoreError, match="path of a file"):
                TreeIndex(location, read_only=read_only)


def test_a_path_below_a_file_cannot_be_an_index(tmp_path: Path) -> None:
    """A path through a file is an error that says so."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(IndexStoreError, match="cannot be reached or made"):
        TreeIndex(tmp_path / "file" / "index.db")


@pytest.mark.parametrize("content", [b"Not a database, but a text of some length.\n" * 50, b"\0" * 5000, b"x"])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    """Any other file is an error, and keeps its bytes."""
    location = tmp_path / "notes.txt"
    location.write_bytes(content)
    with pytest.raises(IndexStoreError, match="no index but another kind of file"):
        TreeIndex(location)
    assert location.read_bytes() == content


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """A database with other tables is an error that names one, and gets no tables of ours."""
    location = tmp_path / "other.db"
    with sqlite3.connect(location) as connection:
        connection.execute("CREATE TABLE bookmarks (url)")
    connection.close()
    before = location.read_bytes()
    with pytest.raises(IndexStoreError, match="another program.*'bookmarks'"):
        TreeIndex(location)
    assert location.read_bytes() == before


def test_an_index_of_a_newer_version_is_left_untouched(tmp_path: Path) -> None:
    """It is not opened, neither for reading nor for writing, and its file keeps its bytes."""
    location = _indexed(tmp_path / "index.db")
    with sqlite3.connect(location) as connection:
        connection.execute("UPDATE tocwalk_schema SET version = 2")
    connection.close()
    before = location.read_bytes()
    for read_only in (True, False):
        with pytest.raises(IndexVersionError, match="schema version 2; this tocwalk reads up to 1"):
            TreeIndex(location, read_only=read_only)
    assert location.read_bytes() == before


def test_a_damaged_index_says_so(tmp_path: Path) -> None:
    """A file whose pages were overwritten is an error of the index, not of the database library."""
    location = _indexed(tmp_path / "index.db")
    with location.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (location.stat().st_size - 4096))
    with pytest.raises(IndexStoreError, match="damaged"), TreeIndex(location) as index:
        index.documents("default")


def test_a_closed_index_says_so(tmp_path: Path) -> None:
    """Reading or writing after `close` is an error; closing again is none."""
    index = TreeIndex(tmp_path / "index.db")
    index.close()
    index.close()
    for use in (index.corpora, index.collect):
        with pytest.raises(IndexStoreError, match="closed"):
            use()


def test_a_closed_index_is_one_file(tmp_path: Path) -> None:
    """After writing and closing, a copy of the database file alone is the whole index."""
    location = _indexed(tmp_path / "index.db")
    copy = tmp_path / "copy.db"
    copy.write_bytes(location.read_bytes())
    with TreeIndex(copy, read_only=True) as index:
        assert index.read("default", "doc", subtree=True) == two_chapters("doc").text


def test_an_index_in_a_folder_that_cannot_be_written_can_be_read(ordinary_user: Path) -> None:
    """Reading works, writing is an error that says which right is missing, and nothing is left lying there."""
    location = _indexed(ordinary_user / "index.db")
    for path in ordinary_user.iterdir():
        path.chmod(0o444)
    ordinary_user.chmod(0o555)
    before = sorted(ordinary_user.iterdir())
    for read_only in (True, False):
        with TreeIndex(location, read_only=read_only) as index:
            generation = index.generation("default")
            (root,) = index.roots("default", generation)
            assert index.text("default", generation, root.key, subtree=True) == two_chapters("doc").text
            with pytest.raises(ReadOnlyIndexError, match="read-only|write permission"):
                put(index, make_document("new"))
            assert [row.id for row in index.documents("default")] == ["doc"]
    assert sorted(ordinary_user.iterdir()) == before


def test_an_index_in_such_a_folder_follows_its_writer(ordinary_user: Path) -> None:
    """A reader without write access sees what a writer with access adds, while it adds and afterwards."""
    location = _indexed(ordinary_user / "index.db")
    ordinary_user.chmod(0o555)
    with TreeIndex(location, read_only=True) as reader:
        first = reader.generation("default")
        ordinary_user.chmod(0o755)
        with TreeIndex(location) as writer:
            put(writer, make_document("new"))
            ordinary_user.chmod(0o555)
            assert reader.generation("default") == first + 1
            ordinary_user.chmod(0o755)
            put(writer, make_document("newer"))
        ordinary_user.chmod(0o555)
        assert [row.id for row in reader.documents("default")] == ["doc", "new", "newer"]


def test_a_file_that_cannot_be_written_can_be_read(ordinary_user: Path) -> None:
    """The same where only the database file is protected."""
    location = _indexed(ordinary_user / "index.db")
    location.chmod(0o444)
    with TreeIndex(location) as index:
        assert [row.id for row in index.documents("default")] == ["doc"]
        with pytest.raises(ReadOnlyIndexError, match="write permission"):
            put(index, make_document("new"))


def test_an_index_that_may_not_be_read_says_so(ordinary_user: Path) -> None:
    """A protected file, or one in a protected folder, is an error that speaks of the right to read."""
    location = _indexed(ordinary_user / "index.db")
    location.chmod(0o000)
    with pytest.raises(IndexStoreError, match="may read it"):
        TreeIndex(location)
    ordinary_user.chmod(0o000)
    with pytest.raises(IndexStoreError, match="permissions"):
        TreeIndex(location, read_only=True)


def test_no_index_can_be_made_where_nothing_may_be_written(ordinary_user: Path) -> None:
    """The error names the place."""
    ordinary_user.chmod(0o555)
    for location in (ordinary_user / "index.db", ordinary_user / "below" / "index.db"):
        with pytest.raises(ReadOnlyIndexError, match="cannot be reached or made: Permission denied"):
            TreeIndex(location)
