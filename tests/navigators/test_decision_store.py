"""The file in which decisions are kept."""

from __future__ import annotations

import logging
import multiprocessing
import sqlite3
import stat
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


def test_the_first_of_two_equal_keys_stays(store: DecisionStore) -> None:
    """Where two processes asked at once, the decision that was kept first is everybody's."""
    store.put("a", TAKE)
    store.put("a", Decision(action="reject"))
    assert store.get("a") == TAKE


def _put_many(path: Path, name: str) -> None:
    store = DecisionStore(path)
    for number in range(30):
        store.put(f"{name}{number}", TAKE)
        assert store.get(f"{name}{number}") == TAKE


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


def _table_of_others(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE decision (key TEXT, words TEXT)")
    connection.close()


def _no_decision(path: Path) -> None:
    DecisionStore(path).put("a", TAKE)
    with sqlite3.connect(path) as connection:
        connection.execute("""UPDATE decision SET decision = '{"action": "shrug"}'""")
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"no database, but longer than the header of one" * 100),
        lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64),
        _table_of_others,
        _no_decision,
    ],
    ids=["other file", "torn", "other table", "no decision"],
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


def test_a_place_that_cannot_be_written_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Where nothing can be kept, nothing is; the log says so once, with the setting that does without a cache."""
    (tmp_path / "file").touch()
    store = DecisionStore(tmp_path / "file" / "decisions.db")
    for _ in range(3):
        store.put("a", TAKE)
        assert store.get("a") is None
    (record,) = caplog.records
    assert "TOCWALK_DECISION_CACHE=off" in record.getMessage()


def test_a_file_that_is_taken_away_is_made_anew(store: DecisionStore, path: Path) -> None:
    """Deleting the file empties the cache, under a running process too."""
    store.put("a", TAKE)
    path.unlink()
    assert store.get("a") is None
    store.put("b", TAKE)
    assert store.get("b") == TAKE


def test_it_is_kept_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is `decisions.db` in the folder that TOCWALK_HOME names when it is needed."""
    for name in ("one", "two"):
        monkeypatch.setenv("TOCWALK_HOME", str(tmp_path / name))
        assert store_at_home().get("a") is None
        store_at_home().put("a", TAKE)
        assert (tmp_path / name / "decisions.db").exists()
