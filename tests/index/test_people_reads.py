"""What people read: documents, outlines, sections by id, and what is close to a misspelt id."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from sample_documents import documents, make_document, put, two_chapters

from tocwalk.errors import NotFoundError
from tocwalk.index import DocumentRow, TreeIndex
from tocwalk.tree import Document, tokens_of_bytes


def test_documents_are_listed_with_what_is_known_of_them(index: TreeIndex) -> None:
    """A row has all that was stored of a document, its size, and when."""
    document = dataclasses.replace(two_chapters("b/doc", metadata={"year": 2024}), pages=7, warnings=("odd", "very"))
    before = time.time()
    put(index, document)
    put(index, make_document("a"))
    first, row = index.documents("default")
    assert first.id == "a"
    assert before <= row.indexed_at.timestamp() <= time.time()
    assert row == index.document("default", "b/doc")
    assert row == DocumentRow(
        id="b/doc",
        title="Title of b/doc",
        source="/files/b/doc",
        media_type="text/plain",
        sha256="1",
        pages=7,
        sections=5,
        tokens=tokens_of_bytes(len(document.text.encode())),
        metadata={"year": 2024},
        indexed_at=row.indexed_at,
        parser_version="1",
        summaries="lead",
        warnings=("odd", "very"),
    )


def test_corpora_are_listed_by_name(index: TreeIndex) -> None:
    """Every corpus that was written to is listed, one that has become empty too."""
    assert index.corpora() == []
    for name in ("b", "a b", "A"):
        put(index, make_document("doc"), name)
    index.remove("b", "doc")
    assert index.corpora() == ["A", "a b", "b"]
    assert index.documents("b") == []


@settings(max_examples=50)
@given(document=documents())
def test_an_outline_is_the_document_in_reading_order(outlines: TreeIndex, document: Document) -> None:
    """Each entry has the section's id, parent and place in the text; their own texts are the document's text."""
    document = dataclasses.replace(document, sha256=repr(document.sections))
    put(outlines, document)
    entries = outlines.outline("default", document.id)
    assert [(entry.head.id, entry.parent, entry.start, entry.end) for entry in entries] == [
        (section.id, section.parent, section.start, section.end) for section in document.sections
    ]
    texts = [outlines.read("default", entry.head.id, subtree=False) for entry in entries]
    assert "".join(texts) == outlines.read("default", document.id, subtree=True) == document.text


@pytest.fixture(scope="module")
def outlines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TreeIndex]:
    """Return an index whose one document is replaced by every example."""
    with TreeIndex(tmp_path_factory.mktemp("outlines") / "index.db") as made:
        yield made


def test_a_section_is_found_by_its_id(index: TreeIndex) -> None:
    """Finding and reading take the newest version."""
    put(index, two_chapters("doc", 1))
    put(index, two_chapters("doc", 2))
    assert index.find("default", "doc/one/a").title == "a"
    assert index.read("default", "doc/one/a", subtree=False) == "a\ntext 2\n"
    assert index.read("default", "doc/one", subtree=True) == "one\ntext 2\na\ntext 2\nb\ntext 2\n"


@pytest.mark.parametrize(
    ("asked", "close"),
    [
        ("gdpr/chapter-1/artcle-5", "gdpr/chapter-1/article-5"),
        ("gdpr/article-17", "gdpr/chapter-2/article-17"),
        ("gdpr/chapter-9/article-17", "gdpr/chapter-2/article-17"),
        ("gdpr/chapter-2/ARTICLE-17", "gdpr/chapter-2/article-17"),
        ("gpdr", "gdpr"),
        ("law/handbok", "law/handbook"),
    ],
)
def test_an_unknown_section_names_close_ones(index: TreeIndex, asked: str, close: str) -> None:
    """A typing error, a level left out or a wrong one in between: the right id is the first that is named."""
    articles = [(2, f"article-{number}", "") for number in (5, 6, 17, 18)]
    outline = [(1, "chapter-1", ""), *articles[:2], (1, "chapter-2", ""), *articles[2:]]
    put(index, make_document("gdpr", outline))
    put(index, make_document("law/handbook"))
    for read in (lambda: index.find("default", asked), lambda: index.read("default", asked, subtree=True)):
        with pytest.raises(NotFoundError, match=f"no section '{asked}'. Close: '{close}'"):
            read()


@pytest.mark.parametrize("asked", ["", "/", "zzzz", "\ud800", "a\0", "x" * 100_000, "/".join("x" * 5000)])
def test_an_id_like_nothing_is_only_an_error(index: TreeIndex, asked: str) -> None:
    """Blank, hostile and huge ids are not found, without suggestions."""
    put(index, two_chapters("doc"))
    with pytest.raises(NotFoundError, match="(?s)no section") as caught:
        index.find("default", asked)
    assert "Close" not in str(caught.value)


def test_an_unknown_document_names_close_ones(index: TreeIndex) -> None:
    """An outline of a misspelt document says which there are."""
    put(index, make_document("operations/service-handbook"))
    for read in (index.outline, index.document):
        with pytest.raises(NotFoundError, match="Close: 'operations/service-handbook'") as missing:
            read("default", "operations/service-handbok")
        assert missing.value.command == "tocwalk documents"
