"""Tests of captions: headings where a section is a run of tables, nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pdfs import BOLD, Page, Pdf, outline, read

PLANETS = ("Mercury", "Venus", "Earth", "Mars", "Jupiter")


def table(page: Page, y: float, caption: str) -> float:
    """Write a caption in one or two lines and a table below it; return where the next may stand."""
    for line in caption.split("\n"):
        page.text(72, y, line, 9, BOLD)
        y -= 24
    for row in range(4):
        page.text(72, y - 14 * row, f"Crater {row}", 9).text(200, y - 14 * row, f"{17 + row} km", 9)
    return y - 86


def report(captions: Sequence[str], *, notes: str = "", goes_on: bool = False, introduction: int = 4) -> Pdf:
    """Set a chapter, and one with tables on pages of their own, whose last page may have running text."""
    pdf = Pdf()
    page = pdf.page()
    page.text(72, 720, "Summary", 16, BOLD)
    page.paragraph(72, 690, 6)
    page = pdf.page()
    page.text(72, 720, "Measurements", 16, BOLD)
    page.paragraph(72, 690, introduction)
    for caption in captions:
        page = pdf.page()
        y = table(page, 700, caption)
        if notes:
            page.text(72, y, notes, 8)
    if goes_on:
        page.paragraph(72, 400, 5)
    return pdf


def numbered(names: Sequence[str], prefix: str = "B-") -> list[str]:
    """Return captions of tables that are numbered as those of an annex are."""
    return [f"TABLE {prefix}{number}: CRATERS OF {name.upper()}" for number, name in enumerate(names, 1)]


def test_a_run_of_tables_is_a_section_each() -> None:
    """Where a section is tables one after the other, their captions are the headings below it."""
    assert outline(report(numbered(PLANETS), notes="* As far as is known.")) == [
        (1, None, "Summary"),
        (1, None, "Measurements"),
        *((2, f"TABLE B-{number}", f"CRATERS OF {name.upper()}") for number, name in enumerate(PLANETS, 1)),
    ]


def test_a_number_without_digits_is_of_the_same_kind() -> None:
    """A table that is numbered with the annex's letter alone does not hold those that follow it."""
    pdf = report(["TABLE B: SYMBOLS", *numbered(PLANETS)])
    assert [(level, number) for level, number, _ in outline(pdf)][2:] == [
        (2, "TABLE B"), *((2, f"TABLE B-{number}") for number in range(1, 6)),
    ]  # fmt: skip


def test_a_caption_of_two_lines_is_one_heading() -> None:
    """The title of a table stands below its number."""
    pdf = report([f"Table {number}.\nCraters of {name}" for number, name in enumerate(PLANETS, 1)])
    assert outline(pdf)[2:] == [
        (2, f"Table {number}", f"Craters of {name}") for number, name in enumerate(PLANETS, 1)
    ]  # fmt: skip


def test_a_table_that_goes_on_is_one_section() -> None:
    """A caption that is repeated on the next page begins nothing."""
    captions = numbered(PLANETS)
    pdf = report([*captions[:2], f"{captions[1]} (continued)", *captions[2:]])
    assert [number for _, number, _ in outline(pdf)][2:] == [f"TABLE B-{number}" for number in range(1, 6)]


@pytest.mark.parametrize(
    "pdf",
    [
        report(numbered(PLANETS), goes_on=True),
        report(numbered(PLANETS[:3])),
        report(numbered(PLANETS[:4]), introduction=50),
    ],
    ids=["text goes on behind them", "they are few", "the section is mostly text"],
)
def test_tables_in_text_are_no_sections(pdf: Pdf) -> None:
    """Captions are no headings where text goes on behind the tables, or where they only illustrate it."""
    extracted = read(pdf)
    assert [heading.title for heading in extracted.headings] == ["Summary", "Measurements"]
    assert "TABLE B-3: CRATERS OF EARTH" in extracted.text


def test_captions_below_tables_are_no_headings() -> None:
    """A caption that stands below its table does not head the next one."""
    pdf = report([])
    for caption in numbered(PLANETS):
        page = pdf.page()
        page.text(72, table(page, 700, "Crater") - 4, caption, 9, BOLD)
    assert [title for _, _, title in outline(pdf)] == ["Summary", "Measurements"]


def test_tables_beside_a_bookmarked_one_are_sections() -> None:
    """Where a bookmark makes one table a section, those like it beside it are sections, too, however few."""
    pdf = report(numbered(PLANETS[:3]))
    for level, title, page in ((1, "Summary", 1), (1, "Measurements", 2), (2, numbered(PLANETS)[1], 4)):
        pdf.bookmark(level, title, page)
    assert [(level, number) for level, number, _ in outline(pdf)] == [
        (1, None), (1, None), (2, "TABLE B-1"), (2, "TABLE B-2"), (2, "TABLE B-3"),
    ]  # fmt: skip
