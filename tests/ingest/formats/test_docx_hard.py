"""Tests of the Word reader: documents without styles, and files that do harm."""

from __future__ import annotations

import pytest
from books import archive
from hypothesis import given
from hypothesis import strategies as st
from outlines import outline, titles, tree
from word import cell, in_list, level, lists, p, read, row, run, table, word, word_entries

from tocwalk.errors import IngestError
from tocwalk.ingest.docx import extract


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

    def test_strict_files_are_documents_too(self) -> None:
        """A file saved as "Strict Open XML" has the same tree; what is no XML in it is left as it is."""
        entries = word_entries(p("T", style="H1") + p("x"))
        for family, schema in (("wordprocessingml", "main"), ("officeDocument", "relationships")):
            old, new = (
                f"http://schemas.openxmlformats.org/{family}/2006/{schema}",
                f"http://purl.oclc.org/ooxml/{family}/{schema}",
            )
            entries = {name: content.replace(old, new) for name, content in entries.items()}
        document = tree(extract, archive({**entries, "word/media/a.png": b"\x89PNG"}))
        assert (titles(document), document.text) == (["T"], "T\n\nx\n")

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
