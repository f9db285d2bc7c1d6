"""Tests of the Word reader: headings and text."""

from __future__ import annotations

import io
from pathlib import Path

import docx
import pytest
from outlines import body, outline, titles, tree
from word import STYLES, cell, in_list, level, lists, p, read, row, run, table, word

from tocwalk.ingest.docx import extract


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
