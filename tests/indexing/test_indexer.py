"""The indexer that the command and the graph `index` share."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tocwalk.errors import IngestError
from tocwalk.index import TreeIndex
from tocwalk.indexing.folders import files_below
from tocwalk.indexing.indexer import Indexer
from tocwalk.indexing.outcome import Outcome
from tocwalk.indexing.source import Source
from tocwalk.ingest import ParserPool

TEXT = "# Title\n\n## Section\n\nSome words.\n"


def source_of(path: Path, *, id_: str | None = None, name: str | None = None) -> Source:
    """Return a file that was named itself."""
    return Source(path=path, document_id=id_ or path.name, name=name or str(path))


def indexed(index: TreeIndex, *sources: Source, jobs: int = 2) -> list[Outcome]:
    """Index, and return what became of each."""
    outcomes: list[Outcome] = []
    Indexer(index=index, jobs=jobs).run(sources, on_outcome=outcomes.append)
    return outcomes


def told(outcomes: list[Outcome]) -> list[tuple[str, str, str]]:
    """Return id, status and reason of each."""
    return [(one.source.document_id, one.status, one.reason) for one in outcomes]


def test_outcomes_come_in_order_however_long_each_takes(index: TreeIndex, tmp_path: Path) -> None:
    """A long document, a refused one and short ones are reported as they were given."""
    for number, sections in enumerate((400, 1, 1, 1)):
        (tmp_path / f"{number}.md").write_text("# Title\n\n" + "## Section\n\nwords\n\n" * sections)
    refused = Source(path=tmp_path, document_id="no", name="no", error=IngestError("It may not.", reason="hidden"))
    files = [source_of(tmp_path / f"{number}.md") for number in range(4)]
    assert told(indexed(index, files[0], refused, *files[1:])) == [
        ("0.md", "stored", ""),
        ("no", "failed", "hidden"),
        *((f"{number}.md", "stored", "") for number in (1, 2, 3)),
    ]


def test_only_a_few_sources_are_taken_ahead(index: TreeIndex, tmp_path: Path) -> None:
    """Sources are asked for as they are needed, so that thousands do not fill the memory."""
    path = tmp_path / "a.md"
    path.write_text(TEXT)
    taken = 0
    ahead: list[int] = []

    def sources() -> Iterator[Source]:
        nonlocal taken
        for number in range(20):
            taken += 1
            yield source_of(path, id_=f"{number}.md")

    outcomes: list[Outcome] = []

    def note(outcome: Outcome) -> None:
        ahead.append(taken - len(outcomes))
        outcomes.append(outcome)

    Indexer(index=index, jobs=2).run(sources(), on_outcome=note)
    assert len(outcomes) == 20
    assert max(ahead) <= 4


def test_the_first_of_two_that_can_be_stored_counts(index: TreeIndex, tmp_path: Path) -> None:
    """Of several sources with one id those that cannot be read do not count, and each later one is refused."""
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(TEXT)
    sources = [source_of(tmp_path / name, id_="one", name="upload:one") for name in ("broken.pdf", "a.md", "b.md")]
    outcomes = indexed(index, *sources)
    assert told(outcomes) == [("one", "failed", "parse_failed"), ("one", "stored", ""), ("one", "failed", "same_id")]
    again = indexed(index, *sources)
    assert told(again)[1:] == [("one", "unchanged", ""), ("one", "failed", "same_id")]


def test_cancelled_it_reads_no_more(index: TreeIndex, tmp_path: Path) -> None:
    """After it is cancelled no outcome follows, what was stored stays, and the parsers are gone."""
    for number in range(10):
        (tmp_path / f"{number}.md").write_text(TEXT)
    outcomes: list[Outcome] = []
    sources = [source_of(tmp_path / f"{number}.md") for number in range(10)]
    Indexer(index=index, jobs=2).run(sources, on_outcome=outcomes.append, is_cancelled=lambda: len(outcomes) >= 3)
    assert [one.status for one in outcomes] == ["stored"] * 3
    assert [row.id for row in index.documents()] == ["0.md", "1.md", "2.md"]
    assert told(indexed(index, *sources))[:4] == [(f"{number}.md", "unchanged", "") for number in range(3)] + [
        ("3.md", "stored", "")
    ]


def test_a_link_put_in_the_place_of_a_file_is_not_followed(index: TreeIndex, tmp_path: Path) -> None:
    """A file, or a folder above it, that is replaced by a link that leads out, after it was listed, is refused."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.md").write_text("# Secret\n\nNobody may read this.\n")
    docs = tmp_path / "docs"
    (docs / "sub").mkdir(parents=True)
    for name in ("a.md", "sub/a.md", "good.md"):
        (docs / name).write_text(TEXT)
    sources = sorted(files_below(docs), key=lambda source: source.path.parts)
    (docs / "a.md").unlink()
    (docs / "a.md").symlink_to(tmp_path / "secret" / "a.md")
    (docs / "sub").rename(docs / "moved")
    (docs / "sub").symlink_to(tmp_path / "secret")
    assert told(indexed(index, *sources)) == [
        ("a.md", "failed", "outside_roots"),
        ("good.md", "stored", ""),
        ("sub/a.md", "failed", "outside_roots"),
    ]


def test_the_process_that_parses_follows_no_such_link_either(tmp_path: Path) -> None:
    """A link that is put there after the file was looked at, and before it is parsed, is refused where it is opened."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "secret.md").write_text("# Secret\n\nNobody may read this.\n")
    (tmp_path / "docs" / "a.md").symlink_to(tmp_path / "secret.md")
    with ParserPool() as pool, pytest.raises(IngestError) as refused:
        pool.read(tmp_path / "docs" / "a.md", document_id="a", root=tmp_path / "docs")
    assert refused.value.reason == "outside_roots"


def test_what_is_no_file_and_what_is_too_large_is_told(index: TreeIndex, tmp_path: Path) -> None:
    """Pipes and sockets in a folder are passed over, and a file of two gigabytes is refused."""
    (tmp_path / "docs").mkdir()
    os.mkfifo(tmp_path / "docs" / "pipe.md")
    with (tmp_path / "docs" / "sparse.md").open("wb") as sparse:
        sparse.truncate(2 << 30)
    where = Path.cwd()
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(tmp_path / "docs")  # a socket's path may not be long
        try:
            listening.bind("sock.md")
        finally:
            os.chdir(where)
        outcomes = indexed(index, *sorted(files_below(tmp_path / "docs"), key=lambda source: source.path.parts))
    assert told(outcomes) == [
        ("pipe.md", "skipped", "not_a_file"),
        ("sock.md", "skipped", "not_a_file"),
        ("sparse.md", "failed", "too_large"),
    ]
