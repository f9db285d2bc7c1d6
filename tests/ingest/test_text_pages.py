"""Pages of plain text: form feeds, running headers and footers, RFCs."""

from __future__ import annotations

from tocwalk.ingest.structure import build_document
from tocwalk.ingest.text import extract
from tocwalk.tree import Document


def page(number: int, *lines: str, feed: str = "\f") -> str:
    """Return a page of an RFC: header, lines, footer."""
    header = [] if number == 1 else ["RFC 9999                  Lantern Protocol                 March 2031", "", ""]
    footer = ["", "", f"Doe                         Informational                      [Page {number}]"]
    return "\n".join([*header, *lines, *footer]) + "\n" + feed


FRONT = """
Internet Engineering Task Force (IETF)                            J. Doe
Request for Comments: 9999                                    Lantern Co
Category: Informational                                       March 2031


                          The Lantern Protocol

Abstract

   This document describes a protocol for lanterns.  It is small, and
   needs no configuration.

Table of Contents

   1.  Introduction . . . . . . . . . . . . . . . . . . . . . . . . .  2
     1.1.  Requirements Language  . . . . . . . . . . . . . . . . . .  2
   2.  Status Codes . . . . . . . . . . . . . . . . . . . . . . . . .  3
   Appendix A.  Examples  . . . . . . . . . . . . . . . . . . . . . .  3
   Acknowledgements . . . . . . . . . . . . . . . . . . . . . . . . .  3
"""
SECOND = """
1.  Introduction

   Lanterns talk to one another.  Section 2 lists what they say, and the
   text of this paragraph goes on over the end of the
"""
THIRD = """
   page, as texts do.

1.1.  Requirements Language

   1.  Lanterns MUST be lit.

   2.  Lanterns SHOULD be hung up high, where everybody can see them and
       nobody runs into them.

2.  Status Codes

   There are two of them.

2.1.  100 Continue

   The lantern goes on.

2.2.  A Status Code with a Title That Is So Long That It Goes On over to
      the Next Line

   The lantern is out.
"""
FOURTH = """
Appendix A.  Examples

A.1.  A Lantern

   There is one lantern.

Acknowledgements

   The author thanks the lanterns.
"""


def rfc(feed: str = "\f") -> str:
    """Return the whole RFC."""
    return "".join(
        page(number, *text.strip("\n").split("\n"), feed=feed)
        for number, text in enumerate([FRONT, SECOND, THIRD, FOURTH], start=1)
    )


def build(text: str) -> Document:
    """Return the document, checked."""
    document = build_document(extract(text.encode(), name="x.txt"), document_id="x", source="x", sha256="")
    document.check()
    return document


EXPECTED = [
    (1, None, "Abstract"),
    (1, None, "Table of Contents"),
    (1, "1", "Introduction"),
    (2, "1.1", "Requirements Language"),
    (1, "2", "Status Codes"),
    (2, "2.1", "100 Continue"),
    (2, "2.2", "A Status Code with a Title That Is So Long That It Goes On over to the Next Line"),
    (1, "Appendix A", "Examples"),
    (2, "A.1", "A Lantern"),
    (1, None, "Acknowledgements"),
]


def test_an_rfc() -> None:
    """Numbered and unnumbered headings at the left edge are sections; contents and lists are not."""
    document = build(rfc())
    assert [(s.depth, s.number, s.title) for s in document.sections[1:]] == EXPECTED
    assert document.title == "The Lantern Protocol"


def test_form_feeds_are_pages_with_their_printed_numbers() -> None:
    """Sections have the pages on which they begin and end, and the numbers printed there."""
    document = build(rfc())
    assert document.pages == 4
    pages = {s.title: (s.page_start, s.page_end, s.label_start) for s in document.sections}
    assert pages["Introduction"] == (2, 3, "2")
    assert pages["Status Codes"] == (3, 3, "3")
    assert pages["Acknowledgements"] == (4, 4, "4")


def test_headers_and_footers_are_taken_out_and_reported() -> None:
    """Lines that come again on each page are no part of the text, and nothing else is lost."""
    document = build(rfc())
    assert "[Page" not in document.text
    assert "RFC 9999 " not in document.text
    assert len(document.running_text) == 7
    kept = "".join([document.text, *document.running_text]).split()
    assert sorted("".join(kept)) == sorted("".join(rfc().split()))


def test_a_paragraph_goes_on_over_a_page_break() -> None:
    """A sentence that a page break cuts is whole again."""
    text = build(rfc()).text
    assert "over the end of the\n   page, as texts do." in text


def test_footers_divide_pages_where_form_feeds_are_gone() -> None:
    """A text that has lost its form feeds gives the same tree and the same pages."""
    with_feeds, without = build(rfc()), build(rfc(feed=""))
    assert [(s.id, s.page_start) for s in without.sections] == [(s.id, s.page_start) for s in with_feeds.sections]


def test_lines_that_differ_from_page_to_page_stay() -> None:
    """Form feeds alone take nothing out of the text."""
    document = build("First page.\n\fSecond side.\n\fThird leaf.\n")
    assert document.pages == 3
    assert document.running_text == ()
    assert document.text == "First page.\n\nSecond side.\n\nThird leaf.\n"


def test_a_text_of_empty_pages_is_read() -> None:
    """Form feeds without text between them are pages too."""
    assert build("\f\f\fA text.\f").pages == 4


def test_headings_at_the_tops_of_pages_are_no_running_lines() -> None:
    """The lines "Article 1", "Article 2", "Article 3" differ by more than a page number."""
    text = "\f".join(f"Article {number}\n\nTitle of it\n\nThe text of it is this.\n" for number in range(1, 6))
    assert [s.number for s in build(text).sections[1:]] == [f"Article {number}" for number in range(1, 6)]
