"""Tests of headings found by how they look, in files without bookmarks or contents."""

from __future__ import annotations

import pytest
from pdfs import BOLD, ITALIC, MONO, REGULAR, Page, Pdf, outline, read

Print = tuple[str, float, str]


def document(*parts: Print | int, x: float = 72) -> Pdf:
    """Set headings (text, size, font) and paragraphs (their number of lines) one below the other."""
    pdf = Pdf()
    page, y = pdf.page(), 720.0
    for part in parts:
        if y < 150:
            page, y = pdf.page(), 720.0
        if isinstance(part, int):
            y = page.paragraph(x, y, part)
        else:
            text, size, font = part
            y -= 0.6 * size
            for line in text.split("\n"):
                page.text(x, y, line, size, font)
                y -= 1.2 * size
            y -= 0.4 * size
    return pdf


def test_sizes_make_levels() -> None:
    """Larger headings hold smaller ones, and a title that goes over two lines is one heading."""
    pdf = document(
        ("The Year", 20, BOLD), 4, ("Markets", 14, BOLD), 4,
        ("Bonds and other papers that are\nbought and sold", 12, BOLD), 4,
        ("Shares", 12, BOLD), 4, ("The Bank", 20, BOLD), 4, ("Members", 14, BOLD), 4,
    )  # fmt: skip
    assert outline(pdf) == [
        (1, None, "The Year"),
        (2, None, "Markets"),
        (3, None, "Bonds and other papers that are bought and sold"),
        (3, None, "Shares"),
        (1, None, "The Bank"),
        (2, None, "Members"),
    ]


@pytest.mark.parametrize("nominal", [1, 0.12, 99.8])
def test_nominal_font_sizes_do_not_matter(nominal: float) -> None:
    """Sizes are those on the page, whatever the font was scaled from."""
    pdf = Pdf()
    for title in ("One", "Two"):
        page = pdf.page()
        page.scaled(72, 720, f"Chapter {title}", 18, nominal=nominal)
        for line in range(8):
            page.scaled(72, 680 - 12 * line, "running text that goes on and on for a while", 10, nominal=nominal)
    assert [title for _, _, title in outline(pdf)] == ["Chapter One", "Chapter Two"]


def test_fonts_without_a_size_are_measured() -> None:
    """Fonts made of bitmaps have neither name nor size: their letters tell how large they are."""
    pdf = Pdf()
    pdf.bitmaps = True
    for number in (1, 2, 3):
        page = pdf.page()
        page.bitmap(72, 700, f"gap {number}", 1.6)
        for line in range(6):
            page.bitmap(72, 660 - 12 * line, "running text that is a good deal smaller than what is above it")
    assert [title for _, _, title in outline(pdf)] == ["gap 1", "gap 2", "gap 3"]


def test_number_and_title_apart_are_one_heading() -> None:
    """A number in a column of its own belongs to the title to its right."""
    pdf = Pdf()
    for number in ("2.1", "2.2"):
        page = pdf.page()
        page.text(72, 700, number, 13, BOLD).text(130, 700, "Credentials and Keys", 13, BOLD)
        page.paragraph(72, 670, 6)
    assert outline(pdf) == [(1, "2.1", "Credentials and Keys"), (1, "2.2", "Credentials and Keys")]


def test_a_chapter_number_above_its_title_is_one_heading() -> None:
    """The words "CHAPTER ONE" and the title below it, set larger, are one heading."""
    pdf = document(
        ("CHAPTER ONE", 11, BOLD), ("Purpose", 18, BOLD), 5, ("CHAPTER TWO", 11, BOLD), ("Scope", 18, BOLD), 5
    )
    assert outline(pdf) == [(1, "CHAPTER ONE", "Purpose"), (1, "CHAPTER TWO", "Scope")]


def test_an_article_in_italics_above_its_title_is_one_heading() -> None:
    """Articles of an act stand out by slant only; their titles are on the next line."""
    parts: list[Print | int] = []
    for number in range(1, 9):
        parts += [(f"Article {number}", 10, ITALIC), (f"Duties of kind {number}", 10, BOLD), 4]
    assert outline(document(*parts)) == [(1, f"Article {n}", f"Duties of kind {n}") for n in range(1, 9)]


def test_one_style_for_every_level_is_ordered_by_keywords() -> None:
    """In a filing that sets parts, items and sub-headings alike, parts hold items, and items hold the rest."""
    pdf = document(
        ("PART I", 10, BOLD), ("ITEM 1. BUSINESS", 10, BOLD), 4,
        ("Our Products", 10, BOLD), 4, ("Competition", 10, BOLD),
        4, ("ITEM 2. PROPERTIES", 10, BOLD), 4, ("PART II", 10, BOLD),
        ("ITEM 5. MARKET FOR REGISTRANT'S COMMON EQUITY, RELATED STOCKHOLDER\nMATTERS AND ISSUER PURCHASES OF STOCK",
         10, BOLD), 4, ("Dividends", 10, BOLD), 4,
    )  # fmt: skip
    assert outline(pdf) == [
        (1, None, "PART I"),
        (2, "ITEM 1", "BUSINESS"),
        (3, None, "Our Products"),
        (3, None, "Competition"),
        (2, "ITEM 2", "PROPERTIES"),
        (1, None, "PART II"),
        (
            2,
            "ITEM 5",
            "MARKET FOR REGISTRANT'S COMMON EQUITY, RELATED STOCKHOLDER MATTERS AND ISSUER PURCHASES OF STOCK",
        ),
        (3, None, "Dividends"),
    ]


def test_an_act_in_one_style_is_nested_by_its_keywords() -> None:
    """Titles hold chapters and chapters hold articles, also where the first title has no chapter."""
    pdf = document(
        ("TITLE I", 10, BOLD), ("GENERAL PROVISIONS", 10, BOLD), ("Article 1", 10, BOLD), 3, ("Article 2", 10, BOLD), 3,
        ("TITLE II", 10, BOLD), ("HIGH-RISK SYSTEMS", 10, BOLD), ("CHAPTER 1", 10, BOLD), ("CLASSIFICATION", 10, BOLD),
        ("Article 3", 10, BOLD), 3,
    )  # fmt: skip
    assert outline(pdf) == [
        (1, "TITLE I", "GENERAL PROVISIONS"),
        (3, None, "Article 1"),
        (3, None, "Article 2"),
        (1, "TITLE II", "HIGH-RISK SYSTEMS"),
        (2, "CHAPTER 1", "CLASSIFICATION"),
        (3, None, "Article 3"),
    ]


def test_letters_and_roman_numerals_are_nested_in_order_of_appearance() -> None:
    """Where the first "I." is followed by "A." and that by "1.", that is how they hold each other."""
    pdf = document(
        ("I. Introduction", 10, BOLD), 3, ("A. The Rule", 10, BOLD), 3,
        ("1. Its Text", 10, BOLD), 3, ("2. Its Aim", 10, BOLD),
        3, ("B. The Statute", 10, BOLD), 3, ("II. Discussion", 10, BOLD), 3, ("A. Duties", 10, BOLD), 3,
    )  # fmt: skip
    assert [(level, number) for level, number, _ in outline(pdf)] == [
        (1, "I"), (2, "A"), (3, "1"), (3, "2"), (2, "B"), (1, "II"), (2, "A"),
    ]  # fmt: skip


def test_what_is_no_numeral_is_no_number() -> None:
    """Letters of Roman numerals that make none ("iix.") are part of the title."""
    pdf = document(("Aims", 14, BOLD), 3, ("iix. What Follows", 14, BOLD), 3, ("Ends", 14, BOLD), 3)
    assert outline(pdf) == [(1, None, "Aims"), (1, None, "iix. What Follows"), (1, None, "Ends")]


def test_decimal_numbers_are_nested_by_their_depth() -> None:
    """Number "1.1.1" is within "1.1" even where all are set alike."""
    pdf = document(
        ("1 Scope", 11, BOLD), 3, ("1.1 Aim", 11, BOLD), 3, ("1.1.1 Wider Aim", 11, BOLD), 3, ("2 Terms", 11, BOLD), 3
    )
    assert outline(pdf) == [(1, "1", "Scope"), (2, "1.1", "Aim"), (3, "1.1.1", "Wider Aim"), (1, "2", "Terms")]


def test_unnumbered_headings_rank_with_what_looks_like_them() -> None:
    """A title "References" behind numbered sections, set as they are, is on their level."""
    pdf = document(
        ("1 Aim", 14, BOLD), 3, ("1.1 Way", 12, BOLD), 3, ("2 End", 14, BOLD), 3, ("References", 14, BOLD), 3
    )
    assert [level for level, _, _ in outline(pdf)] == [1, 2, 1, 1]


def test_chinese_chapters_and_articles_are_headings() -> None:
    """第X章 holds 第X条, and the numbers are told from the titles."""
    pdf = document(
        ("第一章 总则", 14, BOLD),
        3,
        ("第一条 目的", 10, BOLD),
        3,
        ("第二条 范围", 10, BOLD),
        3,
        ("第二章 附则", 14, BOLD),
        3,
    )
    assert outline(pdf) == [
        (1, "第一章", "总则"),
        (2, "第一条", "目的"),
        (2, "第二条", "范围"),
        (1, "第二章", "附则"),
    ]


def test_numbered_requirements_are_headings_though_they_are_sentences() -> None:
    """A requirement that is numbered and set in bold is a heading, with its full stop."""
    parts: list[Print | int] = [("1 Requirements", 14, BOLD)]
    for number in range(1, 5):
        parts += [
            (
                f"1.{number} Limit access to those who are authorized, and to what they are\nauthorized to do with it.",
                10,
                BOLD,
            ),
            4,
        ]
    titles = outline(document(*parts))
    assert titles[1] == (
        2,
        "1.1",
        "Limit access to those who are authorized, and to what they are authorized to do with it.",
    )
    assert len(titles) == 5


def test_labels_of_paragraphs_are_not_headings() -> None:
    """What stands below every heading and divides nothing is not one, nor are notes, terms or sentences in bold."""
    parts: list[Print | int] = []
    for number in range(1, 7):
        parts += [(f"1.{number} A Control", 12, BOLD), ("DISCUSSION", 10, BOLD), 3, ("Note", 10, BOLD), 2]
    parts += [
        ("A risk that is explained at length may harm us, and all of our results would then suffer.", 10, BOLD),
        3,
    ]
    assert [title for _, _, title in outline(document(*parts))] == ["A Control"] * 6


def test_a_run_in_heading_stays_in_its_paragraph() -> None:
    """Bold words at the beginning of a paragraph are text."""
    pdf = document(("Markets", 14, BOLD), 3, ("The Bank", 14, BOLD), 3)
    page = pdf.page()
    page.text(72, 700, "Inflation.", 10, BOLD).text(72 + 55, 700, "Prices have risen and continue to rise everywhere.")
    extracted = read(pdf)
    assert [heading.title for heading in extracted.headings] == ["Markets", "The Bank"]
    assert "Inflation. Prices have risen" in extracted.text


def test_bold_cells_and_captions_are_not_headings() -> None:
    """A table's head, its bold rows and the caption above it are no sections."""
    pdf = document(("Results", 16, BOLD), 3, ("Outlook", 16, BOLD), 3)
    page = pdf.page()
    page.text(72, 700, "Table 4. What was sold and bought", 10, BOLD)
    for index, row in enumerate((("Item", "2023", "2022"), ("Assets", "17", "16"), ("Total", "34", "32"))):
        for column, cell in enumerate(row):
            page.text(72 + 120 * column, 680 - 14 * index, cell, 10, BOLD if index != 1 else REGULAR)
    page.paragraph(72, 600, 4)
    assert [title for _, _, title in outline(pdf)] == ["Results", "Outlook"]


def test_a_heading_between_two_tables_is_one() -> None:
    """A bold line that stands off from the rows above and below it divides them."""
    pdf = document(("References", 16, BOLD), 3, ("Terms", 16, BOLD), 3, ("Laws", 10, BOLD), 3, ("Rules", 10, BOLD), 3)
    page = pdf.page()
    rows(page, 700)
    page.text(200, 600, "STANDARDS", 10, BOLD)
    rows(page, 570)
    assert "STANDARDS" in [title for _, _, title in outline(pdf)]


def rows(page: Page, y: float) -> None:
    """Write four rows of two cells."""
    for index in range(4):
        page.text(72, y - 14 * index, f"[REF {index}]").text(200, y - 14 * index, "A publication of some institute")


def test_a_cover_has_no_headings() -> None:
    """What is printed large on a title page is the title and not a section."""
    pdf = Pdf()
    pdf.page().text(100, 500, "Annual Report", 30, BOLD).text(100, 450, "Nobody Ltd", 20, BOLD).text(
        100, 420, "2023", 14
    )
    for number in range(1, 4):
        page = pdf.page()
        page.text(72, 700, f"Chapter {number} Matters", 18, BOLD)
        page.paragraph(72, 660, 8)
    extracted = read(pdf)
    assert extracted.title == "Annual Report"
    assert [heading.number for heading in extracted.headings] == ["Chapter 1", "Chapter 2", "Chapter 3"]


def test_a_document_without_headings_is_one_section() -> None:
    """Running text alone gives no headings."""
    assert outline(document(8, 8, 8)) == []


def test_a_number_above_a_title_in_the_look_of_the_body_is_one_heading() -> None:
    """In an act set in one font, "Article 3" and the short line below it are a heading; references to it are not."""
    parts: list[Print | int] = []
    for number in range(1, 6):
        parts += [(f"Article {number}", 10, REGULAR), (f"Rights of kind {number}", 10, REGULAR), 3]
    parts += [("Article 3 applies to whoever is named in this act.", 10, REGULAR), 3]
    assert outline(document(*parts)) == [(1, f"Article {n}", f"Rights of kind {n}") for n in range(1, 6)]


def test_plain_numbers_are_headings_between_deeper_ones_only() -> None:
    """Where nothing but numbers tells headings, "2." between "1.2" and "2.1" is one, and items of lists are not."""
    parts: list[Print | int] = []
    for number in range(1, 4):
        parts += [(f"{number}. Chapter of the Rules", 10, REGULAR), 3]
        for deeper in (1, 2):
            parts += [(f"{number}.{deeper} Section of the Rules", 10, REGULAR), 3]
            parts += [("1. an item of a list", 10, REGULAR), 2, ("2. another item of it", 10, REGULAR), 2]
    assert [number for _, number, _ in outline(document(*parts))] == [
        "1", "1.1", "1.2", "2", "2.1", "2.2", "3", "3.1", "3.2",
    ]  # fmt: skip


def test_double_spaced_pages_have_paragraphs_and_headings() -> None:
    """Lines that are far apart make paragraphs, and headings down to "a." and "i." are found between them."""
    lines = (
        "The persons who are named in this rule will have to say in writing whether they",
        "have done what it asks of them, and if they have not, what kept them from doing",
        "it, and when they are going to do it.",
    )
    pdf = Pdf()
    for chapter in ("I", "II", "III"):
        page, y = pdf.page(), 730.0
        for number, font in (("", BOLD), ("A.", BOLD), ("1.", BOLD), ("a.", ITALIC), ("i.", ITALIC), ("ii.", ITALIC)):
            page.text(72, y, f"{number or f'{chapter}.'} Matter {chapter} to Be Settled", 12, font)
            for line in lines:
                y -= 26
                page.text(72, y, line, 12)
            y -= 30
    extracted = read(pdf)
    assert [(h.level, h.number) for h in extracted.headings[:6]] == [
        (1, "I"), (2, "A"), (3, "1"), (4, "a"), (5, "i"), (5, "ii"),
    ]  # fmt: skip
    assert "whether they have done what it asks of them, and if they have not, what kept them" in extracted.text


def test_a_heading_that_begins_several_pages_is_no_running_header() -> None:
    """A sub-heading that recurs in every section is one also where it happens to stand at the top of its page."""
    pdf = Pdf()
    for number in range(1, 6):
        page = pdf.page()
        page.text(72, 750, "Basic Requirements", 12, BOLD)
        y = page.paragraph(72, 720, 4)
        for title in (f"Section {number}", "Basic Requirements"):
            page.text(72, y, title, 14 if title[0] == "S" else 12, BOLD)
            y = page.paragraph(72, y - 24, 4)
    assert sum(title == "Basic Requirements" for _, _, title in outline(pdf)) == 10


def test_terms_with_indented_definitions_are_text() -> None:
    """Terms of a glossary, in bold above their definitions, are not sections."""
    pdf = document(("Scope", 16, BOLD), 4, ("Glossary", 16, BOLD), 2)
    page = pdf.page()
    for index in range(8):
        page.text(72, 700 - 40 * index, f"Term of number {index}", 10, BOLD)
        page.text(90, 688 - 40 * index, "What is meant by it is explained here at some length.")
    assert [title for _, _, title in outline(pdf)] == ["Scope", "Glossary"]


def test_a_box_does_not_hold_what_stands_behind_it() -> None:
    """A numbered box is deeper than all around it; headings that only boxes have are within it."""
    pdf = Pdf()
    for number in range(1, 4):
        page = pdf.page()
        page.text(72, 720, f"Chapter {number} Matters", 20, BOLD)
        page.paragraph(72, 690, 3)
        page.text(72, 620, f"Box {number}.1. What Was Done", 14, BOLD)
        page.paragraph(72, 600, 2, 9)
        page.text(72, 570, "In This Box", 11, ITALIC)
        page.paragraph(72, 550, 2, 9)
        page.text(72, 500, f"Section in Chapter {number}", 12, BOLD)
        page.paragraph(72, 480, 4)
    levels = {title: level for level, _, title in outline(pdf)}
    assert levels["Matters"] < levels["Section in Chapter 1"] < levels["What Was Done"] < levels["In This Box"]


def test_words_in_code_do_not_hide_a_heading() -> None:
    """A heading that names a file in a font of fixed width looks like the others."""
    pdf = Pdf()
    for number, word in ((1, "rules"), (2, "control"), (3, "watch")):
        page = pdf.page()
        page.text(72, 700, f"{number} Notes on", 10, BOLD).text(72 + 5 * 11, 700, f"debian/{word}", 10, MONO)
        page.paragraph(72, 680, 5)
    assert [title for _, _, title in outline(pdf)] == [
        "Notes on debian/rules",
        "Notes on debian/control",
        "Notes on debian/watch",
    ]


def test_lines_of_code_are_no_headings() -> None:
    """Commands set apart in a font of fixed width are not sections, nor are the labels above them."""
    pdf = document(("Setup", 16, BOLD), 4, ("Use", 16, BOLD), 4)
    page = pdf.page()
    for index in range(6):
        page.text(72, 700 - 60 * index, f"Example of call {index}", 10, BOLD)
        page.text(72, 684 - 60 * index, f"$ run --number {index}", 10, MONO)
        page.paragraph(72, 672 - 60 * index, 1)
    assert [title for _, _, title in outline(pdf)] == ["Setup", "Use"]


def test_captions_and_words_of_drawings_are_no_headings() -> None:
    """What looks like a heading but is centred below a picture, or stands anywhere in one, is none."""
    pdf = Pdf()
    stations = [f"The {name} Station" for name in ("Harbour", "Market", "Bridge", "Castle", "Garden", "Forest", "Lake")]
    for number, station in enumerate(stations, start=1):
        page = pdf.page()
        page.text(72, 700, station, font=ITALIC)
        below = page.paragraph(72, 680, 8)
        if number in {2, 4}:
            page.text(230, below, "What can be seen in it", font=ITALIC)
            page.paragraph(72, below - 20, 8)
        if number == 6:
            for place, word in enumerate(("Entrance hall", "Counter", "Sorting room", "Back door", "Stairs")):
                page.text(150 + 37 * place, below - 40 * place, word, font=BOLD)
                page.text(150 + 37 * place, below - 40 * place - 13, "of the first floor as it is now")
    assert [title for _, _, title in outline(pdf)] == stations


def test_footnote_marks_are_not_in_titles() -> None:
    """A small raised number behind a heading is text, and no part of its title; a power is."""
    pdf = Pdf()
    for title, mark in (("Walls and Doors", "12"), ("Windows", "3"), ("Floor in m", "2")):
        page = pdf.page()
        page.text(72, 700, title, 16, BOLD).text(72 + 8 * len(title), 706, mark, 8, BOLD)
        page.paragraph(72, 660, 8)
    assert [title for _, _, title in outline(pdf)] == ["Walls and Doors", "Windows", "Floor in m2"]
    assert "Walls and Doors12\n" in read(pdf).text


def test_the_bold_end_of_a_sentence_is_no_heading() -> None:
    """A bold word that has a line to itself, where it ends what the line above has begun, heads nothing."""
    pdf = Pdf()
    for title in ("Shells", "Signals", "Jobs", "Words"):
        page = pdf.page()
        page.text(72, 700, title, font=BOLD)
        below = page.paragraph(72, 680, 8)
        page.text(72, below, "This is set again as soon as the window changes and the shell is told so by a")
        page.text(72, below - 12, "SIGWINCH.", font=BOLD)
        page.paragraph(72, below - 36, 8)
    assert [title for _, _, title in outline(pdf)] == ["Shells", "Signals", "Jobs", "Words"]
