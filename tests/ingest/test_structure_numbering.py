"""Numbers of printed headings, and slugs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.ingest.numbering import roman_value, split_label, split_labels, split_number
from tocwalk.ingest.slugs import SLUG_LENGTH, Slugs, slug


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("2.1 Title", "2.1", "Title"),
        ("2.1.  Title", "2.1", "Title"),
        ("1. Introduction", "1", "Introduction"),
        ("15.2.1. 100 Continue", "15.2.1", "100 Continue"),
        ("Article 5 - Title", "Article 5", "Title"),
        ("Article 5a Title", "Article 5a", "Title"),
        ("Article premier", "Article premier", ""),
        ("CHAPTER I", "CHAPTER I", ""),
        ("Chapitre Ier Dispositions", "Chapitre Ier", "Dispositions"),
        ("CHAPTER ONE INTRODUCTION", "CHAPTER ONE", "INTRODUCTION"),
        ("PART 164—SECURITY AND PRIVACY", "PART 164", "SECURITY AND PRIVACY"),
        ("Section 3.2 Term.", "Section 3.2", "Term."),
        ("SEC. 2. DEFINITIONS.", "SEC. 2", "DEFINITIONS."),
        ("§ 164.502 Uses", "§ 164.502", "Uses"),
        ("§5 Titel", "§5", "Titel"),
        ("Item 1A. Risk Factors", "Item 1A", "Risk Factors"),
        ("Appendix A.  Change Log", "Appendix A", "Change Log"),
        ("A.1 Sample", "A.1", "Sample"),
        ("IV. Findings", "IV", "Findings"),
        ("(a) Scope", "(a)", "Scope"),
        ("第一章 总则", "第一章", "总则"),
        ("第二十一条　罚则", "第二十一条", "罚则"),
        ("一、总则", "一", "总则"),
        ("1.1概述", "1.1", "概述"),
        ("第1条（目的）", "第1条", "（目的）"),
        ("附录A 术语", "附录A", "术语"),
        ("제1조 목적", "제1조", "목적"),
        ("Статья 5. Предмет", "Статья 5", "Предмет"),
        ("Artículo 1.º Objeto", "Artículo 1.º", "Objeto"),
    ],
)
def test_numbers_are_taken_off(heading: str, number: str, title: str) -> None:
    """A heading's number, as printed and without its full stop, and its title are told apart."""
    assert split_number(heading) == (number, title)


@pytest.mark.parametrize(
    "heading",
    [
        "2024 Outlook",
        "3M Company",
        "5 Ways to Save",
        "2.5 million households",
        "3.5% growth",
        "A. Smith",
        "H.264 Video",
        "Part of the plan",
        "Part A overview of it",
        "Items of interest",
        "Article 16(2) TFEU",
        "第五条规定的",
        "1.2.0 - 2024-01-01",
        "Notes",
        "",
    ],
)
def test_what_only_looks_like_a_number_stays(heading: str) -> None:
    """Years, names, quantities, initials and references are part of the title."""
    assert split_number(heading) == (None, heading)


def test_neighbours_make_numbers_certain() -> None:
    """Bare numbers, letters and short Roman numerals count where they follow one another."""
    headings = ["1 Scope", "1.1 General", "2 Terms", "5 Ways", "A. First", "B. Second", "I. One", "II. Two", "J. Smith"]
    numbers = [label.number for label in split_labels(headings)]
    assert numbers == ["1", "1.1", "2", None, "A", "B", "I", "II", None]


@pytest.mark.parametrize(
    ("heading", "value"),
    [("2.10 X", (2, 10)), ("ARTICLE IV", (4,)), ("Appendix B", (2,)), ("第二十一条", (21,)), ("Chapter Seven", (7,))],
)
def test_numbers_have_values(heading: str, value: tuple[int, ...]) -> None:
    """Digits, Roman numerals, letters and spelled numbers are read."""
    assert split_label(heading).value == value


@given(st.integers(1, 200))
def test_roman_numerals_are_read(number: int) -> None:
    """Each number up to 200, written in Roman numerals, is read back."""
    rest, numeral = number, ""
    for value, digits in [
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ]:
        numeral += digits * (rest // value)
        rest %= value
    assert roman_value(numeral) == number


@given(st.text())
def test_no_heading_is_refused(heading: str) -> None:
    """Number and title of any text are its words, nothing added and nothing but separators lost."""
    number, title = split_number(heading)
    assert title in " ".join(heading.split())
    assert number is None or number in " ".join(heading.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Łódź Straße ﬁle", "lodz-strasse-file"),
        ("第一章 总则", "第一章-总则"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("a/b[c]", "a-b-c"),
        ("   ", "section"),
        ("word " * 30, "-".join(["word"] * 12)),
        ("x" * 100, "x" * 60),
    ],
)
def test_slugs_are_readable(text: str, expected: str) -> None:
    """Latin letters are folded to ASCII, other scripts kept, words joined by "-", the whole cut at a word."""
    assert slug(text) == expected


@given(st.text())
def test_slugs_are_well_formed(text: str) -> None:
    """A slug is never empty, never long, and holds no character that has a meaning in an id."""
    made = slug(text)
    assert 0 < len(made) <= SLUG_LENGTH
    assert not set(made) & set("/[] \n")


@given(st.lists(st.sampled_from(["a", "A", "a 2", "a-2", "b", ""]), max_size=40))
def test_slugs_below_one_parent_differ(texts: list[str]) -> None:
    """However often a title comes again, each slug is handed out once."""
    slugs = Slugs()
    made = [slugs.take(text) for text in texts]
    assert len(set(made)) == len(made)


@pytest.mark.parametrize(
    "heading",
    [
        *("Part A" + "1" * 50_000 + "(", "Section " + "i" * 50_000 + "_", "1" + ".1" * 50_000),
        *("Section 1." + "2" * 50_000, f"第{'2' * 50_000}条"),
    ],
)
def test_hostile_numbers_are_read_at_once(heading: str) -> None:
    """No number makes the search for it try very many ways."""
    number, title = split_number(heading)
    assert len(f"{number or ''}{title}") >= len(heading) - 2
