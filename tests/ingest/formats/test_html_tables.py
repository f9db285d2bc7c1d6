"""Tests of the HTML reader: tables."""

from __future__ import annotations

from outlines import body, titles
from pages import page


def test_a_table_with_data_is_markdown() -> None:
    """A rectangular table is a Markdown table whose cells are on one line and whose bars are escaped."""
    document = page(
        "<h1>T</h1><table><caption>Costs</caption><thead><tr><th>Item</th><th>Cost</th></tr></thead>"
        "<tr><td>a|b</td><td>1<br>2</td></tr><tr><td colspan=2>All</td></tr></table><p>After.</p>"
    )
    assert body(document, "T") == ("Costs\n\n| Item | Cost |\n| --- | --- |\n| a\\|b | 1<br>2 |\n| All |  |\n\nAfter.")


def test_a_table_whose_rows_differ_is_text() -> None:
    """A table whose rows have different numbers of cells keeps each row on a line of its own."""
    document = page("<h1>T</h1><table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>")
    assert body(document, "T") == "a | b\nc"


def test_a_box_around_text_is_no_table() -> None:
    """A table of one row or one column only lays the page out, and its paragraphs stay paragraphs."""
    document = page("<h1>T</h1><table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>")
    assert body(document, "T") == "a\nb\nc"


def test_rows_with_a_heading_each_are_sections_that_carry_their_columns_labels() -> None:
    """In a table whose rows have a heading each, a row's cells are in the section of its heading, with their labels."""
    document = page(
        "<h1>T</h1><table><tr><th>Use</th><th>Name</th><th>Type</th></tr>"
        "<tr><td>0 or 1</td><td><h4>Alpha</h4><p>First.</p></td><td>string</td></tr>"
        "<tr><td>2</td><td><h4>Beta</h4></td><td></td></tr></table>"
    )
    assert titles(document) == ["T", "Alpha", "Beta"]
    assert body(document, "Alpha") == "First.\nUse: 0 or 1\nType: string"
    assert body(document, "Beta") == "Use: 2"


def test_a_page_laid_out_in_a_table_is_read_from_left_to_right() -> None:
    """A menu in the first column of a layout table stays before the headings of the second."""
    document = page("<table><tr><td>Menu</td><td><h1>A</h1><p>Text.</p></td></tr></table>")
    assert [section.text.strip() for section in document.sections] == ["Menu", "A\n\nText."]
