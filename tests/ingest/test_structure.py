"""Trees from extracted text and headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.errors import HierarchyError
from tocwalk.ingest.extracted import Extracted, Heading, PageStart
from tocwalk.ingest.structure import LONG_SECTION_TOKENS, build_document
from tocwalk.tree import Document


def extracted(*parts: tuple[int, str, str], before: str = "", **more: object) -> Extracted:
    """Return a text of headings (level, title, body), each heading a line of its own."""
    text, headings = before, list[Heading]()
    for level, title, body in parts:
        line = f"{title}\n"
        headings.append(Heading(start=len(text), end=len(text) + len(line), level=level, title=title))
        text += line + body
    return Extracted(text=text, headings=tuple(headings), media_type="text/plain", **more)  # type: ignore[arg-type]


def build(source: Extracted, document_id: str = "laws/bridges.txt") -> Document:
    """Return the document, checked."""
    document = build_document(source, document_id=document_id, source="/laws/bridges.txt", sha256="00")
    document.check()
    return document


def outline(document: Document) -> list[tuple[int, str]]:
    """Return depths and titles below the root."""
    return [(section.depth, section.title) for section in document.sections[1:]]


def test_gaps_between_levels_are_closed() -> None:
    """A heading of level 3 below one of level 1 is at depth 2, and one of level 2 after it beside it."""
    document = build(extracted((1, "A", "a"), (3, "B", "b"), (2, "C", "c"), (1, "D", "d")))
    assert outline(document) == [(1, "A"), (2, "B"), (2, "C"), (1, "D")]


def test_text_before_the_first_heading_is_the_documents_own() -> None:
    """The root holds what stands before the first heading, and none of it counts as its heading."""
    document = build(extracted((1, "A", "a"), before="preface\n"))
    assert (document.sections[0].text, document.sections[0].heading) == ("preface\n", 0)


def test_a_body_is_the_text_without_the_heading_line() -> None:
    """A section's text begins with its heading, its body behind it."""
    section = build(extracted((1, "A", "one\n"), (1, "B", "two\n"))).sections[2]
    assert (section.text, section.body) == ("B\ntwo\n", "two\n")


def test_the_only_top_heading_is_a_section_and_gives_the_document_its_title() -> None:
    """A document whose one heading of the top level comes first is called after it, and the heading stays a section."""
    document = build(extracted((1, "Bridges", ""), (2, "Scope", "")))
    assert document.title == "Bridges"
    assert outline(document) == [(1, "Bridges"), (2, "Scope")]


@pytest.mark.parametrize(
    ("parts", "title", "expected"),
    [
        (((1, "A", ""), (1, "B", "")), None, "bridges.txt"),
        (((1, "A", ""), (1, "B", "")), "Given", "Given"),
        (((2, "A", ""), (1, "B", "")), None, "bridges.txt"),
        ((), None, "bridges.txt"),
    ],
)
def test_a_document_without_a_title_is_called_after_its_file(
    parts: tuple[tuple[int, str, str], ...], title: str | None, expected: str
) -> None:
    """The reader's title counts first; with several top headings, or none, the file's name is the title."""
    assert build(extracted(*parts, before="x", title=title)).title == expected


def test_ids_are_readable_and_stable() -> None:
    """An id is the parent's id and a slug of number and title; repeated ones are counted in reading order."""
    source = extracted((1, "Scope", ""), (2, "Notes", ""), (2, "Notes", ""), (2, "Notes 2", ""), (1, "Scope", ""))
    ids = [section.id for section in build(source).sections]
    assert ids == [
        "laws/bridges.txt",
        "laws/bridges.txt/scope",
        "laws/bridges.txt/scope/notes",
        "laws/bridges.txt/scope/notes-2",
        "laws/bridges.txt/scope/notes-2-2",
        "laws/bridges.txt/scope-2",
    ]


def test_a_number_is_part_of_the_id() -> None:
    """The id of "2.1 Scope" ends in "2-1-scope"."""
    heading = Heading(start=0, end=10, level=1, title="Scope", number="2.1")
    source = Extracted(text="2.1 Scope\n", headings=(heading,), media_type="text/plain")
    assert build(source).sections[1].id == "laws/bridges.txt/2-1-scope"


def test_pages_cover_the_subtree() -> None:
    """A section begins on its heading's page and ends where the last of its subsections does, blanks aside."""
    source = extracted(
        (1, "A", "aaa\n"),
        (2, "B", "bbb\n"),
        (1, "C", "ccc\n"),
        pages=(
            PageStart(offset=0, number=1, label="i"),
            PageStart(offset=7, number=2, label="ii"),
            PageStart(offset=12, number=3, label="1"),
        ),
    )
    sections = build(source).sections
    assert [(s.page_start, s.page_end, s.label_start, s.label_end) for s in sections] == [
        (1, 3, "i", "1"),
        (1, 2, "i", "ii"),
        (1, 2, "i", "ii"),
        (3, 3, "1", "1"),
    ]


def test_page_breaks_inside_a_section_are_kept() -> None:
    """Where a section has several pages its metadata say where each begins in its text; else they say nothing."""
    starts = [PageStart(offset=0, number=1), PageStart(offset=5, number=2, label="ii"), PageStart(offset=10, number=3)]
    document = build(extracted((1, "A", "aaa\nbbb\n"), (1, "C", "ccc\n"), pages=tuple(starts)))
    assert [section.page_breaks for section in document.sections[1:]] == [((5, 2, "ii"),), ()]


def test_formats_without_pages_have_none() -> None:
    """Without pages neither the document nor its sections have page numbers."""
    document = build(extracted((1, "A", "a")))
    assert document.pages is None
    assert document.sections[1].page_start is None


def test_an_anchor_becomes_section_metadata() -> None:
    """The id that the source gives a heading can be filtered by as `section.anchor`."""
    heading = Heading(start=0, end=2, level=1, title="A", anchor="first")
    document = build(Extracted(text="A\nx", headings=(heading,), media_type="text/html"))
    assert document.sections[1].metadata == {"anchor": "first"}


def test_what_cannot_be_stored_is_replaced_and_counted() -> None:
    """NUL and lone surrogates become U+FFFD, one for one, in text, titles and metadata, with a warning."""
    source = extracted((1, "A\x00\ud800", "b\udfff\n"), metadata={"k\x00": "v\ud801"})
    document = build(source)
    assert document.text == "A��\nb�\n"
    assert document.sections[1].title == "A��"
    assert document.metadata == {"k�": "v�"}
    assert any(warning.endswith(": 3 characters.") for warning in document.warnings)


def test_a_megabyte_title_is_kept_on_one_line_with_a_short_id() -> None:
    """A title of any length is kept whole, without line breaks, and its id stays short."""
    title = "word\r\n\x0b\u2028" * 200_000
    heading = Heading(start=0, end=1, level=1, title=title)
    section = build(Extracted(text="x", headings=(heading,), media_type="text/plain")).sections[1]
    assert section.title == " ".join(["word"] * 200_000)
    assert len(section.id) < 100


def test_overlapping_headings_are_refused() -> None:
    """Headings out of reading order do not make a tree."""
    headings = tuple(Heading(start=start, end=start + 2, level=1, title="A") for start in (4, 0))
    with pytest.raises(HierarchyError, match="reading order"):
        build(Extracted(text="abcdefgh", headings=headings, media_type="text/plain"))


def test_a_document_without_headings_says_that_it_has_no_structure() -> None:
    """Without headings the document is one section, and a warning says that this is of little use."""
    document = build(extracted(before="just text"))
    assert len(document.sections) == 1
    assert "No headings were found" in document.warnings[0]


def test_long_sections_are_named_with_their_size() -> None:
    """A section that is too long to be of use is kept whole, and a warning names it."""
    document = build(extracted((1, "Long", "x" * 4 * LONG_SECTION_TOKENS), (1, "Short", "y")))
    assert [warning for warning in document.warnings if "laws/bridges.txt/long" in warning]
    assert not [warning for warning in document.warnings if "short" in warning]


def test_a_document_of_little_structure_is_said_to_be_one() -> None:
    """Where headings lead to less than half of the text, a warning says how much is out of their reach."""
    long = "x" * 4 * (LONG_SECTION_TOKENS + 1)
    document = build(extracted((1, "Scan", "y"), (2, "Minutes", "y"), before=long))
    assert document.warnings[0].startswith(f"The text before the first heading has {LONG_SECTION_TOKENS + 1} tokens")
    assert f"{LONG_SECTION_TOKENS + 1} of the document's" in document.warnings[1]
    parts = [(1, f"Part {number}", "y" * LONG_SECTION_TOKENS) for number in range(5)]
    assert len(build(extracted(*parts, before=long)).warnings) == 1


def test_a_thousand_levels_are_a_tree() -> None:
    """Nesting of any depth is built without recursion."""
    document = build(extracted(*((level, "s", "") for level in range(1, 1001))), document_id="d")
    assert document.sections[-1].depth == 1000


titles = st.text(max_size=30)


@given(st.lists(st.tuples(st.integers(1, 9), titles, titles), max_size=30), st.text(max_size=20))
def test_any_headings_make_a_tree_that_holds_all_text(parts: list[tuple[int, str, str]], before: str) -> None:
    """Whatever the headings, the tree is one, its ids differ and are well formed, and no text is lost."""
    source = extracted(*parts, before=before)
    document = build(source)
    assert len(document.text) == len(source.text)
    for section in document.sections[1:]:
        slug = section.id.removeprefix(f"{section.parent}/")
        assert slug
        assert not set(slug) & set("/[] ")
        assert section.id.encode()


def test_only_headings_say_how_they_were_found() -> None:
    """The document itself, for which no heading was looked, is `document`; its headings say what showed them."""
    document = build(extracted((1, "A", "a"), before="preface\n"))
    assert [section.found_by for section in document.sections] == ["document", "markup"]
