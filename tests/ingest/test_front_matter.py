"""Metadata before a Markdown document's text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tocwalk.index import TreeIndex
from tocwalk.ingest import read_document
from tocwalk.ingest.markdown import extract


@pytest.mark.parametrize(
    ("text", "metadata"),
    [
        ("---\na: .inf\nb: -.inf\nc: .nan\n---\n", {"a": "inf", "b": "-inf", "c": "nan"}),
        ("+++\na = inf\nb = nan\nc = 07:30:00\n+++\n", {"a": "inf", "b": "nan", "c": "07:30:00"}),
        ("---\na: 18446744073709551616\nb: 3\n---\n", {"a": "18446744073709551616", "b": 3}),
    ],
)
def test_numbers_that_no_index_holds_are_kept_as_text(text: str, metadata: dict[str, object], tmp_path: Path) -> None:
    """What is not finite or has more than 64 bits does not keep a document out of the index."""
    (tmp_path / "a.md").write_text(text + "# A\n\nText.\n", encoding="utf-8")
    document = read_document(tmp_path / "a.md", document_id="a")
    assert document.metadata == metadata
    with TreeIndex(tmp_path / "index.db") as index:
        assert index.put(document).status == "stored"


def test_a_number_of_thousands_of_digits_costs_the_front_matter_alone() -> None:
    """The text is read though Python does not write such a number."""
    source = extract(("---\na: 0x" + "9" * 5000 + "\n---\n# A\n").encode(), name="a.md")
    assert (source.metadata, [heading.title for heading in source.headings]) == ({}, ["A"])
    assert "front matter" in source.warnings[0]
