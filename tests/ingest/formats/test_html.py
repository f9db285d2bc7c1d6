"""Tests of the HTML reader."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from outlines import body, outline, titles
from pages import page

from tocwalk.errors import IngestError
from tocwalk.ingest.html import extract
from tocwalk.ingest.html.limits import MAX_ATTRIBUTES, MAX_DEPTH


def test_headings_are_found_wherever_they_stand() -> None:
    """A heading inside a layout table, a custom element or a list item is a section like any other."""
    document = page(
        "<h1>Top</h1><table><tr><td>x</td><td><h2>In a cell</h2><p>Text.</p></td></tr></table>"
        "<my-card><h2>In a custom element</h2></my-card><ul><li><h2>In an item</h2></li></ul>"
        '<div role="heading" aria-level="3">By role</div>'
    )
    assert outline(document) == [
        (1, None, "Top"),
        (2, None, "In a cell"),
        (2, None, "In a custom element"),
        (2, None, "In an item"),
        (3, None, "By role"),
    ]


@pytest.mark.parametrize(
    "heading",
    [
        '<h2><span class="secno">2.1.</span><span>Scope</span></h2>',
        '<h2><a href="#s2.1">2.1.</a>&nbsp;<a href="#scope">Scope</a></h2>',
        '<h2><span class="section-number">2.1. </span>Scope<a class="headerlink" href="#scope">¶</a></h2>',
        '<h2>2.1. <em>Sc</em>ope<sup><a href="#fn1">1</a></sup></h2>',
        "<h2>2.1.<br>Scope</h2>",
        "<h2>\n  2.1.\n  Sc&shy;ope\n</h2>",
    ],
)
def test_a_number_in_an_element_of_its_own_is_the_sections_number(heading: str) -> None:
    """Number and title are told apart whatever elements they are in, and marks of links and notes are in neither."""
    assert outline(page(f"<h1>Top</h1>{heading}<p>Text.")) == [(1, None, "Top"), (2, "2.1", "Scope")]


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("<h2><span>2</span><span>Scope</span></h2>", "2", "Scope"),
        ("<h2><span>Article 5</span><em>Scope</em></h2>", "Article 5", "Scope"),
        ("<h2><span>§ 5</span><span>Scope</span></h2>", "§ 5", "Scope"),
        ("<h2><b>3</b>D printing</h2>", None, "3D printing"),
        ("<h2><b>I</b><small>ntroduction</small></h2>", None, "Introduction"),
    ],
)
def test_a_number_without_a_full_stop_is_one_before_an_element(heading: str, number: str | None, title: str) -> None:
    """Two elements side by side are number and title; an initial, or a digit of a word, is neither."""
    assert outline(page(f"<h1>Top</h1><h2>1 First</h2>{heading}<p>Text."))[-1] == (2, number, title)


def test_a_section_begins_with_its_heading_and_ends_before_the_next() -> None:
    """The text above the first heading is the document's own, and each section's text begins with its heading."""
    document = page("<p>Before.</p><h1>One</h1><p>First.</p><h2>Two</h2><p>Second.</p>")
    assert [section.text for section in document.sections] == [
        "Before.\n\n",
        "One\n\nFirst.\n\n",
        "Two\n\nSecond.\n",
    ]
    assert [section.body.strip() for section in document.sections] == ["Before.", "First.", "Second."]


def test_anchors_are_kept() -> None:
    """The id of a heading is its anchor; without one it is the id inside it, or the nearest before it."""
    document = page(
        '<div id="main"><h1 id="own"><a id="other"></a>A</h1><p>t</p>'
        '<h2><a name="inside"></a>B</h2><p>t</p><section id="around"><h2>C</h2></section><p>t</p><h2>D</h2></div>'
    )
    assert [section.metadata.get("anchor") for section in document.sections[1:]] == ["own", "inside", "around", None]


def test_what_is_not_the_pages_text_is_left_out() -> None:
    """Navigation, scripts, styles, templates and hidden elements give neither text nor headings."""
    document = page(
        "<head><title>T</title><style>h1 {}</style></head><nav><h2>Menu</h2></nav>"
        "<script>document.write('<h1>no</h1>')</script>"
        '<div role="navigation"><h2>Menu</h2></div><template><h2>no</h2></template><h2 hidden>no</h2>'
        '<div style="display: none"><h2>no</h2></div><!-- <h2>no</h2> --><iframe src="http://example.org/">no</iframe>'
        "<h1>Real</h1><p>Text.</p>"
    )
    assert document.text == "Real\n\nText.\n"


def test_pages_that_nest_sections_under_one_rank_of_heading_keep_their_nesting() -> None:
    """Where all headings are `<h1>`, as HTML 5 and DocBook allow, the sections around them tell what is below what."""
    nested = page(
        '<div class="book"><h1>Book</h1><div class="chapter"><h1>One</h1><section><h1>One one</h1></section></div>'
        '<div class="chapter"><h1>Two</h1></div></div>'
    )
    assert [(depth, title) for depth, _, title in outline(nested)] == [
        (1, "Book"),
        (2, "One"),
        (3, "One one"),
        (2, "Two"),
    ]


def test_layout_sections_do_not_change_ranks() -> None:
    """An `<h3>` in a section of its own is still below the `<h2>` before it."""
    document = page("<section><h2>A</h2></section><section><h3>B</h3></section><section><h2>C</h2></section>")
    assert [(depth, title) for depth, _, title in outline(document)] == [(1, "A"), (2, "B"), (1, "C")]


def test_preformatted_text_is_verbatim() -> None:
    """Blanks, blank lines and line breaks inside `<pre>` are kept."""
    document = page("<h1>T</h1><pre>\n  a   <b>b</b>\n\n\tc  \n</pre><p>After.</p>")
    assert document.sections[1].body == "\n  a   b\n\n\tc  \n\nAfter.\n"


def test_lists_are_marked_and_indented() -> None:
    """List items have their marker, numbers count as the page says, and nested lists are indented."""
    document = page(
        '<h1>T</h1><ul><li>a<ol start=3 type="a"><li>x</li><li><p>y</p><p>z</p></li></ol></li><li></li><li>b</li></ul>'
    )
    assert body(document, "T") == "- a\n  c. x\n  d. y\n    z\n- b"


def test_words_of_different_blocks_are_not_glued() -> None:
    """Blocks stand on lines of their own, inline elements do not part a word."""
    document = page("<h1>T</h1><div>one</div><div>two <b>th</b>ree</div>four<p>five<br>six&nbsp;seven")
    assert body(document, "T") == "one\ntwo three\nfour\n\nfive\nsix seven"


def test_a_footnotes_mark_is_no_digit_of_the_word_before() -> None:
    """A reference to a footnote is in brackets, in the text and not in a title."""
    document = page('<h2>Fees<sup><a href="#f1">1</a></sup></h2><p>In 1999<sup><a href="#f2">2</a></sup>.')
    assert titles(document) == ["Fees"]
    assert document.text == "Fees[1]\n\nIn 1999[2].\n"


def test_powers_are_not_read_as_longer_numbers() -> None:
    """A number set high behind a number is told apart from it; letters set high are not."""
    assert (
        page("<p>10<sup>6</sup> is the 1<sup>st</sup> of <b>2</b> <sup>3</sup></p>").text == "10^6 is the 1st of 2 3\n"
    )


def test_a_heading_that_is_a_picture_has_the_pictures_description() -> None:
    """A heading without words is named by its picture, one with words is not, and one with neither is none."""
    document = page('<h1><img alt="The Beginning"></h1><h1><img alt="logo"> Two</h1><h1><img src="x"></h1>')
    assert titles(document) == ["The Beginning", "Two"]


@pytest.mark.parametrize(
    ("markup", "encoding"),
    [
        ("<meta charset=windows-1251><h1>Глава</h1>", "cp1251"),
        ('<meta http-equiv=Content-Type content="text/html; charset=shift_jis"><h1>第一章 概要</h1>', "cp932"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?><h1>“Größe”</h1>', "cp1252"),
        ("<meta charset=latin1><h1>Größe</h1>", "utf-8-sig"),
        ("<h1>Größe</h1>", "utf-16"),
        ("<h1>Größe</h1>", "utf-8"),
        ("<!-- <meta charset=windows-1251> --><h1>Größe</h1>", "utf-8"),
    ],
)
def test_the_encoding_is_the_mark_then_the_declaration(markup: str, encoding: str) -> None:
    """A byte order mark is believed before a declaration, and a declaration before a guess."""
    expected = re.sub("<!--.*?-->|<[^<>]*>", "", markup)
    document = page(markup.encode(encoding))
    assert document.text == f"{expected}\n"
    assert document.warnings == ()


def test_utf8_is_told_from_a_wrong_declaration() -> None:
    """Bytes that are UTF-8 are read as such, whatever encoding of one byte a character the page names."""
    for declared in ("us-ascii", "latin1", "windows-1251"):
        document = page(f"<meta charset={declared}><h1>Naïve “Größe”</h1>".encode())
        assert titles(document) == ["Naïve “Größe”"]
        assert "but it is UTF-8" in document.warnings[0]


def test_a_guessed_or_wrong_encoding_is_reported() -> None:
    """A page that is not what it says it is, or says nothing, is read with a warning."""
    wrong = page('<meta charset="utf-8"><h1>Größe und Maß</h1>'.encode("cp1252"))
    silent = page("<h1>Größe und Maß</h1>".encode("cp1252"))
    assert titles(wrong) == titles(silent) == ["Größe und Maß"]
    assert any("says that it is utf-8" in warning for warning in wrong.warnings)
    assert any("guess" in warning for warning in silent.warnings)


def test_xhtml_is_read_as_xml_has_it() -> None:
    """Empty elements do not swallow what follows them, and CDATA sections are text."""
    document = page(
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/></head>'
        '<body><h1><a id="x"/>A</h1><p/><p>1 <![CDATA[< 2 & 3]]></p><h1>B</h1></body></html>'
    )
    assert titles(document) == ["A", "B"]
    assert body(document, "A") == "1 < 2 & 3"


def test_the_title_is_the_only_top_heading_else_the_pages_title() -> None:
    """A page is named by its one heading of the top level, and by `<title>` where there are several or none."""
    assert page("<title>Site | One</title><h1>1. One</h1><h2>x</h2>").title == "One"
    assert page("<title> Two\n parts </title><h1>A</h1><h1>B</h1>").title == "Two parts"


def test_metadata_that_the_page_gives_can_be_filtered() -> None:
    """Language, author and date are document metadata."""
    document = page(
        '<html lang="en"><meta name="author" content="A. Writer"><meta name="date" content="2024-05-01"><h1>T'
    )
    assert document.metadata == {"language": "en", "author": "A. Writer", "date": "2024-05-01"}


def test_a_page_without_headings_is_one_section_with_a_warning() -> None:
    """No heading is invented for a page that has none."""
    document = page("<p>Just text.</p>")
    assert len(document.sections) == 1
    assert "No headings" in document.warnings[0]


def test_a_page_with_too_many_levels_is_refused_before_it_is_parsed() -> None:
    """Elements nested deeper than the limit raise an error that names file and limit; unclosed items do not count."""
    with pytest.raises(IngestError, match=f"'deep.html'.*{MAX_DEPTH}") as refused:
        extract(b"<div>" * (MAX_DEPTH + 1) + b"<h1>x</h1>", name="deep.html")
    assert refused.value.reason == "too_large"
    harmless = (
        "<p>text<li>item" * 3000,
        f"<svg>{'<path d=M0 />' * 3000}</svg>",
        f"<script>const parts = '{'<div>' * 3000}'</script>",
        f"<!-- {'<div>' * 3000} -->",
        "<div><span></span></div>" * 3000,
    )
    assert all(titles(page(f"{markup}<h1>x</h1>")) == ["x"] for markup in harmless)
    assert titles(page("<div>" * (MAX_DEPTH - 1) + "<h1>x</h1>")) == ["x"]


SOUP = """<h1> </h1> <h3> <table> <td> <tr> <pre> <li> <ul> </ul> <section> </section> <p> text <br> </table> <nav>
    </nav> <sup> <a\xa0href=#x\xa0id=y> <math> <svg> <select> &nbsp; <div\xa0role=heading> </div> <![CDATA[ <?xml?> \0
    <img\xa0alt=z>"""


def test_an_element_with_too_many_attributes_is_refused_before_it_is_parsed() -> None:
    """Attributes are counted in the markup, as a parser compares each with each."""
    markup = f"<p {' '.join(f'a{n}=1' for n in range(MAX_ATTRIBUTES + 1))}>x"
    with pytest.raises(IngestError, match=r"'wide\.html' has an element with more than") as refused:
        extract(markup.encode(), name="wide.html")
    assert refused.value.reason == "too_large"


@given(st.lists(st.sampled_from([*(tag.replace("\xa0", " ") for tag in SOUP.split(" ")), " ", "\n"])))
def test_any_soup_of_tags_makes_a_tree_that_covers_its_text(soup: list[str]) -> None:
    """Whatever the markup, every character of the text is in exactly one section, which begins with its heading."""
    document = page("".join(soup))
    for section in document.sections[1:]:
        heading = section.text[: section.heading]
        assert heading.endswith("\n")
        assert not heading.startswith("\n")
        assert "".join(section.title.split()) in "".join(heading.replace("[", "").replace("]", "").split())


@pytest.mark.parametrize("name", ["rfc9110.html", "fedramp-extensions.html"])
def test_every_printed_heading_of_a_real_page_is_found(shared: Path, name: str) -> None:
    """The headings of real pages are those that a plain search for heading tags finds, in the same order."""
    source = (shared / "docs" / name).read_text(encoding="utf-8")
    printed = re.findall(r"<h([1-6])\b[^>]*>(.*?)</h\1>", source, re.DOTALL)
    found = extract(source.encode(), name=name)

    def letters(text: str) -> str:
        text = re.sub(r"&nbsp;|<[^>]*>", " ", text).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
        return "".join(text.split())

    assert [letters(text) for _, text in printed] == [letters(found.text[h.start : h.end]) for h in found.headings]
    assert all(letters(h.title) in letters(found.text[h.start : h.end]) for h in found.headings)


def test_a_page_that_marks_no_headings_is_read_like_plain_text() -> None:
    """Numbered paragraphs are headings where the page has no heading elements but its title."""
    names = ["Subject", "Scope", "Definitions", "Fees", "Entry into force"]
    articles = "".join(
        f"<p>Article {n}</p><p>{name}</p><p>{'This is what it says. ' * 5}</p>" for n, name in enumerate(names, start=1)
    )
    document = page(f"<h1>An Act</h1>{articles}")
    assert outline(document) == [
        (1, None, "An Act"),
        *((2, f"Article {n}", name) for n, name in enumerate(names, start=1)),
    ]
    assert document.sections[2].found_by == "layout"


def test_drawings_are_no_headings() -> None:
    """What stands in preformatted text is not taken for headings, unless the whole page is such a text."""
    lines = "\n\n".join(
        f"{n}. {name}\n\n{'The text. ' * 9}" for n, name in enumerate(["One", "Two", "Three", "Four"], 1)
    )
    assert titles(page(f"<h1>T</h1><pre>{lines}</pre><p>{'Much other text. ' * 99}</p>")) == ["T"]
    assert titles(page(f"<pre>{lines}</pre>")) == ["One", "Two", "Three", "Four"]
