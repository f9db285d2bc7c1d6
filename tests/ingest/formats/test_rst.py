"""Tests of the reStructuredText reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from outlines import body, outline, titles, tree

from tocwalk.errors import IngestError
from tocwalk.ingest.rst import extract
from tocwalk.tree import Document


def read(text: str) -> Document:
    """Return the tree of a text."""
    return tree(extract, text)


def test_titles_of_every_style_are_sections() -> None:
    """The order in which adornments appear gives the levels, and over- and underlined ones are a style of their own."""
    document = read(
        "=====\n Top\n=====\n\nA\n=\n\nB\n-\ntext\n\nC\n~\n\nD\n=\n\n.. _there:\n\nE\n-\n\n*****\nOther\n*****\n"
    )
    assert [(depth, title) for depth, _, title in outline(document)] == [
        (1, "Top"),
        (2, "A"),
        (3, "B"),
        (4, "C"),
        (2, "D"),
        (3, "E"),
        (5 - 1, "Other"),
    ]


def test_the_text_is_the_file_and_headings_cover_their_adornment() -> None:
    """Every character of the file is in the text; a heading is the title with the lines around it."""
    source = "Intro.\n\n====\nTop\n====\n\nText.\n\nSub\n---\nMore."
    document = read(source)
    assert document.text == source
    assert [section.text[: section.heading] for section in document.sections] == ["", "====\nTop\n====\n", "Sub\n---\n"]
    assert body(document, "Sub") == "More."


def test_a_title_that_skips_a_level_is_a_section_too() -> None:
    """A title whose style is not at home there, which docutils drops, is placed below the one before it."""
    document = read("A\n=\n\nB\n-\n\nC\n=\n\nD\n^\n\ntext\n\nE\n^\n\nF\n-\n")
    assert [(depth, title) for depth, _, title in outline(document)] == [
        (1, "A"), (2, "B"), (1, "C"), (2, "D"), (2, "E"), (2, "F"),
    ]  # fmt: skip


def test_markup_is_taken_off_titles() -> None:
    """Literals, emphasis, links, substitutions and roles, unknown ones too, leave their words."""
    document = read(
        "The ``x`` *and* |y| `z <http://example.org>`_ :file:`a/b` :py:class:`C <m.C>` :func:`~os.stat`\n"
        + "=" * 90
        + "\n\n"
        ".. |y| replace:: why\n"
    )
    assert titles(document) == ["The x and why z a/b C stat"]


def test_numbers_are_printed_or_counted() -> None:
    """A typed number is the section's number, and so is one that the `sectnum` directive counts."""
    assert outline(read("2.1 Scope\n=========\n")) == [(1, "2.1", "Scope")]
    assert outline(read(".. sectnum::\n\nA\n=\n\nB\n-\n")) == [(1, "1", "A"), (2, "1.1", "B")]


def test_what_looks_like_a_title_inside_blocks_is_text() -> None:
    """Titles inside literal blocks, directives, comments and quotes are no sections."""
    inside = "".join(f"{opening}\n\n   No\n   --\n\n" for opening in ("::", ".. note::", "..", ".. only:: html", "- x"))
    assert titles(read(f"Yes\n===\n\n{inside}| No\n| --\n\nToo short\n--\n")) == ["Yes"]


def test_anchors_are_the_sections_ids() -> None:
    """The id that a section has in the HTML of the same file is its anchor."""
    assert read("On  Trees!\n==========\n").sections[1].metadata["anchor"] == "on-trees"


def test_no_other_file_is_read(tmp_path: Path) -> None:
    """Includes, raw files and tables from files or addresses are not followed, and the first kind is reported."""
    secret = tmp_path / "secret.txt"
    secret.write_text("Secret\n======\n")
    document = read(
        f"A\n=\n\n.. include:: {secret}\n\n.. raw:: html\n   :file: {secret}\n\n.. csv-table::\n   :file: {secret}\n\n"
        ".. csv-table::\n   :url: http://example.org/x.csv\n\n.. literalinclude:: /etc/passwd\n"
    )
    assert titles(document) == ["A"]
    assert "includes others in 1 line;" in document.warnings[0]


def test_fields_at_the_beginning_are_metadata() -> None:
    """Author and version in the first field list can be filtered."""
    document = read("Title\n=====\n\n:Author: Ann Writer\n:Version: 2\n\nText.\n\n:not: this\n")
    assert document.metadata == {"author": "Ann Writer", "version": "2"}


def test_long_lines_and_other_line_breaks_do_not_move_headings() -> None:
    """A line of any length is read, and form feeds and Unicode line breaks count as docutils counts them."""
    document = read(f"A\n=\n\n{'x ' * 6000}\n\f\nb\u2028c\u0085d\x1ce\n\nB\n=\n\ntext\n")
    assert [section.text[: section.heading] for section in document.sections[1:]] == ["A\n=\n", "B\n=\n"]


def test_blocks_nested_too_deep_are_refused() -> None:
    """Nesting that the parser cannot follow is an error that names the file."""
    with pytest.raises(IngestError, match=r"'deep\.rst' has blocks nested too deep") as refused:
        extract("".join(f"{' ' * depth}- x\n\n" for depth in range(0, 4000, 2)).encode(), name="deep.rst")
    assert refused.value.reason == "parse_failed"


LINES = [
    "A",
    "Two",
    "=",
    "==",
    "---",
    "  x",
    "",
    "",
    ".. note::",
    "::",
    "~~~",
    "* x",
    "|s|",
    ".. |s| replace:: s",
    "\x0c",
]


@given(st.lists(st.sampled_from(LINES)))
def test_any_lines_make_a_tree_that_covers_the_file(lines: list[str]) -> None:
    """Whatever the lines, the sections' texts are the file, and each section begins with its title."""
    source = "\n".join(lines)
    document = read(source)
    assert document.text == source
    for section in document.sections[1:]:
        assert section.title in section.text[: section.heading]
