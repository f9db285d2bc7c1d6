"""Tests of pages, their printed numbers, and running headers and footers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from pdfs import BOLD, ITALIC, Pdf, outline, read

from tocwalk.ingest.pdf import extract
from tocwalk.ingest.structure import build_document


def report(*footers: str, header: str = "Report of the Year") -> Pdf:
    """Return a file with one paragraph per page, a header and these footers."""
    pdf = Pdf()
    for footer in footers:
        page = pdf.page()
        page.text(72, 770, header, 8)
        page.paragraph(72, 700, 6)
        page.text(280, 30, footer, 8)
    return pdf


def test_running_headers_and_footers_are_taken_out_and_reported() -> None:
    """What repeats at the edges of the pages interrupts no text, and is listed as it was printed."""
    extracted = read(report("Page 1 of 3", "Page 2 of 3", "Page 3 of 3"))
    assert "Report of the Year" not in extracted.text
    assert "of 3" not in extracted.text
    assert set(extracted.running_text) == {"Report of the Year", "Page 1 of 3", "Page 2 of 3", "Page 3 of 3"}


def test_what_stands_on_two_pages_only_is_text() -> None:
    """A header that does not repeat three times stays in the text, and is no heading."""
    pdf = report("1", "2", "3", "4", header="")
    for page in pdf.pages[:2]:
        page.text(72, 770, "Chapter 1 Beginnings", 8, BOLD)
    extracted = read(pdf)
    assert extracted.text.count("Chapter 1 Beginnings") == 2
    assert extracted.headings == ()


def test_articles_at_the_top_of_pages_are_kept() -> None:
    """Headings "Article 7" and "Article 8" at the top of two pages differ in their numbers alone, and are headings."""
    pdf = Pdf()
    for number in range(1, 7):
        page = pdf.page()
        page.text(280, 750, f"Article {number}", 10, ITALIC)
        page.text(250, 738, f"Right of kind {number}", 10, BOLD)
        page.paragraph(72, 700, 6)
        page.text(300, 30, str(number), 8)
    assert [number for _, number, _ in outline(pdf)] == [f"Article {number}" for number in range(1, 7)]


def test_numbered_headings_at_the_top_of_pages_are_kept() -> None:
    """Chapters that begin on pages of the same number are not taken for running headers with page numbers."""
    pdf = Pdf()
    for number in range(1, 6):
        page = pdf.page()
        page.text(72, 740, f"{number} Chapter", 18, BOLD)
        page.paragraph(72, 700, 6)
        page.text(300, 30, str(number), 8)
    assert [number for _, number, _ in outline(pdf)] == ["1", "2", "3", "4", "5"]


def test_a_title_that_later_runs_as_header_stays_in_the_text() -> None:
    """The title of the first page is text though it is every page's header."""
    pdf = report("1", "2", "3", "4")
    pdf.pages[0].text(72, 740, "Report of the Year", 24, BOLD)
    extracted = read(pdf)
    assert extracted.text.startswith("Report of the Year\n")
    assert build_document(extracted, document_id="d", source="d.pdf", sha256="").title == "Report of the Year"


def test_text_along_the_margin_is_no_heading() -> None:
    """A notice that runs up the side of every page is reported, and no heading is made of it."""
    pdf = report("1", "2", "3")
    for page in pdf.pages:
        page.text(20, 200, "Free of charge from the publisher", 14, BOLD, turn=90)
    extracted = read(pdf)
    assert "Free of charge from the publisher" in extracted.running_text
    assert extracted.headings == ()


def test_a_link_to_the_contents_on_every_page_is_no_heading() -> None:
    """A line "Table of Contents" at the head of each page is a running text."""
    extracted = read(report("1", "2", "3", header="Table of Contents"))
    assert extracted.headings == ()
    assert "Table of Contents" in extracted.running_text


@pytest.mark.parametrize(
    ("footers", "labels"),
    [
        (("i", "ii", "iii", "1", "2", "3"), ["i", "ii", "iii", "1", "2", "3"]),
        (("15 of 233", "16 of 233", "17 of 233"), ["15", "16", "17"]),
        (("A-1", "A-2", "A-3"), ["A-1", "A-2", "A-3"]),
        (("- 4 -", "- 5 -", "- 6 -", "", "- 8 -"), ["4", "5", "6", "7", "8"]),
        (("", "", ""), [None, None, None]),
    ],
)
def test_printed_page_numbers_are_labels(footers: tuple[str, ...], labels: list[str | None]) -> None:
    """Pages are physical, and carry the number that is printed on them."""
    extracted = read(report(*footers))
    assert [page.number for page in extracted.pages] == list(range(1, len(footers) + 1))
    assert [page.label for page in extracted.pages] == labels


def test_page_labels_of_the_file_come_first() -> None:
    """Where the file names its pages, these names are taken."""
    pdf = report("1", "2", "3")
    pdf.labels = "0 << /S /r >> 2 << /S /D /St 7 >>"
    assert [page.label for page in read(pdf).pages] == ["i", "ii", "7"]


def test_sections_know_their_pages() -> None:
    """A section begins on the page of its heading and ends where its text ends; empty pages count."""
    pdf = Pdf()
    for title in ("First Chapter", None, "Second Chapter", "Third Chapter"):
        page = pdf.page()
        if title:
            page.text(72, 700, title, 18, BOLD)
            page.paragraph(72, 660, 6)
    document = build_document(read(pdf), document_id="d", source="d.pdf", sha256="")
    document.check()
    assert [(s.title, s.page_start, s.page_end) for s in document.sections[1:]] == [
        ("First Chapter", 1, 1), ("Second Chapter", 3, 3), ("Third Chapter", 4, 4),
    ]  # fmt: skip
    assert document.pages == 4


def test_threads_may_read_at_the_same_time() -> None:
    """Files read by several threads at once are read as they are read alone."""
    files = [report(*"12345", header=f"Report {letter}").build() for letter in "abcdefgh"]
    alone = [extract(data, name="a.pdf") for data in files]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda data: extract(data, name="a.pdf"), files))
    assert together == alone


def test_reading_twice_gives_the_same() -> None:
    """The same bytes give the same text, headings and pages."""
    data = report("1", "2", "3").build()
    assert extract(data, name="a.pdf") == extract(data, name="a.pdf")


def test_labels_that_only_count_give_way_to_printed_numbers() -> None:
    """A file that names its pages 1, 2, 3 says nothing that the numbers printed on them do not say better."""
    pdf = report("i", "ii", "iii", "1", "2", "3")
    pdf.labels = "0 << /S /D >>"
    assert [page.label for page in read(pdf).pages] == ["i", "ii", "iii", "1", "2", "3"]


def test_properties_are_metadata() -> None:
    """Title, author and day of creation come from the file's properties."""
    pdf = report("1", "2", "3")
    pdf.title = "Report of the Year"
    pdf.pages[0].text(72, 740, "Report of the Year", 24, BOLD)
    pdf.properties = "/Author (Nobody) /CreationDate (D:20240229120000Z)"
    extracted = read(pdf)
    assert extracted.title == "Report of the Year"
    assert extracted.metadata == {"author": "Nobody", "date": "2024-02-29"}


def test_a_header_that_stands_far_in_is_a_running_one() -> None:
    """A header below a wide margin is taken out like one at the edge of the sheet."""
    pdf = Pdf()
    for number in range(1, 6):
        page = pdf.page()
        page.text(72, 688, "Office of Letters and Parcels", font=ITALIC).text(500, 688, str(number))
        page.paragraph(72, 640, 20)
    extracted = read(pdf)
    assert "Office of Letters" not in extracted.text
    assert "Office of Letters and Parcels" in extracted.running_text
