"""Tests of the Word reader: the numbers it counts."""

from __future__ import annotations

import pytest
from outlines import body, outline
from word import HEADINGS, STYLES, in_list, level, lists, p, read


class TestNumbers:
    """Numbers that only the list definitions hold."""

    LEGAL = (
        level(0, "Article %1.", "upperRoman") + level(1, "%1.%2", more="<w:isLgl/>") + level(2, "(%3)", "lowerLetter")
    )

    def numbered(self, *levels: int) -> str:
        """Return headings of these levels in list 1."""
        return "".join(p("T", style=f"H{at + 1}", properties=in_list(1, at)) for at in levels)

    def test_numbers_are_counted_by_level(self) -> None:
        """Each level counts on, begins anew below a higher one, and shows the higher numbers as its text says."""
        document = read(self.numbered(0, 1, 1, 2, 2, 1, 2, 0, 1), numbering=lists(self.LEGAL))
        numbers = [number for _, number, _ in outline(document)]
        assert numbers == ["Article I", "1.1", "1.2", "(a)", "(b)", "1.3", "(a)", "Article II", "2.1"]
        assert document.sections[1].text == "Article I. T\n\n"

    def test_a_style_puts_its_paragraphs_in_a_list(self) -> None:
        """Numbers come from the style too, at the level that names the style, and numId 0 takes them off."""
        styles = STYLES.replace(HEADINGS, "") + "".join(
            f'<w:style w:type="paragraph" w:styleId="H{n}"><w:name w:val="heading {n}"/><w:pPr><w:numPr>'
            '<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
            for n in (1, 2)
        )
        definition = "".join(level(n, f"%{n + 1}.", more=f'<w:pStyle w:val="H{n + 1}"/>') for n in (0, 1))
        document = read(
            p("A", style="H1") + p("B", style="H2") + p("C", style="H2") + p("D", style="H1", properties=in_list(0)),
            styles=styles,
            numbering=lists(definition),
        )
        assert outline(document) == [(1, "1", "A"), (2, "1", "B"), (2, "2", "C"), (1, None, "D")]

    def test_an_empty_heading_with_a_section_break_does_not_count(self) -> None:
        """The paragraph that only carries a section break takes no number, an empty one in the text does."""
        section_break = p(style="H1", properties=in_list(1) + "<w:sectPr/>")
        document = read(
            self.numbered(0)
            + section_break
            + self.numbered(0)
            + p(style="H1", properties=in_list(1))
            + self.numbered(0),
            numbering=lists(level(0, "%1.")),
        )
        assert [number for _, number, _ in outline(document)] == ["1", "2", "4"]

    def test_lists_that_share_a_definition_count_on_unless_they_say_otherwise(self) -> None:
        """A second list of the same definition goes on, one with a start of its own begins there, once."""
        numbers = (
            '<w:num w:numId="7"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="8"><w:abstractNumId w:val="1"/>'
            '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
        )
        document = read(
            "".join(p("T", style="H1", properties=in_list(number)) for number in (1, 7, 8, 8, 1)),
            numbering=lists(level(0, "%1"), numbers=numbers),
        )
        assert [number for _, number, _ in outline(document)] == ["1", "2", "5", "6", "7"]

    def test_a_list_can_change_a_level_of_its_definition(self) -> None:
        """An override brings its own format and text."""
        numbers = (
            '<w:num w:numId="7"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0">'
            f"{level(0, 'Part %1', 'cardinalText')}</w:lvlOverride></w:num>"
        )
        document = read(p("T", style="H1", properties=in_list(7)), numbering=lists(level(0, "%1"), numbers=numbers))
        assert outline(document) == [(1, "Part One", "T")]

    def test_a_level_that_does_not_restart_counts_on(self) -> None:
        """Level restart 0 keeps the count through higher levels: clauses numbered through all articles."""
        definition = level(0, "Part %1") + level(1, "§ %2", more='<w:lvlRestart w:val="0"/>')
        document = read(self.numbered(0, 1, 1, 0, 1), numbering=lists(definition))
        assert [number for _, number, _ in outline(document)] == ["Part 1", "§ 1", "§ 2", "Part 2", "§ 3"]

    def test_a_list_style_leads_to_its_definition(self) -> None:
        """A definition that only names a list style is the one that the style's list has."""
        styles = STYLES + (
            '<w:style w:type="numbering" w:styleId="Clauses"><w:name w:val="Clauses"/><w:pPr><w:numPr>'
            '<w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
        )
        definitions = lists('<w:numStyleLink w:val="Clauses"/>', level(0, "%1)", start=3))
        document = read(p("T", style="H1", properties=in_list(1)), styles=styles, numbering=definitions)
        assert document.sections[1].text == "3) T\n"

    @pytest.mark.parametrize(
        ("numbers", "expected"),
        [
            ("decimalZero", "02"), ("upperLetter", "B"), ("lowerRoman", "ii"), ("ordinal", "2nd"),
            ("ordinalText", "Second"), ("cardinalText", "Two"), ("chineseCounting", "二"), ("unheardOf", "2"),
        ],
    )  # fmt: skip
    def test_numbers_are_written_as_the_level_says(self, numbers: str, expected: str) -> None:
        """Each number format prints as Word prints it; an unknown one in digits."""
        document = read(self.numbered(0, 0), numbering=lists(level(0, "%1", numbers)))
        assert document.sections[2].text.strip() == f"{expected} T"

    def test_list_items_are_marked_in_the_text(self) -> None:
        """Numbered items have their number, bullets a dash, deeper items an indent."""
        definition = level(0, "(%1)", "lowerLetter") + level(1, "\uf0b7", "bullet")
        document = read(
            p("A", style="H1")
            + p("x", properties=in_list(1))
            + p("y", properties=in_list(1, 1))
            + p("z", properties=in_list(1)),
            numbering=lists(definition),
        )
        assert body(document, "A") == "(a) x\n  - y\n(b) z"

    def test_a_bullet_is_no_number(self) -> None:
        """A heading with a bullet has no number."""
        document = read(p("T", style="H1", properties=in_list(1)), numbering=lists(level(0, "\uf0b7", "bullet")))
        assert outline(document) == [(1, None, "T")]

    def test_typed_numbers_are_taken_off_the_title(self) -> None:
        """A number that the author typed is the section's number as well."""
        document = read(p("1.1\tScope", style="H1") + p("x") + p("Article 5 – Fees", style="H1"))
        assert outline(document) == [(1, "1.1", "Scope"), (1, "Article 5", "Fees")]
