"""Tests of the Word reader."""

from __future__ import annotations

import io
from pathlib import Path

import docx
import pytest
from books import archive
from hypothesis import given
from hypothesis import strategies as st
from outlines import body, outline, titles, tree
from word import HEADINGS, STYLES, cell, in_list, level, lists, p, row, run, table, word, word_entries

from tocwalk.errors import IngestError
from tocwalk.ingest.docx import extract
from tocwalk.tree import Document


def read(content: str, **parts: str) -> Document:
    """Return the tree of a Word file with this body."""
    styles = parts.pop("styles", STYLES)
    return tree(extract, word(content, styles=styles, parts=parts))


def test_a_file_of_the_usual_library_is_read() -> None:
    """Headings, lists, tables and the title of a file that python-docx writes come out as they are."""
    written = docx.Document()
    written.add_heading("The Plan", 0)
    written.add_heading("Aims", 1)
    written.add_paragraph("We want this.")
    written.add_heading("Means", 2)
    written.add_paragraph("one", style="List Bullet")
    for number, cell_of_row in enumerate(each for line in written.add_table(2, 2).rows for each in line.cells):
        cell_of_row.text = f"c{number}"
    file = io.BytesIO()
    written.save(file)
    document = tree(extract, file.getvalue())
    assert document.title == "The Plan"
    assert outline(document) == [(1, None, "Aims"), (2, None, "Means")]
    assert body(document, "Means") == "- one\n\n| c0 | c1 |\n| --- | --- |\n| c2 | c3 |"


class TestHeadings:
    """What is a heading by its style."""

    def test_the_outline_level_of_a_paragraph_counts_before_its_styles(self) -> None:
        """A level set on the paragraph wins, a level set on a style is inherited, level 10 is no heading."""
        styles = STYLES + (
            '<w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="Clause"/><w:basedOn w:val="H2"/></w:style>'
            '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr>'
            '</w:style><w:style w:type="paragraph" w:styleId="TOC"><w:name w:val="TOC Heading"/><w:basedOn w:val="H1"/>'
            '<w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
        )
        document = read(
            p("Contents", style="TOC") + p("A", style="H1") + p("B", style="Clause") + p("C", style="Own")
            + p("D", properties='<w:outlineLvl w:val="0"/>')
            + p("E", style="H1", properties='<w:outlineLvl w:val="9"/>'),
            styles=styles,
        )  # fmt: skip
        assert [(depth, title) for depth, _, title in outline(document)] == [(1, "A"), (2, "B"), (2, "C"), (1, "D")]

    def test_blank_headings_are_none(self) -> None:
        """A paragraph in a heading's style without text gives no section."""
        assert titles(read(p("A", style="H1") + p(" ", style="H1") + p(style="H2") + p("x"))) == ["A"]

    def test_styles_that_are_based_on_each_other_do_no_harm(self) -> None:
        """A circle of styles is read once."""
        circle = (
            '<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="B"/></w:style>'
            '<w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style>'
        )
        assert titles(read(p("x", style="A") + p("T", style="H1"), styles=STYLES + circle)) == ["T"]

    def test_a_heading_in_a_table_or_a_content_control_is_one(self) -> None:
        """Headings are found inside the cells of layout tables, content controls and text boxes."""
        box = f"<w:r><w:pict><w:txbxContent>{p('In a box', style='H2')}</w:txbxContent></w:pict></w:r>"
        document = read(
            table(row(cell(p("In a cell", style="H1") + p("Text."))))
            + f"<w:sdt><w:sdtPr/><w:sdtContent>{p('In a control', style='H1')}</w:sdtContent></w:sdt>{p('x', box)}"
        )
        assert [(depth, title) for depth, _, title in outline(document)] == [
            (1, "In a cell"),
            (1, "In a control"),
            (2, "In a box"),
        ]

    def test_line_breaks_in_a_heading_are_blanks_in_its_title(self) -> None:
        """A heading of two lines is one heading with one title."""
        document = read(p("Chapter 1", "<w:r><w:br/></w:r>", "Beginnings", style="H1") + p("x"))
        assert outline(document) == [(1, "Chapter 1", "Beginnings")]
        assert document.sections[1].text == "Chapter 1\nBeginnings\n\nx\n"


class TestRunInTitles:
    """Whole clauses in a heading's style."""

    CLAUSE = " During the Term and subject to this Agreement, the Customer may use the Service. " * 3

    @pytest.mark.parametrize("look", ['<w:u w:val="single"/>', "<w:b/>"])
    def test_the_emphasised_beginning_is_the_title(self, look: str) -> None:
        """The title of a clause is its first underlined or bold words, and the rest is its body."""
        document = read(p(run("Access and Use", look), "." + self.CLAUSE, style="H2") + p("Next", style="H2"))
        assert titles(document) == ["Access and Use", "Next"]
        assert document.sections[1].text.startswith("Access and Use. During the Term")
        assert document.sections[1].body.startswith("During the Term")

    def test_without_emphasis_the_first_words_up_to_the_full_stop_are_the_title(self) -> None:
        """A long clause whose first sentence reads like a title is cut behind it."""
        document = read(p("Limitation of Liability." + self.CLAUSE, style="H2"))
        assert titles(document) == ["Limitation of Liability"]
        assert body(document, "Limitation of Liability").startswith("During the Term")

    def test_a_clause_without_a_title_is_known_by_its_first_sentence(self) -> None:
        """Where nothing reads like a title, the first sentence of a long clause is."""
        document = read(p("The Provider shall keep the data safe. It shall report" + self.CLAUSE, style="H2"))
        assert titles(document) == ["The Provider shall keep the data safe"]

    def test_a_heading_with_an_emphasised_word_is_whole(self) -> None:
        """A short heading is its own title, whatever is bold in it, and abbreviations do not end it."""
        document = read(p(run("The", "<w:b/>"), " U.S. Code and No. 5", style="H1") + p("x"))
        assert titles(document) == ["The U.S. Code and No. 5"]


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


class TestChanges:
    """Tracked changes are accepted."""

    def test_insertions_are_text_and_deletions_are_not(self) -> None:
        """Inserted and moved-in runs stay, deleted and moved-out ones go."""
        document = read(
            p(
                "a",
                f"<w:ins>{run('b')}</w:ins>",
                "<w:del><w:r><w:delText>c</w:delText></w:r></w:del>",
                f"<w:moveFrom>{run('d')}</w:moveFrom>",
                f"<w:moveTo>{run('e')}</w:moveTo>",
            )
        )
        assert document.text == "abe\n"

    def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next(self) -> None:
        """Two paragraphs whose break was deleted are one, with the properties and number of the second."""
        gone = "<w:rPr><w:del/></w:rPr>"
        document = read(
            p("No heading", style="H1", properties=in_list(1) + gone)
            + p(" at all")
            + p("One", style="H1", properties=in_list(1)),
            numbering=lists(level(0, "%1.")),
        )
        assert document.sections[0].text == "No heading at all\n\n"
        assert outline(document) == [(1, "1", "One")]

    def test_the_last_paragraph_is_not_lost_with_its_end(self) -> None:
        """What remains of a last paragraph whose end was deleted is kept."""
        assert read(p("a") + p("b", properties="<w:rPr><w:del/></w:rPr>")).text == "a\n\nb\n"

    def test_deleted_rows_are_gone(self) -> None:
        """A row that was deleted is not in the table."""
        gone = "<w:tr><w:trPr><w:del/></w:trPr>" + cell(p("x")) + cell(p("y")) + "</w:tr>"
        assert "x" not in read(table(row("a", "b"), gone, row("c", "d"))).text


class TestText:
    """What is text and how it is written."""

    def test_runs_are_read_as_they_are_printed(self) -> None:
        """Tabs, breaks, hyphens, symbols, hyperlinks, controls and formulas are text; codes and hidden runs are not."""
        document = read(
            p(
                "a",
                "<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d\u00ade\u00a0f</w:t></w:r>",
                '<w:hyperlink><w:r><w:t xml:space="preserve"> link</w:t></w:r></w:hyperlink>',
                f"<w:sdt><w:sdtContent>{run(' control')}</w:sdtContent></w:sdt>",
                run(" hidden", "<w:vanish/>"),
                '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>',
                run("\uf0b7b", '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'),
                '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGEREF x</w:instrText></w:r>'
                '<w:r><w:t>code</w:t></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>',
                run(" 12"),
                '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
                f'<w:fldSimple w:instr="REF y">{run(" 3.1")}</w:fldSimple>',
                "<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>x+y</m:t></m:r></m:den></m:f>"
                "<m:sSup><m:e><m:r><m:t>z</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>",
            )
        )
        assert document.text == "a\tb\nc-de f link control✓•β 12 3.11/(x+y)z^2\n"

    def test_alternatives_for_older_readers_are_not_repeated(self) -> None:
        """Of a text box that is drawn in two ways the first is read."""
        new = f"<mc:Choice><w:drawing><w:txbxContent>{p('new')}</w:txbxContent></w:drawing></mc:Choice>"
        old = f"<mc:Fallback><w:pict><w:txbxContent>{p('old')}</w:txbxContent></w:pict></mc:Fallback>"
        document = read(p("a", f"<w:r><mc:AlternateContent>{new}{old}</mc:AlternateContent></w:r>"))
        assert document.text == "a\n\nnew\n"

    def test_footnotes_stand_at_the_end_of_their_section(self) -> None:
        """A note is printed before the next heading, behind the mark that the text has, and in no title."""
        refer = '<w:r><w:{0}Reference w:id="{1}"/></w:r>'
        document = read(
            p("A", refer.format("footnote", 2), style="H1") + p("x", refer.format("footnote", 3), "y")
            + table(row("t", cell(p("u", refer.format("endnote", 1)))), row("v", "w")) + p("B", style="H1") + p("z"),
            footnotes=f'<w:footnote w:id="2">{p("First")}</w:footnote>'
            f'<w:footnote w:id="3">{p("a")}{p("b")}</w:footnote>',
            endnotes=f'<w:endnote w:id="1">{p("Last")}</w:endnote>',
        )  # fmt: skip
        assert titles(document) == ["A", "B"]
        assert document.sections[1].text.startswith("A[1]\n\nx[2]y\n\n| t | u[i] |")
        assert document.sections[1].text.endswith("[1] First\n\n[2] a b\n\n[i] Last\n\n")

    def test_running_headers_and_footers_are_reported_not_read(self) -> None:
        """What stands in the margins of every page is no text of the document."""
        file = word(p("Text.") + p("T", style="H1"), parts={"header1": p("Draft"), "footer1": p("Page") + p("Draft")})
        extracted = extract(file, name="x")
        assert extracted.text == "Text.\n\nT\n"
        assert extracted.running_text == ("Draft", "Page")


class TestTables:
    """Tables."""

    def test_merged_cells_leave_their_places_empty(self) -> None:
        """A cell over several columns or rows stands once, and the other cells keep their columns."""
        document = read(
            table(
                row(cell(p("a"), '<w:gridSpan w:val="2"/>'), "b"),
                row(cell(p("c"), '<w:vMerge w:val="restart"/>'), "d", "e"),
                row(cell(p(), "<w:vMerge/>"), "f", cell(p("g") + p("h"))),
            )
        )
        assert document.text == "| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f | g<br>h |\n"

    def test_rows_and_cells_in_content_controls_are_there(self) -> None:
        """Content controls around rows and cells do not hide them."""
        inner = f"<w:sdt><w:sdtContent>{cell(p('d'))}</w:sdtContent></w:sdt>"
        rows = f"<w:sdt><w:sdtContent><w:tr>{cell(p('c'))}{inner}</w:tr></w:sdtContent></w:sdt>"
        assert read(table(row("a", "b"), rows)).text == "| a | b |\n| --- | --- |\n| c | d |\n"

    def test_a_box_is_read_as_paragraphs(self) -> None:
        """A table of one cell, and one with a table inside, are text."""
        assert read(table(row(cell(p("a") + p("b"))))).text == "a\n\nb\n"
        nested = table(row("x", cell(table(row("1", "2"), row("3", "4")))), row("y", "z"))
        assert read(nested).text == "x\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n\ny\n\nz\n"

    def test_a_real_table_keeps_every_mark_in_its_column(self, shared: Path) -> None:
        """Every row of a real table has its ten columns, with the marks of a symbol font where they were."""
        data = (shared / "docs" / "nist-800-63b-usability-table.docx").read_bytes()
        rows = [line.strip("|").split("|") for line in extract(data, name="x").text.splitlines()]
        assert {len(row) for row in rows} == {10}
        labelled = {row[0].strip(): [place.strip() for place in row[1:]] for row in rows}
        assert labelled["Unmasked text entry"] == ["", "◆", "◆", "◆", "◆", "", "", "", ""]
        assert labelled["Continuous hardware connection not required"] == [""] * 8 + ["◆"]


class TestHeadingsByLook:
    """Documents whose author used no styles."""

    TEXT = p("This is what the paragraph under the heading says, at some length.")

    def bold(self, text: str, size: int = 20) -> str:
        """Return a bold paragraph."""
        return p(run(text, f'<w:b/><w:sz w:val="{size}"/>'))

    def test_larger_and_bold_paragraphs_are_headings(self) -> None:
        """Size comes before weight, and the way of finding them is reported."""
        document = read(
            p(run("Report", '<w:sz w:val="36"/>')) + self.bold("Summary") + self.TEXT + self.bold("Findings", 28)
            + self.bold("Staff") + self.TEXT * 2 + self.bold("Costs", 28) + self.TEXT * 3,
        )  # fmt: skip
        assert [(depth, title) for depth, _, title in outline(document)] == [
            (1, "Report"), (2, "Summary"), (2, "Findings"), (3, "Staff"), (2, "Costs"),
        ]  # fmt: skip
        assert document.sections[1].found_by == "layout"

    def test_words_and_numbers_rank_headings_of_one_look(self) -> None:
        """One bold style for all is told apart by "PART", "Item" and numbers."""
        names = ["PART I", "Item 1. Business", "Overview", "Item 2. Properties", "PART II", "Item 3. Market"]
        document = read("".join(self.bold(name) + self.TEXT * 2 for name in names))
        assert [(depth, number) for depth, number, _ in outline(document)] == [
            (1, "PART I"), (2, "Item 1"), (3, None), (2, "Item 2"), (1, "PART II"), (2, "Item 3"),
        ]  # fmt: skip

    def test_bold_sentences_and_cells_are_no_headings(self) -> None:
        """Emphasised sentences, list items and table cells stay text."""
        sentence = "Forward-looking statements are not guarantees of performance, and they are subject to risks."
        document = read(
            self.bold("Risks") + self.TEXT * 2 + self.bold(sentence) + self.TEXT + table(row("a", "b"), row("c", "d"))
        )
        assert titles(document) == ["Risks"]

    def test_a_document_all_in_bold_has_no_headings_by_look(self) -> None:
        """What most text looks like says nothing."""
        assert titles(read("".join(self.bold(f"Line {word}") for word in "abcdef"))) == []

    def test_numbered_clauses_without_any_look_are_read_like_plain_text(self) -> None:
        """A contract typed without styles has the headings that its numbers show."""
        names = ["Definitions", "Supply of Goods", "Price and Payment", "Termination"]
        document = read("".join(p(f"{n}. {name}") + self.TEXT * 2 for n, name in enumerate(names, start=1)))
        assert outline(document) == [(1, str(n), name) for n, name in enumerate(names, start=1)]


class TestHostileFiles:
    """Files that are damaged or made to do harm."""

    @pytest.mark.parametrize(
        ("change", "reason", "says"),
        [
            ({"word/document.xml": None}, "parse_failed", "not a readable Word file"),
            ({"_rels/.rels": None}, "parse_failed", "not a readable Word file"),
            ({"[Content_Types].xml": None}, "parse_failed", "not a readable Word file"),
            ({"word/document.xml": "<w:document"}, "parse_failed", "not a readable Word file"),
            ({"word/document.xml": "<a/>"}, "parse_failed", "no document inside"),
            ({"word/document.xml": "<a>" * 5000 + "</a>" * 5000}, "parse_failed", "not a readable Word file"),
            (
                {"word/document.xml": '<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a/>'},
                "unsupported",
                "<!DOCTYPE",
            ),
            (
                {"word/styles.xml": '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'},
                "unsupported",
                "<!ENTITY",
            ),
            ({"word/document.xml": "<w:body>" + "<w:p/>" * 8_000_000}, "too_large", "unpacks|elements"),
        ],
    )
    def test_a_file_that_cannot_be_read_is_refused_by_name(
        self, change: dict[str, str | None], reason: str, says: str
    ) -> None:
        """The error names the file and says what is wrong with it; nothing outside the file is read."""
        entries = word_entries(p("x")) | change
        data = archive({name: content for name, content in entries.items() if content is not None})
        with pytest.raises(IngestError, match=f"'bad.docx'.*({says})") as refused:
            extract(data, name="bad.docx")
        assert refused.value.reason == reason

    def test_a_part_under_another_name_is_looked_at_too(self) -> None:
        """Entities are found in any entry that holds XML, whatever its name ends with."""
        entries = word_entries(p("x"))
        for name in ("[Content_Types].xml", "word/_rels/document.xml.rels"):
            entries[name] = entries[name].replace("styles.xml", "styles.bin")
        entries["word/styles.bin"] = "\ufeff" + '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'
        with pytest.raises(IngestError, match=r"'<!ENTITY' in 'word/styles\.bin'"):
            extract(archive(entries), name="bad.docx")

    def test_templates_and_files_with_macros_are_documents_too(self) -> None:
        """A .dotx or .docm is read like a .docx; its macros are bytes that nobody looks at."""
        entries = word_entries(p("T", style="H1"))
        types = str(entries["[Content_Types].xml"])
        for kind in ("template.main+xml", "document.macroEnabled.main+xml"):
            entries["[Content_Types].xml"] = types.replace("document.main+xml", kind)
            assert titles(tree(extract, archive(entries))) == ["T"]

    def test_no_file_is_fetched(self) -> None:
        """Relationships that lead out of the file are not followed."""
        entries = word_entries(p("T", style="H1"))
        relationships = str(entries["word/_rels/document.xml.rels"])
        entries["word/_rels/document.xml.rels"] = relationships.replace(
            "</Relationships>",
            '<Relationship Id="x" TargetMode="External" Target="http://example.org/footnotes.xml" '
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"/></Relationships>',
        )
        assert titles(tree(extract, archive(entries))) == ["T"]

    def test_properties_that_the_file_does_not_have_are_not_made_up(self) -> None:
        """A file without properties has no author and no title."""
        document = read(p("x"))
        assert document.metadata == {}
        assert document.title == "doc"


PIECES = st.sampled_from(
    ["a", " ", "1.2 b", run("Bold.", "<w:b/>"), run("u", '<w:u w:val="single"/>'), "<w:r><w:br/></w:r>"]
)
ENDS = st.sampled_from(["", in_list(1), in_list(1, 1), in_list(9), "<w:sectPr/>", "<w:rPr><w:del/></w:rPr>"])
PARAGRAPHS = st.builds(
    lambda parts, style, end: p(*parts, style=style, properties=end),
    st.lists(PIECES, max_size=3),
    st.sampled_from(["", "H1", "H3", "Title", "None"]),
    ENDS,
)
BLOCKS = st.recursive(
    PARAGRAPHS,
    lambda inner: st.one_of(
        st.lists(st.lists(inner, max_size=3), max_size=3).map(
            lambda rows: table(*(row(*(cell(each, '<w:gridSpan w:val="2"/>') for each in cells)) for cells in rows))
        ),
        st.lists(inner, max_size=3).map(
            lambda blocks: f"<w:sdt><w:sdtContent>{''.join(blocks)}</w:sdtContent></w:sdt>"
        ),
    ),
)


@given(st.lists(BLOCKS, max_size=8))
def test_any_blocks_make_a_tree_that_covers_the_text(blocks: list[str]) -> None:
    """Whatever paragraphs and tables are in each other, no text is lost and every section begins with its title."""
    definition = level(0, "%1.") + level(1, "%1.%2")
    document = tree(extract, word("".join(blocks), parts={"numbering": lists(definition)}))
    for section in document.sections[1:]:
        heading = "".join(section.text[: section.heading].split())
        assert "".join(section.title.split()) in heading
        assert heading.startswith("".join((section.number or "").split()))
