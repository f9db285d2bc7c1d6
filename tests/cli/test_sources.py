"""Which files a PATH names, and what their documents are called."""

from __future__ import annotations

import os
from pathlib import Path

from command_line import Run, json_of

from tocwalk.cli.sources import find_sources


def _make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def _ids(*paths: Path) -> list[str]:
    return [source.document_id for source in find_sources(paths)]


def test_a_folder_is_read_to_its_depths_in_order(tmp_path: Path) -> None:
    """All files below come, ordered by their path, under their path below the folder."""
    _make(tmp_path, "b.md", "a/z.txt", "a/b/c.md", "a-b.md", "A.md")
    assert _ids(tmp_path) == ["A.md", "a/b/c.md", "a/z.txt", "a-b.md", "b.md"]


def test_what_is_hidden_stays_hidden(tmp_path: Path) -> None:
    """Names with a leading dot are passed over below a folder, but may be named themselves."""
    _make(tmp_path, "seen.md", ".hidden.md", ".git/config", "a/.b/c.md")
    assert _ids(tmp_path) == ["seen.md"]
    assert _ids(tmp_path / ".hidden.md") == [".hidden.md"]


def test_a_file_is_known_by_its_name(tmp_path: Path) -> None:
    """A file named itself has its file name as id, and its absolute path as source."""
    _make(tmp_path, "a/b.md")
    (source,) = find_sources([tmp_path / "a" / ".." / "a" / "b.md"])
    assert (source.document_id, source.name, source.named) == ("b.md", str(tmp_path / "a/b.md"), True)


def test_a_path_given_twice_is_read_once(tmp_path: Path) -> None:
    """Naming a folder twice, or by two spellings, changes nothing."""
    _make(tmp_path, "a.md", "b/c.md")
    assert _ids(tmp_path, tmp_path / "b" / "..") == _ids(tmp_path)


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path, run: Run) -> None:
    """A link to a file outside of the folder fails, one to a file inside is a file, and one to a folder is nothing."""
    _make(tmp_path, "secret.txt", "docs/real.md")
    docs = tmp_path / "docs"
    (docs / "inside.md").symlink_to(docs / "real.md")
    (docs / "outside.md").symlink_to(tmp_path / "secret.txt")
    (docs / "folder").symlink_to(tmp_path)
    report = json_of(run("index", docs, "--json", code=1))
    assert {one["id"]: one["status"] for one in report["documents"]} == {
        "inside.md": "stored",
        "outside.md": "failed",
        "real.md": "stored",
    }
    assert f"leads out of the folder {str(docs)!r}" in report["documents"][1]["message"]


def test_a_name_that_is_no_text_gets_an_id(tmp_path: Path) -> None:
    """Bytes in a name that are not UTF-8 are written in hexadecimal; the file itself can still be opened."""
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text("x")
    (source,) = find_sources([tmp_path])
    assert source.document_id == "caf%E9.md"
    assert source.path.read_text() == "x"
