"""Tests of the EPUB reader."""

from __future__ import annotations

import io
import random
import zipfile

import pytest
from books import archive, entries, page, point
from hypothesis import given
from hypothesis import strategies as st
from outlines import body, outline, titles, tree

from tocwalk.errors import IngestError
from tocwalk.ingest.epub import extract


def test_pages_are_read_in_the_order_of_the_spine() -> None:
    """The spine decides the reading order, not the manifest and not the archive."""
    book = entries({"b.xhtml": "<h1>Second</h1>", "a.xhtml": "<h1>First</h1>"}, spine=["a.xhtml", "b.xhtml"])
    assert titles(tree(extract, archive(book))) == ["First", "Second"]


def test_nested_navigation_gives_the_levels_that_pages_do_not_have() -> None:
    """Where every page's heading is an `<h1>`, the table of contents tells parts from chapters; others follow."""
    book = entries(
        {
            "p1.xhtml": "<h1>Part One</h1>",
            "c1.xhtml": '<h1 id="x">Chapter 1. Arrival</h1><p>Text.</p><h2>A day</h2><p>Text.</p><h3>An hour</h3>',
            "p2.xhtml": "<h1>Part Two</h1>",
            "c2.xhtml": "<h1>Chapter 2. Departure</h1><h2>Night</h2>",
        },
        nav='<ol><li><a href="p1.xhtml">Part One</a><ol><li><a href="c1.xhtml#x">Arrival</a></li></ol></li>'
        '<li><a href="p2.xhtml">Part Two</a><ol><li><a href="c2.xhtml">Departure</a></li></ol></li></ol>',
    )
    assert outline(tree(extract, archive(book))) == [
        (1, "Part One", ""),
        (2, "Chapter 1", "Arrival"),
        (3, None, "A day"),
        (4, None, "An hour"),
        (1, "Part Two", ""),
        (2, "Chapter 2", "Departure"),
        (3, None, "Night"),
    ]


def test_an_epub_2_table_of_contents_is_read_too() -> None:
    """The NCX gives levels where there is no navigation page, and its repeated lines count once."""
    chapter = point("One", "one.xhtml")
    book = entries(
        {"part.xhtml": "<h2>Part</h2>", "one.xhtml": "<h2>One</h2>"},
        ncx=point("Part", "part.xhtml", point("Part", "part.xhtml") + chapter) + point("Not there", "none.xhtml"),
    )
    assert outline(tree(extract, archive(book))) == [(1, None, "Part"), (2, None, "One")]


def test_titles_that_only_the_table_of_contents_marks_are_headings() -> None:
    """A title printed in a paragraph is the heading; one that is a picture is a heading without text of its own."""
    book = entries(
        {
            "a.xhtml": "<p>CHAPTER I.</p><p>Down the Hole</p><p>It was dark.</p><p id='pool'>The Pool</p><p>Wet.</p>",
            "b.xhtml": '<p><img src="2.png"/></p><p>Dry again.</p>',
        },
        nav='<ol><li><a href="a.xhtml">Chapter I. Down the Hole</a></li><li><a href="a.xhtml#pool">The Pool</a></li>'
        '<li><a href="b.xhtml">A Race</a></li></ol>',
    )
    document = tree(extract, archive(book))
    assert outline(document) == [(1, "Chapter I", "Down the Hole"), (1, None, "The Pool"), (1, None, "A Race")]
    assert [section.found_by for section in document.sections[1:]] == ["contents"] * 3
    assert [section.text.strip() for section in document.sections[1:]] == [
        "CHAPTER I.\n\nDown the Hole\n\nIt was dark.",
        "The Pool\n\nWet.",
        "Dry again.",
    ]
    assert body(document, "A Race") == "Dry again."


def test_a_number_and_a_title_below_it_are_one_heading() -> None:
    """Two headings that the table of contents has on one line are one section, and others stay two."""
    book = entries(
        {
            "a.xhtml": "<h1>Chapter 1</h1><h2>The Beginning</h2><p>Text.",
            "b.xhtml": "<h1>Chapter 2</h1><h2>The End</h2><p>Text.<h2>After it</h2>",
            "c.xhtml": "<h1>Notes</h1><h2>To the first chapter</h2><p>Text.",
        },
        nav='<ol><li><a href="a.xhtml">Chapter 1: The Beginning</a></li><li><a href="b.xhtml">Chapter 2 – The End</a>'
        '</li><li><a href="c.xhtml">Notes</a></li></ol>',
    )
    assert outline(tree(extract, archive(book))) == [
        (1, "Chapter 1", "The Beginning"),
        (1, "Chapter 2", "The End"),
        (2, None, "After it"),
        (1, None, "Notes"),
        (2, None, "To the first chapter"),
    ]


def test_two_lines_that_lead_to_one_page_find_their_own_headings() -> None:
    """Lines of the table of contents without fragments are told apart by their titles."""
    book = entries(
        {"a.xhtml": "<h1>Part</h1><h1>Chapter</h1><p>Text.</p>", "b.xhtml": "<p>Other part</p><p>Other chapter</p>"},
        nav='<ol><li><a href="a.xhtml">Part</a><ol><li><a href="a.xhtml">Chapter</a></li></ol></li>'
        '<li><a href="b.xhtml">Other part</a><ol><li><a href="b.xhtml">Other chapter</a></li></ol></li></ol>',
    )
    assert outline(tree(extract, archive(book))) == [
        (1, None, "Part"),
        (2, None, "Chapter"),
        (1, None, "Other part"),
        (2, None, "Other chapter"),
    ]


def test_a_file_of_footnotes_is_text_like_any_other() -> None:
    """A page outside the main flow stands where the book lists it, and its references are in brackets."""
    book = entries(
        {
            "a.xhtml": '<h1>One</h1><p>Said<a epub:type="noteref" href="notes.xhtml#n1">1</a>.</p>',
            "notes.xhtml": '<h1>Notes</h1><aside epub:type="footnote" id="n1"><p>1. By whom?</p></aside>',
        }
    )
    document = tree(extract, archive(book))
    assert body(document, "One") == "Said[1]."
    assert body(document, "Notes") == "1. By whom?"


def test_the_printed_pages_numbers_are_no_text() -> None:
    """Marks of page breaks inside a paragraph are left out."""
    book = entries({"a.xhtml": '<h1>One</h1><p>Be<span epub:type="pagebreak" id="p7">7</span>fore.</p>'})
    assert tree(extract, archive(book)).text.split() == ["One", "Before."]


def test_title_and_metadata_are_the_packages() -> None:
    """Title, authors, language and date come from the package document."""
    metadata = (
        "<dc:title>On  Trees</dc:title><dc:creator>A. One</dc:creator><dc:creator>B. Two</dc:creator>"
        "<dc:language>en</dc:language><dc:date>2020</dc:date>"
    )
    document = tree(extract, archive(entries({"a.xhtml": "<h1>One</h1>"}, metadata=metadata)))
    assert document.title == "On Trees"
    assert document.metadata == {"author": "A. One; B. Two", "language": "en", "date": "2020"}


def test_names_of_pages_are_resolved_as_the_package_writes_them() -> None:
    """Percent signs and parent folders in references lead to the right pages; a missing page is a warning."""
    book = entries({"text/a.xhtml": "<h1>One</h1>"})
    book["OEBPS/book.opf"] = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
        '<item id="a" href="../my%20text/a%231.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="b" href="../../../etc/passwd" media-type="application/xhtml+xml"/>'
        '</manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    book["my text/a#1.xhtml"] = page("<h1>Found</h1>")
    document = tree(extract, archive(book))
    assert titles(document) == ["Found"]
    assert "etc/passwd" in document.warnings[0]


@pytest.mark.parametrize(
    ("change", "reason", "says"),
    [
        ({"META-INF/container.xml": None}, "parse_failed", "container.xml"),
        ({"META-INF/container.xml": "<container/>"}, "parse_failed", "names no package document"),
        ({"OEBPS/book.opf": "<package><spine>"}, "parse_failed", "unreadable"),
        ({"OEBPS/book.opf": "<package/>"}, "parse_failed", "lists no pages"),
        ({"OEBPS/a.xhtml": None}, "parse_failed", "none of the pages"),
        ({"OEBPS/a.xhtml": page("<div>" * 3000)}, "too_large", "nested"),
        (
            {"OEBPS/book.opf": '<!DOCTYPE package [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><package>&b;</package>'},
            "unsupported",
            "<!ENTITY",
        ),
        (
            {
                "META-INF/encryption.xml": '<encryption xmlns:e="urn:e"><e:CipherReference URI="OEBPS/a.xhtml"/>'
                "</encryption>"
            },
            "unsupported",
            "digital rights",
        ),
    ],
)
def test_a_book_that_cannot_be_read_is_refused_by_name(change: dict[str, str | None], reason: str, says: str) -> None:
    """Damaged, encrypted and hostile books raise an error that names the file and what is wrong with it."""
    book = entries({"a.xhtml": "<h1>One</h1>"}) | change
    data = archive({name: content for name, content in book.items() if content is not None})
    with pytest.raises(IngestError, match=f"'bad.epub.*{says}") as refused:
        extract(data, name="bad.epub")
    assert refused.value.reason == reason


def test_encrypted_fonts_are_no_obstacle() -> None:
    """A book whose fonts are obfuscated is read."""
    book = entries({"a.xhtml": "<h1>One</h1>"})
    book["META-INF/encryption.xml"] = '<encryption><CipherReference URI="OEBPS/font.otf"/></encryption>'
    assert titles(tree(extract, archive(book))) == ["One"]


def test_a_truncated_book_is_refused() -> None:
    """Half a file is no zip archive."""
    data = archive(entries({"a.xhtml": "<h1>One</h1>"}))
    with pytest.raises(IngestError, match="not a readable zip archive") as refused:
        extract(data[: len(data) // 2], name="half.epub")
    assert refused.value.reason == "parse_failed"


def test_a_damaged_page_is_refused() -> None:
    """A page whose bytes do not have the checksum that the archive promises raises an error that names it."""
    files = io.BytesIO()
    with zipfile.ZipFile(files, "w") as file:
        for name, content in entries({"a.xhtml": "<h1>Heading</h1>"}).items():
            file.writestr(name, content)
    with pytest.raises(IngestError, match="OEBPS/a.xhtml") as refused:
        extract(files.getvalue().replace(b"<h1>Heading", b"<h1>Reading"), name="bad.epub")
    assert refused.value.reason == "parse_failed"


TEXTS = st.sampled_from(["One", "Two", "", "x y"])
LEVELS = st.sampled_from(["h1", "h2", "h3", "p"])


@given(
    st.lists(
        st.lists(st.tuples(LEVELS, st.sampled_from(["One", "Two", "", "x y"]), st.booleans()), max_size=5), min_size=1
    ),
    st.randoms(use_true_random=False),
)
def test_any_table_of_contents_makes_a_tree_that_covers_the_text(
    pages: list[list[tuple[str, str, bool]]], choose: random.Random
) -> None:
    """Whatever the lines of the table of contents lead to, headings do not overlap and no text is lost."""
    blocks = {
        f"{number}.xhtml": "".join(f'<{tag} id="i{place}">{text}</{tag}>' for place, (tag, text, _) in enumerate(page))
        for number, page in enumerate(pages)
    }
    lines = [
        point(choose.choice([text, "One", "Three"]), f"{number}.xhtml" + choose.choice([f"#i{place}", ""]))
        for number, page in enumerate(pages)
        for place, (_, text, listed) in enumerate(page)
        if listed
    ]
    plain = tree(extract, archive(entries(blocks)))
    assert tree(extract, archive(entries(blocks, ncx="".join(lines)))).text == plain.text
