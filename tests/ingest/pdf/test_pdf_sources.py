"""Tests of bookmarks, printed tables of contents, and how they are put together with the layout."""

from __future__ import annotations

import pytest
from pdfs import BOLD, Pdf, outline, read


def chapters(*, offset: int = 0, titles: tuple[str, ...] = ("Overview", "Markets", "Members")) -> Pdf:
    """Return a file of chapters, each on a page of its own with its number, and a deeper heading in each."""
    pdf = Pdf()
    for _ in range(offset):
        pdf.page()
    for number, title in enumerate(titles, 1):
        page = pdf.page()
        page.text(72, 700, f"{number} {title}", 18, BOLD)
        y = page.paragraph(72, 660, 4)
        page.text(72, y, f"Details of {title}", 12, BOLD)
        page.paragraph(72, y - 30, 4)
        page.text(300, 30, str(number))
    return pdf


def test_bookmarks_and_printed_headings_are_one() -> None:
    """A bookmark is the heading printed where it points, and headings that have none are found inside it."""
    pdf = chapters()
    for number, title in enumerate(("Overview", "Markets", "Members"), 1):
        pdf.bookmark(1, title, number, 720)
    extracted = read(pdf)
    assert [(h.level, h.number, h.title, h.found_by) for h in extracted.headings] == [
        (1, "1", "Overview", "bookmark"), (2, None, "Details of Overview", "layout"),
        (1, "2", "Markets", "bookmark"), (2, None, "Details of Markets", "layout"),
        (1, "3", "Members", "bookmark"), (2, None, "Details of Members", "layout"),
    ]  # fmt: skip
    assert extracted.text[extracted.headings[0].start : extracted.headings[0].end] == "1 Overview\n\n"


def test_text_above_a_heading_belongs_to_the_section_before() -> None:
    """A section that begins in the middle of a page begins at its heading."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 720, "First Matter", 14, BOLD)
    y = page.paragraph(72, 690, 5)
    page.text(72, y, "Second Matter", 14, BOLD)
    page.paragraph(72, y - 30, 5)
    pdf.bookmark(1, "First Matter", 1, 792)
    pdf.bookmark(1, "Second Matter", 1, 792)
    extracted = read(pdf)
    second = extracted.headings[1]
    assert extracted.text[: second.start].count("ends here.") == 1
    assert extracted.text[second.start :].startswith("Second Matter\n")


def test_a_bookmark_among_equal_titles_is_told_by_its_place() -> None:
    """Of two headings of the same name on one page, the bookmark's place says which is meant."""
    pdf = Pdf()
    page = pdf.page()
    for top, title in ((720, "Council"), (620, "Members"), (420, "Board"), (320, "Members")):
        page.text(72, top, title, 14, BOLD)
        page.paragraph(72, top - 24, 3)
    pdf.bookmark(1, "Members", 1, 334)
    marked = [h for h in read(pdf).headings if h.found_by == "bookmark"]
    assert len(marked) == 1
    assert read(pdf).text[marked[0].start :].count("ends here.") == 1


def test_a_bookmark_without_a_printed_title_stands_where_it_points() -> None:
    """A cover's bookmark is kept and takes no text for its heading."""
    pdf = chapters()
    pdf.bookmark(1, "Cover", 1)
    pdf.bookmark(1, "Overview", 1, 720)
    cover, overview = (h for h in read(pdf).headings if h.found_by == "bookmark")
    assert (cover.title, cover.start, cover.end) == ("Cover", 0, 0)
    assert overview.start == 0


def test_bookmarks_that_name_pages_say_nothing() -> None:
    """One bookmark per page, named after the page, is no outline."""
    pdf = chapters()
    for number in range(1, 4):
        pdf.bookmark(1, f"Page {number}", number)
    assert {h.found_by for h in read(pdf).headings} == {"layout"}


def test_complete_bookmarks_add_no_doubtful_headings() -> None:
    """Where every plain heading has a bookmark, words in bold are not made headings besides."""
    pdf = Pdf()
    for number in range(1, 7):
        page = pdf.page()
        page.text(72, 700, f"Chapter {number} Matters", 18, BOLD)
        y = page.paragraph(72, 660, 4)
        page.text(72, y, "Some bold words", 10, BOLD)
        page.paragraph(72, y - 14, 4)
        pdf.bookmark(1, f"Chapter {number} Matters", number, 720)
    assert {title for _, _, title in outline(pdf)} == {"Matters"}


ENTRIES = (
    ("1 Overview", "1"), ("1.1 Aims of what is described in this report and of the people who have", None),
    ("written it for you", "2"), ("2 Markets", "3"), ("Appendix", None), ("3 Members", "5"), ("4 Missing Here", "99"),
)  # fmt: skip


def contents(pdf: Pdf, page: int = 0, *, leaders: str = " . . . . . . . . ") -> Pdf:
    """Print a table of contents on a page: wrapped entries, entries without a number, one past the end of the file."""
    sheet = pdf.pages[page]
    sheet.text(72, 720, "Contents", 18, BOLD)
    for index, (title, number) in enumerate(ENTRIES):
        x, y = (90 if "1.1" in title or "written" in title else 72), 680 - 16 * index
        if number is None:
            sheet.text(x, y, title)
        else:
            sheet.text(x, y, f"{title}{leaders}").text(520, y - 1, number)
    return pdf


def body(pdf: Pdf) -> Pdf:
    """Print the sections that the contents name, all in the look of the body, which says nothing about them."""
    titles = ("1 Overview",
              "1.1 Aims of what is described in this report and of the people who have written it for you",
              "2 Markets", "Appendix", "3 Members")  # fmt: skip
    for number, title in enumerate(titles, 1):
        page = pdf.page()
        if len(title) > 80:
            page.text(72, 700, title[:70]).text(72, 688, title[70:].strip())
        else:
            page.text(72, 700, title)
        page.paragraph(72, 660, 12)
        page.text(300, 30, str(number))
    return pdf


@pytest.mark.parametrize("leaders", [" . . . . . . . . ", "..........", ""])
def test_a_printed_table_of_contents_is_an_outline(leaders: str) -> None:
    """Entries lead to pages and levels; wrapped ones are whole, those past the end of the file are left out."""
    pdf = Pdf()
    pdf.page()
    pdf.page()
    contents(body(pdf), 1, leaders=leaders)
    found = [(h.level, h.number, h.title) for h in read(pdf).headings if h.found_by == "contents"]
    assert found == [
        (1, "1", "Overview"),
        (2, "1.1", "Aims of what is described in this report and of the people who have written it for you"),
        (1, "2", "Markets"),
        (1, None, "Appendix"),
        (1, "3", "Members"),
    ]


def test_lines_of_contents_are_no_headings() -> None:
    """Entries set like headings are not headings themselves."""
    pdf = Pdf()
    sheet = pdf.page()
    sheet.text(72, 720, "Contents", 18, BOLD)
    for number in range(1, 7):
        sheet.text(72, 690 - 20 * number, f"{number} Title Number {number} ..........", 14, BOLD)
        sheet.text(500, 690 - 20 * number, str(number), 14, BOLD)
    for number in range(1, 7):
        page = pdf.page()
        page.text(72, 600, f"{number} Title Number {number}", 14, BOLD)
        page.paragraph(72, 560, 6)
    extracted = read(pdf)
    assert [h.number for h in extracted.headings if h.number] == [str(n) for n in range(1, 7)]
    pages = [page.offset for page in extracted.pages]
    assert all(h.start >= pages[1] for h in extracted.headings if h.number)


def test_front_matter_with_roman_numbers_is_found() -> None:
    """Contents that count the preface in Roman numerals lead to it, and to the chapters behind it."""
    pdf = Pdf()
    sheet = pdf.page()
    sheet.text(72, 720, "Contents", 18, BOLD)
    for index, (title, number) in enumerate(
        (("Preface", "ii"), ("Summary", "iii"), ("Methods", "1"), ("Findings", "2"))
    ):
        sheet.text(72, 690 - 16 * index, f"{title} ..............").text(500, 690 - 16 * index, number)
    for title, number in (("Preface", "ii"), ("Summary", "iii"), ("Methods", "1"), ("Findings", "2")):
        page = pdf.page()
        page.text(72, 640, title)
        page.paragraph(72, 600, 8)
        page.text(300, 30, number)
    found = [(h.title, h.found_by) for h in read(pdf).headings]
    assert [title for title, how in found if how == "contents"] == ["Preface", "Summary", "Methods", "Findings"]


def test_contents_without_page_labels_lead_by_their_common_distance() -> None:
    """Where pages carry no printed number, the distance that most titles agree on leads to all of them."""
    pdf = Pdf()
    pdf.page()
    sheet = pdf.page()
    for index, title in enumerate(("Alpha", "Beta", "Gamma", "Delta", "Omega")):
        sheet.text(72, 690 - 16 * index, f"{title} Matters ..........").text(500, 690 - 16 * index, str(1 + 2 * index))
    for title in ("Alpha", "Beta", "Gamma", "Delta", "Omega"):
        page = pdf.page()
        page.text(72, 640, f"{title} Matters")
        page.paragraph(72, 600, 8)
        page.text(72, 300, "Alpha Matters" if title == "Delta" else "something")
        pdf.page().paragraph(72, 600, 8)
    extracted = read(pdf)
    starts = [page.offset for page in extracted.pages]
    found = [h for h in extracted.headings if h.found_by == "contents"]
    assert [h.title for h in found] == [f"{title} Matters" for title in ("Alpha", "Beta", "Gamma", "Delta", "Omega")]
    assert [starts.index(h.start) + 1 for h in found] == [3, 5, 7, 9, 11]


def test_contents_of_a_filing_are_nested_by_their_words() -> None:
    """In columns of fragments, with centred parts, parts still hold items; sub-headings are within them."""
    items = (
        ("PART I", None),
        ("Item 1.", "Business"),
        ("Item 2.", "Properties"),
        ("PART II", None),
        ("Item 7.", "Analysis"),
    )
    pdf = Pdf()
    sheet = pdf.page()
    sheet.text(240, 740, "TABLE OF CONTENTS", 10, BOLD)
    for index, (number, title) in enumerate((*items, ("SIGNATURES", None))):
        y = 700 - 16 * index
        sheet.text(280 if number.startswith("PART") else 72, y, number)
        if title:
            sheet.text(130, y, title)
        if not number.startswith("PART"):
            sheet.text(520, y + 1, str(index + 1))
    for index, (number, title) in enumerate((*items, ("SIGNATURES", None))):
        page = pdf.page()
        page.text(72, 700, f"{number} {title}" if title else number, 10, BOLD)
        if title:
            below = page.paragraph(72, 680, 5)
            page.text(72, below, "General Matters", 10, BOLD)
            page.paragraph(72, below - 20, 5)
        page.text(300, 30, str(index + 1), 8)
    found = outline(pdf)
    part, item, other = (
        next(level for level, *rest in found if title in rest) for title in ("PART I", "Business", "General Matters")
    )
    assert part < item < other
    assert [level for level, _, title in found if title in {"PART II", "Analysis", "SIGNATURES"}] == [part, item, item]


def listed(pdf: Pdf, heading: str, entries: tuple[tuple[float, str, int], ...], x: float = 72) -> None:
    """Print a list of entries with their pages on the first page of a file."""
    sheet = pdf.pages[0]
    sheet.text(x, 740, heading, 14, BOLD)
    for index, (indent, title, page) in enumerate(entries):
        sheet.text(x + indent, 710 - 16 * index, f"{title} .....").text(x + 200, 710 - 16 * index, str(page))


def sections(pdf: Pdf, titles: dict[int, str]) -> None:
    """Add pages that begin with these titles, in the look of the body, and carry their number."""
    for number in range(1, max(titles) + 1):
        page = pdf.page()
        page.text(72, 640, titles.get(number, "Something else"))
        page.paragraph(72, 600, 8)
        page.text(300, 30, str(number), 8)


def test_a_list_of_tables_is_no_outline() -> None:
    """Captions that are listed with their pages are not sections."""
    pdf = Pdf()
    pdf.page()
    titles = {2: "What Was Sold", 3: "What Was Bought", 4: "What Was Kept", 5: "What Was Lost"}
    listed(pdf, "List of Tables", tuple((0, f"{number} {title}", number) for number, title in titles.items()))
    sections(pdf, titles)
    assert [title for _, _, title in outline(pdf) if title != "List of Tables"] == []


def test_contents_in_two_columns_have_the_same_levels() -> None:
    """Indentation counts from the edge of its own column."""
    pdf = Pdf()
    pdf.page()
    left = ((0, "Alpha Matters", 1), (20, "Beta Matters", 2), (20, "Gamma Matters", 3))
    right = ((0, "Delta Matters", 4), (20, "Epsilon Matters", 5), (20, "Zeta Matters", 6))
    listed(pdf, "Contents", left)
    listed(pdf, "", right, 330)
    sections(pdf, {page: title for _, title, page in (*left, *right)})
    assert [level for level, _, title in outline(pdf) if title.endswith("Matters")] == [1, 2, 2, 1, 2, 2]


def test_an_entry_that_is_not_printed_holds_those_that_are() -> None:
    """A part that only the contents name stands where its first chapter begins."""
    pdf = Pdf()
    pdf.page()
    entries = (
        (0, "Part of the Whole", 1), (20, "Alpha Matters", 1), (20, "Beta Matters", 2),
        (0, "Other Part", 3), (20, "Gamma Matters", 3), (20, "Delta Matters", 4),
    )  # fmt: skip
    listed(pdf, "Contents", entries)
    sections(pdf, {1: "Alpha Matters", 2: "Beta Matters", 3: "Gamma Matters", 4: "Delta Matters"})
    found = [(level, title) for level, _, title in outline(pdf) if title != "Contents"]
    assert found == [(1 + (indent > 0), title) for indent, title, _ in entries]


def test_a_part_far_from_its_page_is_found_before_what_it_holds() -> None:
    """Where contents are older than the pages, a part is looked for before its first chapter."""
    pdf = Pdf()
    pdf.page()
    entries = (
        (0, "Part of the Whole", 1), (20, "Alpha Matters", 2), (20, "Beta Matters", 3),
        (0, "Other Part", 4), (20, "Gamma Matters", 8), (20, "Delta Matters", 9),
    )  # fmt: skip
    listed(pdf, "Contents", entries)
    sections(pdf, {page + 3 * (title == "Other Part"): title for _, title, page in entries})
    extracted = read(pdf)
    part = next(heading for heading in extracted.headings if heading.title == "Other Part")
    assert extracted.text[part.start : part.end].strip() == "Other Part"


def test_flat_contents_are_nested_by_their_numbers() -> None:
    """Where all entries stand at one edge, "1 Title" holds "1.1 Title"."""
    pdf = Pdf()
    pdf.page()
    titles = ("1 Alpha Matters", "1.1 Beta Matters", "1.2 Gamma Matters", "2 Delta Matters", "2.1 Epsilon Matters")
    listed(pdf, "Contents", tuple((0, title, page) for page, title in enumerate(titles, 1)))
    sections(pdf, dict(enumerate(titles, 1)))
    assert [level for level, number, _ in outline(pdf) if number] == [1, 2, 2, 1, 2]


def test_contents_that_are_a_page_off_still_lead() -> None:
    """A title that is printed on the page behind the one that the contents name is found."""
    pdf = Pdf()
    pdf.page()
    titles = {2: "Alpha Matters", 4: "Beta Matters", 6: "Gamma Matters", 8: "Delta Matters"}
    listed(pdf, "Contents", tuple((0, title, page - (page > 4)) for page, title in titles.items()))
    sections(pdf, titles)
    assert [title for _, _, title in outline(pdf) if title != "Contents"] == list(titles.values())


def test_the_full_contents_lead_where_short_ones_stand_before_them() -> None:
    """A table of chapters alone in front of the full one does not hide the sections."""
    pdf = Pdf()
    pdf.page()
    chapters = ((0, "Alpha Matters", 1), (0, "Beta Matters", 3), (0, "Gamma Matters", 5), (0, "Delta Matters", 7))
    full = tuple(
        entry for _, title, page in chapters for entry in ((0, title, page), (20, f"{title} Seen Closely", page + 1))
    )
    listed(pdf, "Contents", chapters + full)
    sections(pdf, {page: title for _, title, page in full})
    assert [(1 + (indent > 0), title) for indent, title, _ in full] == [
        (level, title) for level, _, title in outline(pdf) if title != "Contents"
    ]


def test_an_index_is_no_outline() -> None:
    """Words that are listed behind the text with the pages they are on are not sections."""
    pdf = Pdf()
    for number in range(1, 6):
        pdf.page().text(72, 700, f"Chapter {number}. Travels", 16, BOLD).text(
            72, 660, ("Ants", "Bees", "Cats", "Dogs", "Elks")[number - 1]
        )
        pdf.pages[-1].paragraph(72, 640, 8)
    last = pdf.page()
    for place, word in enumerate(("Ants", "Bees", "Cats", "Dogs", "Elks")):
        last.text(72, 700 - 14 * place, f"{word} . . . . . . . . {place + 1}")
    assert [title for _, _, title in outline(pdf)] == ["Travels"] * 5


def test_numbers_correct_bookmarks() -> None:
    """Bookmarks that put section 3.1 into section 1, or one appendix into the other, are not followed in this."""
    pdf = Pdf()
    entries = ((1, "1. Alpha"), (2, "1.1. Beta"), (2, "3.1. Gamma"), (3, "3.1.1. Delta"), (1, "4. Zeta"),
               (1, "Appendix A. Forms"), (1, "Long Forms"), (2, "Appendix B. Maps"), (3, "City Maps"))  # fmt: skip
    for number, (level, title) in enumerate(entries, start=1):
        pdf.page().text(72, 700, title, 14, BOLD).paragraph(72, 660, 8)
        pdf.bookmark(level, title, number, 720)
    assert [level for level, _, _ in outline(pdf)] == [1, 2, 1, 2, 1, 1, 1, 1, 2]


def test_contents_go_on_at_the_top_of_the_next_page() -> None:
    """A table that goes on over the page does so from its first line, also where the page number touches the title."""
    pdf = Pdf()
    pdf.page()
    titles = {number: f"{number}. Travels in {'ABCDEF'[number - 1]} Land" for number in range(1, 7)}
    listed(pdf, "Contents", tuple((0, titles[number], number) for number in range(1, 5)))
    second = pdf.page()
    second.text(172, 740, f"{titles[5]}5").text(72, 720, f"{titles[6]} ......").text(272, 720, "6")
    sections(pdf, titles)
    found = [title for _, _, title in outline(pdf) if title != "Contents"]
    assert found == [f"Travels in {letter} Land" for letter in "ABCDEF"]


def test_the_end_of_a_reference_is_no_part_of_the_numbered_heading_below_it() -> None:
    """A line that holds the end of "(see Section 1.3)" is text: the heading below has its own number."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 720, "1.1 Names", 14, BOLD)
    below = page.paragraph(72, 690, 4)
    page.text(72, below, "The newest one is always called by the same name, as is told further below here (see")
    page.text(72, below - 12, "Section 1.3).")
    page.text(72, below - 40, "1.2 Other Names", 14, BOLD)
    page.paragraph(72, below - 64, 4)
    pdf.bookmark(1, "1.1 Names", 1, 734)
    pdf.bookmark(1, "1.2 Other Names", 1, below - 26)
    extracted = read(pdf)
    assert [(h.number, h.title) for h in extracted.headings] == [("1.1", "Names"), ("1.2", "Other Names")]
    assert extracted.text[: extracted.headings[1].start].endswith("Section 1.3).\n\n")
