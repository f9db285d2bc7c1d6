"""Cross-references and where they lead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tocwalk.answering.references import Headings, find_references
from tocwalk.index import TreeIndex
from tocwalk.ingest import read_document
from tocwalk.tree import SectionHead

CODE = """# Code

## CHAPTER I General

### Article 1 Scope

### Article 2 Terms

## CHAPTER II Duties

### Article 3 Records

#### 3.1 Form

#### 3.2 Keeping

### Article 30 Registers

## Note 12 Interest

## Annex III Lists

## Threats and Assaults {#threats}
"""

RESTARTING = """# Handbook

## Part A

### 1. Aims

### 2. Means

## Part B

### 1. Costs

### 2. Sums

## Terms
"""


def outline_of(text: str, folder: Path) -> list[SectionHead]:
    """Return the outline of a Markdown text."""
    (folder / "text.md").write_text(text, "utf-8")
    with TreeIndex(folder / "index.db") as index:
        index.put(read_document(folder / "text.md", document_id="text"))
        return [entry.head for entry in index.outline("default", "text")]


@pytest.fixture
def code(tmp_path: Path) -> list[SectionHead]:
    """Return the outline of a code."""
    return outline_of(CODE, tmp_path)


def leads_to(text: str, outline: list[SectionHead], source: str = "") -> list[str]:
    """Return the titles to which a text of a section leads."""
    head = next(one for one in outline if one.title == source) if source else outline[0]
    return [reference.target.title for reference in find_references(text, head, Headings(outline))]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("as set out in Article 30.", ["Registers"]),
        ("within the meaning of Article\n30(1)", ["Registers"]),
        ("see Note 12 for details", ["Interest"]),
        ("see NOTE XII", ["Interest"]),
        ("subject to Section 3.2, records", ["Keeping"]),
        ("under § 3.1 and Chapter II", ["Form", "Duties"]),
        ("Articles 1, 2 and 30 apply", ["Scope", "Terms", "Registers"]),
        ("are listed in Annex III to it", ["Lists"]),
        ('when threatened (see "Threats and\nAssaults")', ["Threats and Assaults"]),
        ("see “threats and assaults”.", ["Threats and Assaults"]),
        ("as [above](#threats)", ["Threats and Assaults"]),
        ("({{threats}}) and <<threats,that>>", ["Threats and Assaults"]),
        ("see :ref:`that <threats>`", ["Threats and Assaults"]),
        ("Section 3.2 of this Act", ["Keeping"]),
        ("Article 30 and again Article 30", ["Registers"]),
    ],
)
def test_a_reference_leads_to_the_section_it_names(code: list[SectionHead], text: str, titles: list[str]) -> None:
    """A number with its word, a list of them, or a title in quotes is found in the outline."""
    assert leads_to(text, code) == titles


@pytest.mark.parametrize(
    "text",
    [
        "Article 31",
        "Article 30a",
        "Article 30 of Regulation (EU) 2016/679",
        "Article 30(1) of the Treaty",
        "section 3.2 of the Federal Deposit Insurance Corporation Act",
        "[there](#nowhere)",
        "Section 3.2 of [RFC793]",
        "[HTTP], Section 3.2",
        "30 articles and 12 notes",
        'he said "never mind" and left',
        "particle 30",
    ],
)
def test_what_leads_elsewhere_or_nowhere_is_left_alone(code: list[SectionHead], text: str) -> None:
    """Numbers that no section has, other works, and words that only look alike are no references."""
    assert leads_to(text, code) == []


def test_a_section_does_not_refer_to_itself(code: list[SectionHead]) -> None:
    """A section's own number, and that of what it stands in, lead nowhere new."""
    assert leads_to("This Article 30 of Chapter II; see Article 3.", code, source="Registers") == ["Records"]


def test_where_numbers_start_again_the_nearest_is_meant(tmp_path: Path) -> None:
    """Of several sections with a number the one in the same part is meant; where none is nearer, none."""
    outline = outline_of(RESTARTING, tmp_path)
    assert leads_to("see Section 2", outline, source="Aims") == ["Means"]
    assert leads_to("see Section 2", outline, source="Costs") == ["Sums"]
    assert leads_to("see Section 2", outline, source="Terms") == []


def test_a_reference_is_shown_with_what_stands_around_it(code: list[SectionHead]) -> None:
    """What a judge reads of a reference is on one line and holds the words around it."""
    (reference,) = find_references("Rent bears\ninterest (see Note 12) from then on.", code[1], Headings(code))
    assert reference.mention == "Rent bears interest (see Note 12) from then on."


def test_a_name_that_thousands_share_leads_nowhere_at_once(tmp_path: Path) -> None:
    """However often a text names what thousands of sections are called, the sections are looked at once."""
    outline = outline_of("# Terms\n\n" + "## Scope\n\n" * 5000, tmp_path)
    assert leads_to('see "Scope" and ' * 5000, outline) == []


def test_a_number_that_counts_nothing_is_no_reference(code: list[SectionHead]) -> None:
    """Headings may be numbered with more digits than a number has, by whoever handed the sections over."""
    odd = [*code[:-1], replace(code[-1], number="1" * 5000)]
    assert leads_to("see Article 30", odd) == ["Registers"]
