"""Storing and removing documents: what changes, what does not, what is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest
from sample_documents import make_document, put, two_chapters

from tocwalk.errors import DocumentConflictError, HierarchyError, IndexStoreError, InputError, NotFoundError
from tocwalk.index import TreeIndex
from tocwalk.index.batches import batches
from tocwalk.tree import Document


def test_the_same_document_again_changes_nothing(index: TreeIndex) -> None:
    """Storing a document twice is one generation, and the second time says `unchanged`."""
    document = two_chapters("doc", metadata={"b": 1, "a": "x"})
    first = put(index, document)
    assert (first.document, first.status) == ("doc", "stored")
    again = put(index, dataclasses.replace(document, metadata={"a": "x", "b": 1}))
    assert (again.status, again.generation) == ("unchanged", first.generation)


@pytest.mark.parametrize(
    "changes",
    [{"sha256": "2"}, {"title": "Another"}, {"metadata": {"a": True}}, {"metadata": {"a": "1"}}, {"metadata": {}}],
    ids=str,
)
def test_what_differs_makes_a_new_version(index: TreeIndex, changes: dict[str, Any]) -> None:
    """Another content, title or metadata, types of values included, is stored as a new generation."""
    document = two_chapters("doc", metadata={"a": 1})
    first = put(index, document).generation
    result = put(index, dataclasses.replace(document, **changes))
    assert (result.status, result.generation) == ("replaced", first + 1)


def test_another_parser_or_other_summaries_make_a_new_version(index: TreeIndex) -> None:
    """The same file is stored anew when the parser or the way of summaries has changed."""
    document = two_chapters("doc")
    made = [("1", "lead"), ("2", "lead"), ("2", "openai:gpt"), ("2", "openai:gpt")]
    statuses = [index.put(document, parser_version=parser, summaries=by).status for parser, by in made]
    assert statuses == ["stored", "replaced", "replaced", "unchanged"]


def test_whether_a_document_is_unchanged_is_known_before_parsing(index: TreeIndex) -> None:
    """`unchanged` is true for exactly the content, parser, summaries and source that were stored, while it is there."""
    asked = {"sha256": "1", "parser_version": "1", "summaries": "lead", "source": "/files/doc"}
    assert not index.unchanged("default", "doc", **asked)
    put(index, two_chapters("doc"))
    assert index.unchanged("default", "doc", **asked)
    assert not index.unchanged("other", "doc", **asked)
    for key in asked:
        assert not index.unchanged("default", "doc", **{**asked, key: "another"})
    index.remove("default", "doc")
    assert not index.unchanged("default", "doc", **asked)


def test_another_source_under_the_same_id_is_refused(index: TreeIndex) -> None:
    """The error names both sources, the first stays; once it is removed the id is free."""
    put(index, two_chapters("doc", source="/here/doc.md"))
    other = two_chapters("doc", 2, source="/there/doc.md")
    with pytest.raises(DocumentConflictError, match="'/here/doc.md'.*'/there/doc.md'"):
        put(index, other)
    assert index.document("default", "doc").source == "/here/doc.md"
    put(index, other, "second")
    index.remove("default", "doc")
    assert put(index, other).status == "stored"


def test_a_section_id_of_another_document_is_refused(index: TreeIndex) -> None:
    """Ids of sections differ within a corpus; the error names the document that has the id, and nothing is stored."""
    before = put(index, two_chapters("doc")).generation
    with pytest.raises(DocumentConflictError, match="'doc/one'.*'doc'"):
        put(index, make_document("doc/one"))
    assert index.generation("default") == before
    put(index, make_document("doc/one"), "second")
    index.remove("default", "doc")
    assert put(index, make_document("doc/one")).status == "stored"


def test_removing_what_is_not_there_names_what_is_close(index: TreeIndex) -> None:
    """A misspelt document or corpus is an error and no new generation."""
    first = put(index, two_chapters("operations/handbook")).generation
    with pytest.raises(NotFoundError, match="'operations/handbok'. Close: 'operations/handbook'"):
        index.remove("default", "operations/handbok")
    with pytest.raises(NotFoundError, match="no corpus 'nowhere'"):
        index.remove("nowhere", "operations/handbook")
    index.remove("default", "operations/handbook")
    with pytest.raises(NotFoundError, match="no document 'operations/handbook'"):
        index.remove("default", "operations/handbook")
    assert index.generation("default") == first + 1


@pytest.mark.parametrize("bad", ["a/" * 100 + "a", "a" * 2001, "a/" * 5000 + "a"], ids=len)
def test_ids_that_no_walk_could_go_through_are_refused(index: TreeIndex, bad: str) -> None:
    """A document below a hundred folders or more, or of a very long id, is refused; the largest that fit are stored."""
    with pytest.raises(HierarchyError, match="cannot be the id of a document"):
        put(index, make_document(bad))
    assert index.corpora() == []
    for fits in ("a/" * 99 + "a", "b" * 2000):
        assert put(index, make_document(fits)).status == "stored"


@pytest.mark.parametrize("bad", ["", "  ", "folder/", "/", "doc[1-9]", "doc/part[12-40]"])
def test_ids_that_name_something_else_are_refused(index: TreeIndex, bad: str) -> None:
    """Blank ids, and those that look like a folder or a group of sections, are errors for documents and sections."""
    with pytest.raises(HierarchyError, match="cannot be an id"):
        put(index, make_document(bad))
    document = make_document("doc", [(1, "a", "")])
    last = dataclasses.replace(document.sections[1], id=bad)
    with pytest.raises(HierarchyError, match="cannot be an id"):
        put(index, dataclasses.replace(document, sections=(document.sections[0], last)))
    assert index.corpora() == []


@pytest.mark.parametrize(
    "odd", ["a b", "第一章/第2条", "https://example.org/a?b=c#d", "a%b_c'\"", "[draft]", "x[1-]", "\u202e"]
)
def test_odd_ids_are_kept_as_they_are(index: TreeIndex, odd: str) -> None:
    """Any other id can be stored, found and removed."""
    put(index, make_document(odd))
    assert index.find("default", odd).id == odd
    assert index.outline("default", odd)[0].head.document == odd
    index.remove("default", odd)


def _with_text(text: str) -> Document:
    document = make_document(text, metadata={text: text})
    return dataclasses.replace(document, title=text, source=text, warnings=(text,))


def test_nul_and_lone_surrogates_become_replacement_characters(index: TreeIndex) -> None:
    """Every text of a document is stored with U+FFFD for them, and can be asked for in either form."""
    generation = put(index, _with_text("a\0b\ud800")).generation
    (root,) = index.roots("default", generation)
    (row,) = index.documents("default")
    clean = "a\ufffdb\ufffd"
    assert [root.id, root.title, root.source, root.metadata] == [clean, clean, clean, {clean: clean}]
    assert [row.id, row.title, row.source, row.warnings] == [clean, clean, clean, (clean,)]
    assert index.read("default", "a\0b\ud800", subtree=True) == f"{clean}\n"
    assert put(index, _with_text("a\0b\ud800")).status == "unchanged"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1 << 63, -(1 << 63) - 1, ["x"], {"a": 1}], ids=str)
def test_metadata_that_json_or_a_checkpoint_cannot_keep_is_refused(index: TreeIndex, value: Any) -> None:
    """Such a value of a document or a section is an error that names the key and the owner."""
    with pytest.raises(IndexStoreError, match="Metadata 'k' of 'doc'"):
        put(index, make_document("doc", metadata={"k": value}))
    document = make_document("doc")
    section = dataclasses.replace(document.sections[0], metadata={"k": value})
    with pytest.raises(IndexStoreError, match="Metadata 'k' of 'doc'"):
        put(index, dataclasses.replace(document, sections=(section,)))
    assert index.corpora() == []


def test_sections_that_are_no_tree_are_refused(index: TreeIndex) -> None:
    """A document whose sections do not form one, or whose root has another id, is not stored."""
    document = two_chapters("doc")
    with pytest.raises(HierarchyError):
        put(index, dataclasses.replace(document, sections=document.sections[::-1]))
    with pytest.raises(HierarchyError, match="'another'.*'doc'"):
        put(index, dataclasses.replace(document, id="another"))
    assert index.corpora() == []


def test_too_many_sections_are_refused(index: TreeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document beyond the bound is an error that names the bound; one at it is stored."""
    monkeypatch.setattr("tocwalk.index.cleaning.MAX_SECTIONS", 5)
    put(index, two_chapters("doc"))
    with pytest.raises(IndexStoreError, match="6 sections.*at most 5"):
        put(index, make_document("more", [(1, str(number), "") for number in range(5)]))


@pytest.mark.parametrize("name", ["", " ", "a\0", "\ud800"])
def test_a_corpus_needs_a_name(index: TreeIndex, name: str) -> None:
    """A blank name, or one that cannot be stored, is refused when writing and unknown when reading."""
    with pytest.raises(InputError, match="cannot be a corpus"):
        put(index, make_document("doc"), name)
    with pytest.raises(NotFoundError):
        index.generation(name)


def test_rows_that_went_missing_undo_the_write(index: TreeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """If fewer rows than sections can be counted afterwards, the old version stays."""
    before = put(index, two_chapters("doc", 1)).generation

    def two_rows(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
        return batches(islice(items, 2), size)

    monkeypatch.setattr("tocwalk.index.writes.batches", two_rows)
    with pytest.raises(IndexStoreError, match="5 sections, but 2 rows"):
        put(index, two_chapters("doc", 2))
    assert index.generation("default") == before
    assert "text 1" in index.read("default", "doc", subtree=True)
