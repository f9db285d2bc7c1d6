"""Folders with links that lead round in a circle, very deep folders, and names that are no text."""

from __future__ import annotations

import os
from pathlib import Path

from command_line import Run

from tocwalk.cli.sources import find_sources
from tocwalk.index import TreeIndex

_DEEP = 1300


def test_links_in_a_circle_fail_alone(tmp_path: Path, run: Run) -> None:
    """Of links that lead to each other, or to themselves, each fails, and the other files are indexed."""
    location = tmp_path / ".index" / "index.db"
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "b.md").symlink_to("a.md")
    (tmp_path / "self.md").symlink_to("self.md")
    (tmp_path / "real.md").write_text("# Real\n\ntext\n")
    result = run("index", tmp_path, "--index", location, code=None)
    assert result.exit_code != 0
    assert all(name in result.stderr for name in ("a.md", "b.md", "self.md"))
    with TreeIndex(location, read_only=True) as index:
        assert [row.id for row in index.documents()] == ["real.md"]


def test_very_deep_folders_are_read_to_their_ends(tmp_path: Path) -> None:
    """A file below more folders than calls can be nested is found."""
    folder = tmp_path / "deep"
    folder.mkdir()
    place = folder
    for _ in range(_DEEP):
        place = place / "d"
        place.mkdir()
    file = place / "last.md"
    file.write_text("x")
    try:
        (source,) = find_sources([folder])
    finally:  # what takes away the folders of tests calls itself for each level
        file.unlink()
        while place != folder:
            place.rmdir()
            place = place.parent
    assert source.document_id == "d/" * _DEEP + "last.md"


def test_names_that_are_no_text_stay_different(tmp_path: Path, run: Run) -> None:
    """Files whose names differ only in bytes that are not UTF-8 have other ids and sources."""
    for name in (b"\xff.md", b"\xfe.md", b"\xc3\xa9.md"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("# Title\n\ntext\n")
    location = tmp_path / ".index" / "index.db"
    run("index", tmp_path, "--index", location)
    with TreeIndex(location, read_only=True) as index:
        rows = {row.id: row.source for row in index.documents()}
    assert rows == {name: str(tmp_path / name) for name in ("%FE.md", "%FF.md", "é.md")}
