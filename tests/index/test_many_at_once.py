"""Threads, processes, kills and full disks: the old version whole, or the new one whole."""

from __future__ import annotations

import dataclasses
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest
from sample_documents import make_document, put, put_forever, put_once, two_chapters
from sqlalchemy import select, update

from tocwalk.errors import IndexBusyError, IndexStoreError
from tocwalk.index import TreeIndex
from tocwalk.index.schema import corpus
from tocwalk.index.sqlite import SqliteDatabase
from tocwalk.tree import Document


def _versions(count: int) -> list[Document]:
    """Return versions of a document of many sections, of which each text names the version."""
    return [
        make_document("doc", [(1 + number % 3, f"s{number}", f"version {version}\n" * 20) for number in range(400)])
        for version in range(count)
    ]


def _integrity(location: Path) -> str:
    connection = sqlite3.connect(location)
    (found,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    return str(found)


def test_a_kill_leaves_the_old_version_or_the_new_one(tmp_path: Path, processes: ForkServerContext) -> None:
    """Killed at any moment of writing, the index is sound, holds one whole version, and can be written at once."""
    location = tmp_path / "index.db"
    versions = _versions(2)
    texts = {document.text for document in versions}
    with TreeIndex(location) as index:
        put(index, versions[0])
    for step in range(20):
        ours, theirs = processes.Pipe()
        writer = processes.Process(target=put_forever, args=(location, versions, theirs), daemon=True)
        writer.start()
        assert ours.recv() == "ready"
        writer.join(step * 0.007)  # the moment of the kill is what is swept
        writer.kill()
        writer.join()
        with TreeIndex(location) as index:
            assert index.read("default", "doc", subtree=True) in texts
            assert len(index.outline("default", "doc")) == len(versions[0].sections)
            assert _integrity(location) == "ok"
            index.collect(grace_s=0)
            assert put(index, versions[0]).status in ("replaced", "unchanged")


def test_two_processes_storing_one_document_store_it_once(tmp_path: Path, processes: ForkServerContext) -> None:
    """Neither sees an error: one stores it, the other finds it unchanged; the index may have to be made first."""
    for attempt in range(5):
        location = tmp_path / f"index{attempt}.db"
        pipes = [processes.Pipe() for _ in range(2)]
        writers = [
            processes.Process(target=put_once, args=(location, two_chapters("doc"), theirs), daemon=True)
            for _, theirs in pipes
        ]
        for writer in writers:
            writer.start()
        for ours, _ in pipes:
            assert ours.recv() == "ready"
        for ours, _ in pipes:
            ours.send("go")
        assert sorted(ours.recv() for ours, _ in pipes) == ["stored", "unchanged"]
        for writer in writers:
            writer.join()
        with TreeIndex(location) as index:
            assert [row.id for row in index.documents("default")] == ["doc"]


def test_threads_read_whole_versions_while_others_write(index: TreeIndex) -> None:
    """Readers in many threads see one version per generation, whatever writers do meanwhile, and no error."""
    versions = [two_chapters("doc", version) for version in range(10)]
    texts = {document.text for document in versions}
    put(index, versions[0])
    written = threading.Event()

    def write() -> None:
        for document in versions[1:]:
            put(index, document)
        written.set()

    def read() -> int:
        seen = 0
        while not written.is_set() or not seen:
            generation = index.generation("default")
            (root,) = index.roots("default", generation)
            below = index.below("default", generation, root.key)
            assert index.text("default", generation, root.key, subtree=True) in texts
            assert [head.id for head in below] == [section.id for section in versions[0].sections[1:]]
            seen += 1
        return seen

    with ThreadPoolExecutor(max_workers=9) as pool:
        readers = [pool.submit(read) for _ in range(8)]
        pool.submit(write).result()
        assert all(reader.result() for reader in readers)


def test_threads_may_all_write(index: TreeIndex) -> None:
    """Every document stored from a thread is there, each in a generation of its own."""
    with ThreadPoolExecutor(max_workers=8) as pool:
        results = list(pool.map(put, repeat(index), [two_chapters(f"doc{number}") for number in range(24)]))
    generations = sorted(result.generation for result in results)
    assert generations == list(range(generations[0], generations[0] + 24))
    assert len(index.documents("default")) == 24


def test_a_writer_that_waits_too_long_says_so(
    index: TreeIndex, database: SqliteDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind another writer, of tocwalk or of another program, a write gives up after the time-out; reading goes on."""
    put(index, make_document("doc"))
    monkeypatch.setattr("tocwalk.index.sqlite.BUSY_TIMEOUT_S", 0.05)
    with database.writing(), pytest.raises(IndexBusyError, match="Try again"):
        put(index, make_document("new"))
    foreign = sqlite3.connect(tmp_path / "index.db", isolation_level=None)
    foreign.execute("BEGIN IMMEDIATE")
    with pytest.raises(IndexBusyError, match="Try again"):
        put(index, make_document("new"))
    assert [row.id for row in index.documents("default")] == ["doc"]
    foreign.close()
    assert put(index, make_document("new")).status == "stored"


def test_closing_beside_another_writer_does_not_wait(index: TreeIndex, database: SqliteDatabase) -> None:
    """An index that has written closes without error though another is writing, and that one goes on."""
    put(index, make_document("doc"))
    with database.writing() as connection:
        index.close()
        connection.execute(update(corpus).values(generation=7))
    with database.reading() as connection:
        assert connection.scalar(select(corpus.c.generation)) == 7


def test_a_full_disk_keeps_the_old_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says that the disk is full, what was there is whole, and with room again writing works."""
    with TreeIndex(tmp_path / "index.db") as index:
        old, new = (dataclasses.replace(one, sha256=str(number)) for number, one in enumerate(_versions(2)))
        before = put(index, make_document("doc", source=old.source)).generation
        with monkeypatch.context() as full:
            full.setattr("tocwalk.index.sqlite._WRITE_PRAGMAS", ("journal_mode=WAL", "max_page_count=40"))
            with pytest.raises(IndexStoreError, match="disk.*full.*intact"):
                put(index, old)
        assert index.read("default", "doc", subtree=True) == "doc\n"
        assert index.generation("default") == before
        assert [put(index, one).status for one in (old, new)] == ["replaced", "replaced"]
        assert index.read("default", "doc", subtree=True) == new.text
