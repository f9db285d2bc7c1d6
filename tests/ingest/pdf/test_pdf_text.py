"""Tests of the text that is read from PDF files: order, words, tables, and that nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import BOLD, ITALIC, MONO, REGULAR, Pdf, plain_text, read, squeezed


def test_a_paragraph_becomes_one_line() -> None:
    """Lines of a paragraph are joined, for a name must not be cut in two where the line was full."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, "Minutes of the meeting were sent to all members of the Federal")
    page.text(72, 688, "Reserve and to the public.")
    assert "Federal Reserve and to the public." in read(pdf).text


def test_a_break_that_was_not_needed_is_kept() -> None:
    """A line that the next word would have fitted on ends where its writer ended it."""
    pdf = Pdf()
    page = pdf.page()
    for index, text in enumerate(
        ("Roses are red", "Violets are blue", "A line that is as long as the column is wide, to show it")
    ):
        page.text(72, 700 - 12 * index, text)
    assert read(pdf).text.startswith("Roses are red\nViolets are blue\n")


@pytest.mark.parametrize(
    ("first", "second", "elsewhere", "expected"),
    [
        ("inter\N{SOFT HYPHEN}", "national law", "international", "international law"),
        ("long-", "term debt", "long-term", "long-term debt"),
        ("long-", "term debt", "longterm", "longterm debt"),
        ("non-", "European states", "", "non-European states"),
        ("pre-", "2020 rules", "", "pre-2020 rules"),
    ],
)
def test_hyphens_at_line_ends_are_resolved(first: str, second: str, elsewhere: str, expected: str) -> None:
    """A word that was divided at the end of a line is whole again, and a compound keeps its hyphen."""
    pdf = Pdf()
    page = pdf.page()
    page.paragraph(72, 700, 3)
    page.text(72, 600, f"the matter that all of these many words are about is {first}")
    page.text(72, 588, f"{second} {elsewhere}")
    assert expected in read(pdf).text


def test_ligatures_are_letters() -> None:
    """Ligatures are read as the letters they stand for, so that words can be found."""
    pdf = Pdf()
    pdf.page().text(72, 700, "e\N{LATIN SMALL LIGATURE FFI}cient \N{LATIN SMALL LIGATURE FI}ling")
    assert "efficient filing" in read(pdf).text


def test_kerned_glyphs_are_words() -> None:
    """Characters drawn one by one, a little apart, make words and not fragments."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, "Propertie").text(72 + 9 * 5 + 1.1, 700, "s").text(72 + 9 * 5 + 11, 700, "owned")
    page.glyphs(72, 600, "OVERVIEW", 10, BOLD, kern=0.8)
    text = read(pdf).text
    assert "Properties owned" in text
    assert "OVERVIEW" in text


def test_many_glyphs_of_their_own_are_read_in_linear_time() -> None:
    """A page of thousands of text objects of one character each is read like any other."""
    pdf = Pdf()
    page = pdf.page()
    for line in range(60):
        page.glyphs(40, 760 - 12 * line, "every single character here was placed on its own " * 2)
    assert read(pdf).text.count("every single character here was placed on its own") == 120


def test_columns_are_read_one_after_the_other() -> None:
    """Two columns are read down the first and then down the second, also where they were drawn line by line."""
    left = [f"left column line {index} runs on to the edge" for index in range(12)]
    right = [f"right column line {index} runs on to its edge" for index in range(12)]
    by_column, by_line = Pdf(), Pdf()
    page = by_column.page()
    for x, texts in ((60, left), (320, right)):
        for index, text in enumerate(texts):
            page.text(x, 700 - 12 * index, text)
    page = by_line.page()
    for index in range(12):
        page.text(60, 700 - 12 * index, left[index]).text(320, 700 - 12 * index, right[index])
    for pdf in (by_column, by_line):
        text = squeezed(read(pdf).text)
        assert text == squeezed("".join(left + right))


def test_a_box_that_was_drawn_last_is_read_where_it_stands() -> None:
    """What stands between two paragraphs is read between them, even if it was drawn at the end."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 700, "First of all there is this paragraph that goes from edge to edge of the page.")
    page.text(72, 500, "Last of all there is this paragraph that goes from edge to edge of the page.")
    page.text(90, 600, "Between them stands a box.")
    text = read(pdf).text
    assert text.index("First") < text.index("Between") < text.index("Last")


def test_a_table_keeps_its_rows() -> None:
    """Every row of a table is one line with its label and its values, in columns."""
    pdf = Pdf()
    page = pdf.page()
    page.paragraph(72, 740, 3)
    rows = [("Cash", "1,200", "900"), ("Securities held", "10", "3,456"), ("Total", "1,210", "4,356")]
    for index, (label, this, last) in enumerate(rows):
        y = 640 - 14 * index
        page.text(72, y, label).text(300 - 5 * len(this), y, this).text(400 - 5 * len(last), y, last)
    page.paragraph(72, 560, 3)
    lines = [line.split() for line in read(pdf).text.splitlines()]
    for label, this, last in rows:
        assert [*label.split(), this, last] in lines


def test_a_table_drawn_cell_by_cell_keeps_its_rows() -> None:
    """Cells of several lines stand beside the values of their row, in whatever order they were drawn."""
    pdf = Pdf()
    page = pdf.page()
    for index, (label, value) in enumerate((("Loans", "17"), ("Deposits", "25"), ("Other", "31"))):
        y = 640 - 40 * index
        page.text(72, y, f"{label} to banks and").text(72, y - 12, "other lenders").text(300, y, value).text(
            400, y, "see note"
        )
    lines = [line.split() for line in read(pdf).text.splitlines()]
    assert ["Loans", "to", "banks", "and", "17", "see", "note"] in lines
    assert ["Deposits", "to", "banks", "and", "25", "see", "note"] in lines


def test_code_keeps_its_lines_and_indentation() -> None:
    """Lines in a font of fixed width are not run together."""
    pdf = Pdf()
    page = pdf.page()
    page.paragraph(72, 740, 4)
    page.text(72, 600, "if ready:", 10, MONO).text(92, 588, "start()", 10, MONO).text(72, 576, "else:", 10, MONO)
    assert "if ready:\n    start()\nelse:\n" in read(pdf).text


def test_a_sentence_goes_on_over_the_page_break() -> None:
    """A sentence that is cut by the end of a page is whole, and the next page begins within it."""
    pdf = Pdf()
    pdf.page().text(72, 700, "The committee met in order to decide what")
    pdf.page().text(72, 700, "should be done about it.")
    extracted = read(pdf)
    assert "decide what should be done about it." in extracted.text
    assert extracted.text[extracted.pages[1].offset :].startswith("should be done")


@pytest.mark.parametrize("turn", [0, 90, 270])
def test_a_page_on_its_side_is_read_like_any_other(turn: int) -> None:
    """Lines of a page whose text runs up or down the sheet are lines."""
    pdf = Pdf()
    page = pdf.page(rotate=turn)
    for index in range(4):
        along, across = 100 if turn != 270 else 600, 300 - 12 * index
        x, y = {0: (along, across), 90: (612 - across, along), 270: (across, along)}[turn]
        page.text(x, y, f"line {index} of this page that is turned", turn=turn)
    assert squeezed(read(pdf).text) == squeezed(
        "".join(f"line {index} of this page that is turned" for index in range(4))
    )


_TEXT = st.text(
    st.sampled_from("abcdefgh ABC 0123.,;()-\N{EM DASH}é条\N{GREEK SMALL LETTER ALPHA}"), min_size=1, max_size=30
)
_PIECES = st.lists(
    st.tuples(
        st.integers(20, 560), st.integers(20, 770), _TEXT, st.sampled_from([6, 9, 10, 14, 24]),
        st.sampled_from([REGULAR, BOLD, ITALIC, MONO]), st.sampled_from([0, 0, 0, 90, 270]),
    ),
    max_size=25,
)  # fmt: skip


@given(st.lists(_PIECES, min_size=1, max_size=4))
def test_no_character_is_lost(pages: list[list[tuple[int, int, str, int, str, int]]]) -> None:
    """Wherever text stands on a page, each character that pdfium reads is in the text or reported as running."""
    pdf = Pdf()
    for pieces in pages:
        page = pdf.page()
        page.text(72, 400, "always some text")
        for x, y, text, size, font, turn in pieces:
            page.text(x, y, text, size, font, turn=turn)
    extracted = read(pdf)
    kept = extracted.text + "".join(extracted.running_text) * len(pages)
    drawn = squeezed(plain_text(pdf.build())).replace("\x02", "")
    for character in set(drawn):
        assert kept.count(character) >= drawn.count(character)


def test_items_of_a_list_begin_lines() -> None:
    """Bullets and numbered items are not run together, though the lines before them were full."""
    pdf = Pdf()
    page = pdf.page()
    items = (
        "\N{BULLET} The first of these goes on until the line is full,",
        "\N{BULLET} and the second does as well, up to the very same edge;",
        "(a) after that there are some which are numbered, like this;",
        "(b) this is the last of them and it is as long as the others.",
    )
    for index, item in enumerate(items):
        page.text(72, 700 - 12 * index, item)
    assert read(pdf).text.splitlines() == list(items)
