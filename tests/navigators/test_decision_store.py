"""The file in which decisions are kept."""

from __future__ import annotations

import logging
import multiprocessing
import resource
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tocwalk.navigators.decision_store import DecisionStore, store_at_home
from tocwalk.navigators.protocol import Decision, Pick, Usage

TAKE = Decision(action="pick", picks=(Pick(ref="2.1", action="take"), Pick(ref="3")), reasoning="Für Nr. 2 — ja.")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file is to be: in a folder that is not there yet."""
    return tmp_path / "home" / "decisions.db"


@pytest.fixture
def store(path: Path) -> DecisionStore:
    """Return a store without a file."""
    return DecisionStore(path)


def test_what_is_kept_is_found_by_another_store(store: DecisionStore, path: Path) -> None:
    """A decision comes back as it was, without what it cost; under another key there is none."""
    store.put("a", Decision(action="pick", picks=TAKE.picks, reasoning=TAKE.reasoning, usage=Usage(calls=2)))
    store.put("b", Decision(action="reject"))
    other = DecisionStore(path)
    assert other.get("a") == TAKE
    assert other.get("b") == Decision(action="reject")
    assert other.get("c") is None


def test_the_file_is_its_owners_alone(store: DecisionStore, path: Path) -> None:
    """Nobody else may read what was decided."""
    store.put("a", TAKE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_least_recently_used_go_first(path: Path) -> None:
    """The number of decisions is bounded: one that was used again stays, one that was not goes."""
    store = DecisionStore(path, most=3)
    for key in ("a", "b", "c"):
        store.put(key, TAKE)
    assert store.get("a") == TAKE
    store.put("d", TAKE)
    assert [key for key in "abcd" if store.get(key)] == ["a", "c", "d"]


def test_the_last_of_two_equal_keys_stays(store: DecisionStore) -> None:
    """A decision takes the place of one that was kept before, so that one which is of no use does not stay."""
    store.put("a", TAKE)
    store.put("a", Decision(action="reject"))
    assert store.get("a") == Decision(action="reject")


def _put_many(path: Path, name: str) -> None:
    store = DecisionStore(path)
    for number in range(30):
        store.put(f"{name}{number}", TAKE)
        assert store.get(f"{name}{number}") == TAKE


def _put_for_ever(path: Path, name: str) -> None:
    while True:
        _put_many(path, name)


def test_many_processes_share_a_file(path: Path, store: DecisionStore, caplog: pytest.LogCaptureFixture) -> None:
    """Processes that write at the same time lose nothing, nor does any of them fail."""
    spawning = multiprocessing.get_context("spawn")
    processes = [spawning.Process(target=_put_many, args=(path, name)) for name in "xyz"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert all(store.get(f"{name}{number}") == TAKE for name in "xyz" for number in range(30))
    assert caplog.records == []


def test_a_process_that_is_killed_damages_nothing(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """After a process was killed while it wrote, the file is whole, and the next one keeps and finds decisions."""
    writing = multiprocessing.get_context("spawn").Process(target=_put_for_ever, args=(path, "x"))
    writing.start()
    store = DecisionStore(path)
    while store.get("x29") is None:
        assert writing.is_alive()
    writing.kill()
    writing.join()
    store.put("a", TAKE)
    assert store.get("a") == store.get("x29") == TAKE
    assert caplog.records == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"no database, but longer than the header of one" * 100),
        lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64),
    ],
    ids=["other file", "torn"],
)
def test_a_damaged_file_is_set_aside(
    damage: object, store: DecisionStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A file that cannot be read is moved aside, which the log says once; an empty cache takes its place."""
    path.parent.mkdir()
    assert callable(damage)
    damage(path)
    assert store.get("a") is None
    store.put("a", TAKE)
    assert store.get("a") == TAKE
    assert path.with_name("decisions.db.damaged").exists()
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert str(path) in record.getMessage()
    assert "is damaged" in record.getMessage()


@pytest.mark.parametrize(
    "value",
    [
        """'{"action": "shrug"}'""",
        "7",
        "''",
        "x'ff00'",
        "CAST(x'ff' AS TEXT)",
        "replace(hex(zeroblob(50000)), '0', '[')",
    ],
    ids=["action", "number", "empty", "bytes", "no text", "deep"],
)
def test_an_entry_that_is_no_decision_is_replaced(
    value: str, store: DecisionStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An entry that cannot be read counts as none, which the log says; the next takes its place, the others stay."""
    store.put("a", TAKE)
    store.put("b", TAKE)
    _change(path, f"UPDATE decision SET decision = {value} WHERE key = 'a'")
    assert store.get("a") is None
    store.put("a", TAKE)
    assert store.get("a") == store.get("b") == TAKE
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE TABLE people (name TEXT)",),
        ("CREATE TABLE decision (key TEXT PRIMARY KEY, words TEXT)", "PRAGMA user_version = 9"),
        ("PRAGMA application_id = 7",),
    ],
    ids=["other table", "other columns", "other mark"],
)
def test_a_database_of_others_is_left_alone(
    statements: tuple[str, ...], store: DecisionStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A database that is no cache of this version is neither written nor moved; the log says once what to do."""
    path.parent.mkdir()
    _change(path, *statements)
    before = path.read_bytes()
    for _ in range(3):
        store.put("a", TAKE)
        assert store.get("a") is None
    assert path.read_bytes() == before
    (record,) = caplog.records
    assert "move it away" in record.getMessage()


def _no_folder(path: Path) -> None:
    path.parent.rmdir()
    path.parent.touch()


def _damaged_for_good(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)
    path.with_name("decisions.db.damaged").mkdir()


@pytest.mark.parametrize(
    "spoil",
    [_no_folder, Path.mkdir, lambda path: path.symlink_to("nowhere/at-all"), _damaged_for_good],
    ids=["no folder", "a folder", "dangling", "cannot be moved"],
)
def test_a_place_that_cannot_be_used_is_said_once(
    spoil: Callable[[Path], object], path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Where nothing can be kept, nothing is; the log says so once, with the setting that does without a cache."""
    path.parent.mkdir()
    spoil(path)
    store = DecisionStore(path)
    for _ in range(3):
        store.put("a", TAKE)
        assert store.get("a") is None
    (record,) = caplog.records
    assert "TOCWALK_DECISION_CACHE=off" in record.getMessage()


def test_a_full_disk_loses_no_more_than_the_new(path: Path) -> None:
    """Where a file may not grow, what was kept stays readable, and nothing fails."""
    DecisionStore(path).put("a", TAKE)
    small = multiprocessing.get_context("spawn").Process(target=_put_into_little_room, args=(path,))
    small.start()
    small.join()
    assert small.exitcode == 0
    assert DecisionStore(path).get("a") == TAKE


def _put_into_little_room(path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, path.stat().st_size))
    store = DecisionStore(path)
    store.put("b", Decision(action="stop", reasoning="long " * 10_000))
    assert store.get("b") is None


def test_a_file_that_is_taken_away_is_made_anew(store: DecisionStore, path: Path) -> None:
    """Deleting the file empties the cache, under a running process too."""
    store.put("a", TAKE)
    path.unlink()
    assert store.get("a") is None
    store.put("b", TAKE)
    assert store.get("b") == TAKE


def test_it_is_kept_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is `decisions.db` in the folder that TOCWALK_HOME names when it is needed."""
    for name in ("one", "zwei %41?#ü"):
        monkeypatch.setenv("TOCWALK_HOME", str(tmp_path / name))
        store = store_at_home()
        assert store is not None
        assert store.get("a") is None
        store.put("a", TAKE)
        assert (tmp_path / name / "decisions.db").exists()


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Who has no home, and names no folder, has no cache; the log says once what to set."""
    monkeypatch.setenv("TOCWALK_HOME", "~nobody-of-that-name/x")
    assert [store_at_home(), store_at_home()] == [None, None]
    (record,) = caplog.records
    assert "Set TOCWALK_HOME to a folder." in record.getMessage()
