"""Tests of the AsciiDoc reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from outlines import body, outline, titles, tree

from tocwalk.ingest.asciidoc import extract
from tocwalk.tree import Document


def read(text: str) -> Document:
    """Return the tree of a text."""
    return tree(extract, text)


def levels(text: str) -> list[tuple[int, str]]:
    """Return depth and title of every section."""
    return [(depth, title) for depth, _, title in outline(read(text))]


def test_titles_of_one_line_are_sections() -> None:
    """The number of marks gives the level; marks may stand behind the title as well, and "#" does as well as "="."""
    assert levels("= Top\n\n== A\n\ntext\n\n=== B ===\n\n## C\n\n====== Deep\n") == [
        (1, "Top"), (2, "A"), (3, "B"), (2, "C"), (3, "Deep"),
    ]  # fmt: skip


def test_titles_of_two_lines_are_sections() -> None:
    """The character under a title gives its level, if the line is about as long as the title."""
    assert levels("Top\n===\n\nFirst one\n---------\ntext\n\nSub\n~~~~\n\nSubsub\n^^^^^^\n\nDeep\n++++\n") == [
        (1, "Top"), (2, "First one"), (3, "Sub"), (4, "Subsub"), (5, "Deep"),
    ]  # fmt: skip
    assert titles(read("No title at all\n----\ncode\n----\n")) == []


def test_the_text_is_the_file() -> None:
    """Every character of the file is in the text, and a heading is its line or its two lines."""
    source = "Before.\n\n== A\nText.\n\nB\n--\nMore."
    document = read(source)
    assert document.text == source
    assert [section.text[: section.heading] for section in document.sections] == ["", "== A\n", "B\n--\n"]
    assert body(document, "B") == "More."


@pytest.mark.parametrize(
    "block",
    [
        "[source]\n----\n== No\n----", "....\n== No\n....", "====\n== No\n====", "****\n== No\n****",
        "____\n== No\n____", "++++\n== No\n++++", "////\n== No\n////", "--\n== No\n--", "|===\n\n== No\n\n|===",
        "```ruby\n== No\n```", "------\n----\n\n== No\n------", "A paragraph\n== No", "* item\n== No", "// == No",
        r"\== No", " == No", "==No", "=======  No",
    ],
)  # fmt: skip
def test_what_looks_like_a_title_inside_a_block_is_text(block: str) -> None:
    """Delimited blocks, paragraphs, lists, comments, escapes and indented lines have no section titles."""
    assert titles(read(f"== Yes\n\n{block}\n\n== After\n")) == ["Yes", "After"]


def test_a_delimiter_that_nothing_closes_hides_nothing() -> None:
    """A line like the beginning of a block, without its end, is text, and the sections behind it are found."""
    assert titles(read("== A\n\n----\n\n== B\n\n....\n\n== C\n")) == ["A", "B", "C"]


def test_a_block_right_behind_a_paragraph_is_a_block() -> None:
    """A listing needs no blank line before it, and a section none behind it."""
    assert titles(read("== A\ntext\n....\n== no\n....\n== B\n")) == ["A", "B"]


def test_markup_is_taken_off_titles_and_attributes_are_put_in() -> None:
    """Emphasis, literals, links, references, anchors, footnotes and characters are what they print."""
    document = read(
        ":product: Tree Walker\n\n"
        "== [[here]]The `code` of *{product}* and _its_ **pa**rts{nbsp}(C)footnote:[x] {unknown}\n\n"
        "== See <<a,the annex>>, link:x.html[this] and https://example.org[that] H~2~O\n\n"
        "== A snake_case_name, 2 * 3 * 4 and C#\n"
    )
    assert titles(document) == [
        "The code of Tree Walker and its parts © {unknown}",
        "See the annex, this and that H2O",
        "A snake_case_name, 2 * 3 * 4 and C#",
    ]
    assert document.sections[1].metadata["anchor"] == "here"


@pytest.mark.parametrize(
    "line", ["[[there]]", "[#there]", "[appendix#there.role]", '[id="there"]', "[#there%unnumbered]"]
)
def test_an_id_above_the_title_is_the_anchor(line: str) -> None:
    """The id in the attributes above a title is its anchor, and of no other title."""
    document = read(f"{line}\n.Not this\n== A\n\n== B\n")
    assert [section.metadata.get("anchor") for section in document.sections[1:]] == ["there", None]


def test_the_header_is_read() -> None:
    """Author, revision and attributes behind the title are metadata, and level offsets count from there on."""
    document = read(
        "= Guide\nAnn B. Writer <ann@example.org>\nv1.2, 2024-05-01\n:keywords: trees, walks\n:leveloffset: +1\n\n"
        "= Chapter\n\n== Section\n\n:leveloffset: -1\n\n== Other\n"
    )
    assert outline(document) == [(1, None, "Guide"), (2, None, "Chapter"), (3, None, "Section"), (2, None, "Other")]
    assert document.metadata == {"author": "Ann B. Writer", "keywords": "trees, walks"}
    assert document.title == "Guide"


def test_the_parts_of_a_book_are_below_its_title() -> None:
    """Titles of the document's own rank are its parts."""
    assert levels("= Book\n\n= Part\n\n== Chapter\n\n= Other part\n") == [
        (1, "Book"), (2, "Part"), (3, "Chapter"), (2, "Other part"),
    ]  # fmt: skip


def test_typed_numbers_are_the_sections_numbers() -> None:
    """A number in the title is taken off."""
    assert outline(read("== 2.1 Scope\n\n== Article 5: Fees\n")) == [(1, "2.1", "Scope"), (1, "Article 5", "Fees")]


def test_front_matter_is_no_title() -> None:
    """A block between "---" at the beginning is not read as titles with lines under them."""
    assert titles(read("---\ntitle: A\nb: c\n---\n\n== A\n")) == ["A"]


def test_nothing_is_included() -> None:
    """Lines that include files stay lines, and are reported."""
    document = read("== A\n\ninclude::/etc/passwd[]\n\n== B\n")
    assert titles(document) == ["A", "B"]
    assert "includes others in 1 line;" in document.warnings[0]


LINES = [
    "== A",
    "=== B",
    "= T",
    "C",
    "-",
    "--",
    "----",
    "====",
    "|===",
    "",
    "",
    "x",
    "[[i]]",
    ".t",
    ":leveloffset: +1",
    "//",
]


@given(st.lists(st.sampled_from(LINES)), st.booleans())
def test_any_lines_make_a_tree_that_covers_the_file(lines: list[str], ends: bool) -> None:
    """Whatever the lines, the sections' texts are the file, and each section begins with its title."""
    source = "\n".join(lines) + ("\n" if ends else "")
    document = read(source)
    assert document.text == source
    for section in document.sections[1:]:
        assert section.title in section.text[: section.heading]
