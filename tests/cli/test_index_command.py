"""tocwalk index: documents into the index."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command_line import HANDBOOK, Run, Start, json_of


def _listed(run: Run, *options: str) -> dict[str, dict[str, object]]:
    return {row["id"]: row for row in json_of(run("documents", "--json", *options))["documents"]}


def test_a_folder_becomes_documents(library: Path, run: Run) -> None:
    """Each file below is a document under its path, with its source, and the summary says how many there are."""
    assert run("index", library).stdout == "2 documents stored\n"
    rows = _listed(run)
    assert list(rows) == ["ponds/charter.md", "trams/handbook.md"]
    assert rows["trams/handbook.md"]["source"] == str(library / "trams/handbook.md")
    assert rows["trams/handbook.md"]["sections"] == 5


def test_what_has_not_changed_is_not_stored_again(library: Path, run: Run) -> None:
    """A second run finds everything unchanged and makes no new version; after a change one document is replaced."""
    run("index", library)
    before = json_of(run("index", library, "--json"))
    assert {one["status"] for one in before["documents"]} == {"unchanged"}
    (library / "trams/handbook.md").write_text(HANDBOOK + "\n## Brakes\n\nBrake early.\n")
    assert run("index", library).stdout == "0 documents stored, 1 replaced, 1 unchanged\n"
    assert json_of(run("index", library, "--json"))["index_version"] == before["index_version"] + 1


def test_json_says_what_became_of_each_file(library: Path, run: Run) -> None:
    """The report names id, source, status and sections of each file, and the version of the index."""
    report = json_of(run("index", library, "--json"))
    assert report["corpus"] == "default"
    assert report["index_version"] == json_of(run("index", library, "--json"))["index_version"]
    assert [(one["id"], one["status"], one["sections"]) for one in report["documents"]] == [
        ("ponds/charter.md", "stored", 4),
        ("trams/handbook.md", "stored", 5),
    ]


def test_a_failing_document_does_not_stop_the_others(library: Path, run: Run) -> None:
    """What can be read is stored; what cannot is listed at the end with its reason, and the exit code is 1."""
    (library / "trams" / "broken.pdf").write_text("%PDF-1.7 and no more")
    result = run("index", library, "--json", code=1)
    statuses = {one["id"]: (one["status"], one["reason"]) for one in json_of(result)["documents"]}
    assert statuses["trams/broken.pdf"] == ("failed", "parse_failed")
    assert "Failed: 'trams/broken.pdf' " in result.stderr
    assert list(_listed(run)) == ["ponds/charter.md", "trams/handbook.md"]


def test_what_is_no_document_is_passed_over_in_a_folder(library: Path, run: Run) -> None:
    """Pictures, programs, pipes, and files with nothing but blanks are named and do no harm below a folder."""
    (library / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (library / "tool").write_bytes(b"\x7fELF" + bytes(100))
    (library / "index.db.lock").touch()
    (library / "trams" / "blank.md").write_text("\ufeff \n\t\n")
    os.mkfifo(library / "pipe")
    result = run("index", library)
    assert result.stdout == "2 documents stored, 5 skipped\n"
    assert result.stderr == (
        "Passed over 2 files in which nothing is written: index.db.lock, trams/blank.md\n"
        "Passed over 3 files that cannot be read as documents: logo.png, pipe, tool\n"
    )
    (library / "word.docx").write_bytes(b"PK\x03\x04" + bytes(100))
    assert "logo.png, pipe, tool, …; --json names all, with the reason" in run("index", library).stderr


def test_a_file_named_itself_must_be_a_document(tmp_path: Path, run: Run) -> None:
    """A binary file and an empty one are errors when they are named, whatever their extension says."""
    (tmp_path / "really.md").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "empty.md").touch()
    result = run("index", tmp_path / "really.md", tmp_path / "empty.md", code=1)
    assert "'really.md' is binary" in result.stderr
    assert "empty.md' is empty" in result.stderr
    assert result.stdout == "0 documents stored, 2 failed\n"


def test_a_name_that_is_no_text_is_no_obstacle(tmp_path: Path, run: Run) -> None:
    """A file whose name is not UTF-8 is indexed and listed, with U+FFFD for what cannot be shown."""
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text("# Coffee\n\nBlack.\n")
    run("index", tmp_path)
    assert list(_listed(run)) == ["caf%E9.md"]
    assert run("documents").stdout.splitlines()[1].startswith("caf%E9.md  Coffee")


@pytest.mark.parametrize("path", ["missing.md", "missing/folder"])
def test_a_path_that_is_not_there_is_an_error(path: str, tmp_path: Path, run: Run) -> None:
    """A misspelt path is named, with exit code 1."""
    assert f"There is no file '{tmp_path / path}'" in run("index", tmp_path / path, code=1).stderr


def test_an_address_is_told_to_be_no_file(run: Run) -> None:
    """Who names an address of the web is told to download the file."""
    for command in (("index",), ("parse",), ("ask", "Why?", "--in")):
        assert "download it first" in run(*command, "https://example.org/a.pdf", code=1).stderr


def test_an_empty_folder_is_wrong_usage(tmp_path: Path, run: Run) -> None:
    """A folder without any file says so, with exit code 2; so does a call without a path."""
    assert "No file lies below" in run("index", tmp_path, code=2).stderr
    assert "Missing argument" in run("index", code=2).stderr


def test_a_folder_without_documents_is_an_error(tmp_path: Path, run: Run) -> None:
    """A folder in which nothing is a document leaves nothing in the index, with exit code 1."""
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert "Passed over 1 file" in run("index", tmp_path, code=1).stderr


def test_another_source_under_the_same_id_is_refused(indexed: Path, tmp_path: Path, run: Run) -> None:
    """A copy of the library elsewhere has the same ids: both sources are named, and the first stays."""
    copy = shutil.copytree(indexed, tmp_path / "copy")
    result = run("index", copy, code=1)
    assert str(indexed / "trams/handbook.md") in result.stderr
    assert str(copy / "trams/handbook.md") in result.stderr
    assert _listed(run)["trams/handbook.md"]["source"] == str(indexed / "trams/handbook.md")


def test_corpora_are_apart(library: Path, run: Run) -> None:
    """The same file may be in two corpora; each lists its own."""
    run("index", library / "trams", "--corpus", "trams")
    run("index", library, "--corpus", "all")
    assert list(_listed(run, "--corpus", "trams")) == ["handbook.md"]
    assert list(_listed(run, "--corpus", "all")) == ["ponds/charter.md", "trams/handbook.md"]


def test_metadata_is_given_to_every_document(library: Path, run: Run) -> None:
    """--metadata reaches all documents, with its types; given anew to unchanged files it is stored as well."""
    run("index", library)
    run("index", library, "--metadata", "year=2024", "--metadata", "public=true", "--metadata", "city=Bern")
    for row in _listed(run).values():
        assert row["metadata"] == {"year": 2024, "public": True, "city": "Bern"}
    again = run("index", library, "--metadata", "year=2024")
    assert again.stdout == "0 documents stored, 2 unchanged\n"
    assert run("index", library, "--metadata", "public=1").stdout == "0 documents stored, 2 replaced\n"


def test_summaries_can_be_left_out(library: Path, run: Run) -> None:
    """--summaries none stores none, and is a change of documents that have some."""

    def summaries() -> set[str]:
        outline = json_of(run("outline", "trams/handbook.md", "--json"))
        return {section["summary"] for section in outline["sections"]}

    run("index", library)
    assert "" not in summaries()
    assert run("index", library, "--summaries", "none").stdout == "0 documents stored, 2 replaced\n"
    assert summaries() == {""}


def test_documents_whose_file_is_gone_are_named(library: Path, run: Run) -> None:
    """After a file was deleted its document stays, and indexing the folder again says so; the exit code is 0."""
    run("index", library)
    (library / "ponds/charter.md").unlink()
    result = run("index", library)
    assert result.stderr == (
        "1 document's file is gone: ponds/charter.md; remove with `tocwalk remove ID`, or run with --prune\n"
    )
    assert len(_listed(run)) == 2
    report = json_of(run("index", library, "--json"))
    assert (report["gone"], report["removed"]) == (["ponds/charter.md"], [])


def test_what_is_gone_can_be_pruned(library: Path, run: Run) -> None:
    """--prune removes those documents, says how many, and makes a new version."""
    before = json_of(run("index", library, "--json"))["index_version"]
    shutil.rmtree(library / "ponds")
    assert run("index", library, "--prune").stdout == "0 documents stored, 1 unchanged, 1 removed\n"
    assert list(_listed(run)) == ["trams/handbook.md"]
    report = json_of(run("index", library, "--prune", "--json"))
    assert (report["gone"], report["removed"], report["index_version"]) == ([], [], before + 1)


def test_pruning_keeps_to_its_folder(library: Path, tmp_path: Path, run: Run) -> None:
    """Documents from elsewhere stay, be their files gone or not, and so do those whose names are no text."""
    other = tmp_path / "library-2" / "old.md"
    other.parent.mkdir()
    other.write_text("# Old\n\nText.\n")
    Path(os.fsdecode(os.fsencode(library) + b"/caf\xe9.md")).write_text("# Coffee\n\nBlack.\n")
    run("index", library, other.parent)
    other.unlink()
    assert "removed" not in run("index", library, "--prune").stdout
    assert set(_listed(run)) == {"caf%E9.md", "old.md", "ponds/charter.md", "trams/handbook.md"}


def test_an_index_can_be_anywhere(library: Path, tmp_path: Path, run: Run) -> None:
    """--index names a file, which is made; the index of TOCWALK_HOME knows nothing of it."""
    run("index", library, "--index", tmp_path / "deep" / "mine.db")
    assert len(_listed(run, "--index", str(tmp_path / "deep" / "mine.db"))) == 2
    assert "tocwalk index PATH" in run("documents", code=1).stderr


def test_tocwalk_home_moves_the_index(library: Path, tmp_path: Path, start: Start) -> None:
    """The embedded index is made in the folder TOCWALK_HOME."""
    process = start("index", library, env={"TOCWALK_HOME": str(tmp_path / "elsewhere")})
    assert process.communicate(timeout=60) == (b"2 documents stored\n", b"")
    assert (tmp_path / "elsewhere" / "index.db").is_file()


def test_two_processes_index_the_same_documents(library: Path, start: Start, run: Run) -> None:
    """Two at once both succeed, and each document is there once."""
    processes = [start("index", library) for _ in range(2)]
    results = [(*process.communicate(timeout=120), process.returncode) for process in processes]
    assert [(err, code) for _, err, code in results] == [(b"", 0)] * 2
    assert list(_listed(run)) == ["ponds/charter.md", "trams/handbook.md"]
    assert run("index", library).stdout == "0 documents stored, 2 unchanged\n"


def test_old_versions_are_collected(library: Path, run: Run) -> None:
    """Versions that were replaced more than a day ago are deleted when something is indexed."""
    database = Path(os.environ["TOCWALK_HOME"], "index.db")
    run("index", library)
    (library / "trams/handbook.md").write_text("# Another\n\nText.\n")
    run("index", library)
    assert _trees(database) == 3
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE tree SET retired_at = retired_at - 2 * 86400")
    run("index", library)
    assert _trees(database) == 2


def _trees(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM tree").fetchall()
        return int(count)


def test_a_file_under_a_second_id_is_told_of(library: Path, run: Run) -> None:
    """Indexing a folder below the one that was indexed makes second documents of its files, and says so, once."""
    run("index", library)
    told = run("index", library / "trams").stderr
    assert "1 file stood in the index under another id already, and now twice: handbook.md is trams/handbook.md" in told
    assert "`tocwalk remove ID`" in told
    assert "twice" not in run("index", library / "trams").stderr + run("index", library).stderr
