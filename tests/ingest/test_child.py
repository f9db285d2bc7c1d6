"""Reading files in processes with limits: what goes wrong there stays there."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tocwalk.errors import IngestError
from tocwalk.ingest import Limits, ParserPool, file_sha256, read_document
from tocwalk.tree import Document

SMALL = (
    "---\ntitle: Guide\n---\n\nBefore.\n\n# One {#one}\n\nThe first section says something of use.\n\n# Two\n\nMore.\n"
)
MIB = 1 << 20


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A small Markdown file."""
    path = tmp_path / "small.md"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def heavy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Markdown file that takes seconds and hundreds of megabytes to parse."""
    path = tmp_path_factory.mktemp("heavy") / "heavy.md"
    path.write_text("# A\n\nx\n\n" * 400_000, encoding="utf-8")
    return path


@pytest.fixture
def pool() -> Iterator[ParserPool]:
    """One worker with the usual limits."""
    with ParserPool() as pool:
        yield pool


def reason_of(path: Path | str, pool: ParserPool) -> str:
    """Return why a file is not read."""
    with pytest.raises(IngestError) as caught:
        pool.read(path, document_id="x")
    return caught.value.reason


def wait_for(condition: threading.Event | object) -> None:
    """Wait until a callable is true, at most a minute."""
    deadline = time.monotonic() + 60
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "waited in vain"
        threading.Event().wait(0.01)


def is_gone(pid: int) -> bool:
    """Tell whether a process has ended, one that nobody has taken off the list included."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def halted_pid(pool: ParserPool) -> int:
    """Start a worker that is given the next document and does nothing with it, and return its process."""
    worker = pool._take()
    os.kill(worker._process.pid, signal.SIGSTOP)
    pool._give_back(worker, failed=False)
    return worker._process.pid


class TestReading:
    def test_a_file_becomes_a_document(self, small: Path) -> None:
        """All that the parser found comes back from its process."""
        document = read_document(small, document_id="guides/small.md")
        assert isinstance(document, Document)
        assert [(s.id, s.title, s.metadata) for s in document.sections] == [
            ("guides/small.md", "Guide", {}),
            ("guides/small.md/one", "One", {"anchor": "one"}),
            ("guides/small.md/two", "Two", {}),
        ]
        assert document.text == SMALL
        assert document.source == str(small)
        assert document.sha256 == hashlib.sha256(SMALL.encode()).hexdigest() == file_sha256(small)
        assert document.metadata == {"title": "Guide"}

    def test_summaries_are_made_unless_not_wanted(self, small: Path, pool: ParserPool) -> None:
        """Sections get lead summaries by default."""
        document = pool.read(small, document_id="x")
        assert document.sections[1].summary == "The first section says something of use."
        assert not any(s.summary for s in pool.read(small, document_id="x", summaries="none").sections)

    def test_a_source_can_be_given(self, small: Path, pool: ParserPool) -> None:
        """What was handed over as the source is the document's."""
        assert pool.read(small, document_id="x", source="upload:7").source == "upload:7"

    def test_a_relative_path_is_read_from_where_the_caller_is(
        self, small: Path, pool: ParserPool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A relative path counts from the current folder, also after that has changed."""
        pool.read(small, document_id="x")
        monkeypatch.chdir(small.parent)
        assert pool.read("small.md", document_id="x").source == str(small)

    def test_modules_of_the_current_folder_are_not_imported(self, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A `json.py` beside the documents does not get into the parser."""
        (small.parent / "json.py").write_text("raise SystemExit('imported')")
        monkeypatch.chdir(small.parent)
        assert read_document("small.md", document_id="x").title == "Guide"

    def test_file_names_need_not_be_text(self, small: Path, pool: ParserPool) -> None:
        """A name that is no valid UTF-8 is read, and shown with replacement characters."""
        name = os.fsdecode(b"caf\xe9.md")
        document = pool.read(small.rename(small.parent / name), document_id=name)
        assert document.id == "caf\N{REPLACEMENT CHARACTER}.md"


class TestFilesThatAreNone:
    @pytest.mark.parametrize(
        ("name", "reason"),
        [("missing.md", "not_found"), (".", "not_a_file"), ("a\x00b", "not_found"), ("small.md/x", "not_found")],
    )
    def test_a_path_without_a_file(self, small: Path, pool: ParserPool, name: str, reason: str) -> None:
        """A missing file and a folder have reasons of their own."""
        assert reason_of(f"{small.parent}/{name}", pool) == reason

    def test_a_pipe_and_a_device(self, tmp_path: Path, pool: ParserPool) -> None:
        """A pipe that nobody writes to is not waited for; an endless device is not read."""
        os.mkfifo(tmp_path / "pipe.md")
        assert reason_of(tmp_path / "pipe.md", pool) == "not_a_file"
        assert reason_of("/dev/zero", pool) == "not_a_file"
        with pytest.raises(IngestError):
            file_sha256(tmp_path / "pipe.md")

    def test_a_loop_of_links(self, tmp_path: Path, pool: ParserPool) -> None:
        """A link to itself cannot be read."""
        (tmp_path / "loop.md").symlink_to("loop.md")
        assert reason_of(tmp_path / "loop.md", pool) == "unreadable"

    def test_an_empty_file(self, tmp_path: Path, pool: ParserPool) -> None:
        """Nothing, and nothing but blanks, are empty files."""
        for content in (b"", b" \n\n"):
            (tmp_path / "a.md").write_bytes(content)
            assert reason_of(tmp_path / "a.md", pool) == "empty_file"

    def test_a_file_over_the_limit(self, small: Path) -> None:
        """A file that is too large is not opened."""
        with ParserPool(limits=Limits(max_bytes=10)) as pool:
            assert reason_of(small, pool) == "too_large"
            assert not pool._idle

    def test_a_binary_file(self, tmp_path: Path, pool: ParserPool) -> None:
        """A binary file named .md is refused, and the worker goes on."""
        (tmp_path / "a.md").write_bytes(bytes(range(256)) * 20)
        assert reason_of(tmp_path / "a.md", pool) == "unsupported"
        assert len(pool._idle) == 1


class TestLimits:
    def test_memory(self, heavy: Path, small: Path) -> None:
        """A document that needs too much memory fails with `memory_limit`, the next one is read."""
        with ParserPool(limits=Limits(memory_bytes=300 * MIB)) as pool:
            assert reason_of(heavy, pool) == "memory_limit"
            assert pool.read(small, document_id="x").title == "Guide"

    def test_processor_time(self, heavy: Path, small: Path) -> None:
        """A document that takes too much processor time fails with `time_limit`, the next one is read."""
        with ParserPool(limits=Limits(cpu_seconds=0.5)) as pool:
            assert reason_of(heavy, pool) == "time_limit"
            assert pool.read(small, document_id="x").title == "Guide"

    def test_time_by_the_clock(self, small: Path) -> None:
        """A document that takes too long fails with `time_limit`, and its process is gone."""
        with ParserPool(limits=Limits(wall_seconds=0.5)) as pool:
            pid = halted_pid(pool)
            assert reason_of(small, pool) == "time_limit"
            assert is_gone(pid)

    def test_limits_hold_for_each_document(self, small: Path) -> None:
        """A worker may use its processor time for each document anew."""
        with ParserPool(limits=Limits(cpu_seconds=1)) as pool:
            for _ in range(150):
                pool.read(small, document_id="x")
            assert len(pool._idle) == 1

    def test_the_message_names_the_file_and_the_limit(self, heavy: Path) -> None:
        """An error says which file it was, what the limit is, and what can be done."""
        with pytest.raises(IngestError, match=r"heavy\.md.*0\.5 s by the clock; split the file"):
            read_document(heavy, document_id="x", limits=Limits(wall_seconds=0.5))


class TestDeaths:
    @pytest.mark.parametrize(
        ("number", "reason"),
        [(signal.SIGKILL, "memory_limit"), (signal.SIGABRT, "parse_failed"), (signal.SIGSEGV, "parse_failed")],
    )
    def test_a_worker_that_dies_fails_its_document_alone(
        self, small: Path, pool: ParserPool, number: int, reason: str
    ) -> None:
        """Whatever kills the process, its document fails with a reason and the next one is read."""
        pid = halted_pid(pool)
        with ThreadPoolExecutor() as threads:
            failed = threads.submit(reason_of, small, pool)
            wait_for(lambda: pool._busy)
            os.kill(pid, number)
            os.kill(pid, signal.SIGCONT)
            assert failed.result() == reason
        assert pool.read(small, document_id="x").title == "Guide"

    def test_what_the_parent_holds_is_not_the_workers(self, small: Path) -> None:
        """A worker that aborts is not taken to have run out of memory because the process that started it was large."""
        assert len(b"x" * (400 * MIB)) > 0
        with ParserPool(limits=Limits(memory_bytes=800 * MIB)) as pool, ThreadPoolExecutor() as threads:
            pid = halted_pid(pool)
            failed = threads.submit(reason_of, small, pool)
            wait_for(lambda: pool._busy)
            os.kill(pid, signal.SIGABRT)
            os.kill(pid, signal.SIGCONT)
            assert failed.result() == "parse_failed"

    def test_a_worker_that_died_idle_fails_nothing(self, small: Path, pool: ParserPool) -> None:
        """A process that ended between two documents is replaced."""
        pool.read(small, document_id="x")
        worker = pool._idle[0]
        os.kill(worker._process.pid, signal.SIGKILL)
        wait_for(lambda: not worker.is_alive())
        assert pool.read(small, document_id="x").title == "Guide"

    def test_closing_the_pool_ends_busy_workers(self, small: Path) -> None:
        """When a pool is closed, what it reads fails and its processes are gone."""
        with ThreadPoolExecutor() as threads:
            with ParserPool() as pool:
                pid = halted_pid(pool)
                reading = threads.submit(pool.read, small, document_id="x")
                wait_for(lambda: pool._busy)
            with pytest.raises(RuntimeError, match="closed"):
                reading.result()
            assert is_gone(pid)
        with pytest.raises(RuntimeError, match="closed"):
            pool.read(small, document_id="x")

    def test_a_worker_is_replaced_after_many_documents(self, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What libraries leak does not add up: a process reads a limited number of documents."""
        monkeypatch.setattr("tocwalk.ingest.read._DOCUMENTS_PER_WORKER", 2)
        with ParserPool() as pool:
            pids = [
                [worker._process.pid for worker in pool._idle] for _ in range(4) if pool.read(small, document_id="x")
            ]
        assert [len(pid) for pid in pids] == [1, 0, 1, 0]
        assert pids[0] != pids[2]


PARENT = """
import sys
from tocwalk.ingest import ParserPool
with ParserPool() as pool:
    pool.read(sys.argv[1], document_id="x")
    print(pool._idle[0]._process.pid, flush=True)
    if len(sys.argv) > 2:
        pool.read(sys.argv[2], document_id="x")
    sys.stdin.read()
"""


class TestSurroundings:
    def test_documents_are_read_at_once(self, small: Path) -> None:
        """Threads share the workers of a pool."""
        with ParserPool(2) as pool, ThreadPoolExecutor(6) as threads:
            ids = [str(number) for number in range(12)]
            documents = list(threads.map(lambda number: pool.read(small, document_id=number), ids))
            assert [document.id for document in documents] == ids
            assert 1 <= len(pool._idle) <= 2

    def test_an_async_server_reads_in_a_thread(self, small: Path) -> None:
        """Reading works in a thread of a process that runs an event loop."""
        document = asyncio.run(asyncio.to_thread(read_document, small, document_id="x"))
        assert document.title == "Guide"

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
    def test_no_worker_outlives_its_parent(self, small: Path, tmp_path: Path, number: int) -> None:
        """Ctrl-C, or the sudden end of the parent, leaves no process behind: neither idle nor busy."""
        large = tmp_path / "large.md"
        large.write_text("# A\n\nx\n\n" * 20_000, encoding="utf-8")
        for files in ([small], [small, large]):
            command = [sys.executable, "-c", PARENT, *map(str, files)]
            with subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            ) as parent:
                assert parent.stdout is not None
                pid = int(parent.stdout.readline())
                parent.send_signal(number)
                parent.wait(60)
                assert parent.returncode != 0
            wait_for(lambda pid=pid: is_gone(pid))

    def test_the_parser_is_not_given_the_parents_keys(self, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The environment of a worker holds no credentials."""
        monkeypatch.setenv("SOME_API_KEY", "secret")
        with ParserPool() as pool:
            pool.read(small, document_id="x")
            environment = Path(f"/proc/{pool._idle[0]._process.pid}/environ").read_bytes()
        assert b"PATH=" in environment
        assert b"secret" not in environment

    def test_a_pool_needs_a_worker(self) -> None:
        """No workers at all are a mistake."""
        with pytest.raises(ValueError, match="at least one"):
            ParserPool(0)
