"""What a walk reads is what was stored."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from sample_documents import documents, make_document, put, two_chapters
from sqlalchemy import Engine, event

from tocwalk.errors import NotFoundError
from tocwalk.index import TreeIndex, TreeReader
from tocwalk.tree import Document, SectionHead

_corpora = map(str, itertools.count())


@pytest.fixture(scope="module")
def shared_index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TreeIndex]:
    """Return an index in which every example has a corpus of its own."""
    with TreeIndex(tmp_path_factory.mktemp("index") / "index.db") as made:
        yield made


def _expected(document: Document, position: int, tree: int) -> SectionHead:
    """Return a section's head by the definitions, without regard to cost."""
    sections = document.sections
    one = sections[position]
    end = position + 1
    while end < len(sections) and sections[end].depth > one.depth:
        end += 1
    below = sections[position:end]
    return SectionHead(
        tree=tree,
        position=position,
        end=end,
        document=document.id,
        id=one.id,
        depth=one.depth,
        number=one.number,
        title=one.title,
        summary=one.summary,
        page_start=one.page_start,
        page_end=one.page_end,
        label_start=one.label_start,
        label_end=one.label_end,
        children=sum(section.parent == one.id for section in sections),
        levels=max(section.depth for section in below) - one.depth,
        has_body=bool(one.body.strip()),
        text_bytes=len(one.text.encode()),
        subtree_bytes=sum(len(section.text.encode()) for section in below),
        metadata=document.metadata if position == 0 else one.metadata,
        source=document.source,
    )


@settings(max_examples=50)
@given(document=documents())
def test_every_read_gives_what_was_stored(shared_index: TreeIndex, document: Document) -> None:
    """Roots, sections, children, what is below, ancestors and texts are those of the stored document."""
    reader: TreeReader = shared_index
    corpus = next(_corpora)
    generation = put(shared_index, document, corpus).generation
    (root,) = reader.roots(corpus, generation)
    expected = [_expected(document, position, root.tree) for position in range(len(document.sections))]
    keys = [head.key for head in expected]
    assert root == expected[0]
    assert list(reader.sections(corpus, generation, keys)) == expected
    for head, section in zip(expected, document.sections, strict=True):
        below = expected[head.position + 1 : head.end]
        up = [above for above in expected if above.position <= head.position < above.end]
        children = [one for one in below if one.depth == head.depth + 1]
        subtree = "".join(one.text for one in document.sections[head.position : head.end])
        assert list(reader.children(corpus, generation, [head.key])) == children
        assert list(reader.below(corpus, generation, head.key)) == below
        assert list(reader.ancestors(corpus, generation, head.key)) == up
        assert reader.text(corpus, generation, head.key, subtree=False) == section.text
        assert reader.text(corpus, generation, head.key, subtree=True) == subtree


def test_many_parents_are_answered_in_the_order_asked_for(index: TreeIndex) -> None:
    """Children come parent by parent as asked, repeated parents and ones read before included."""
    generation = put(index, two_chapters("doc")).generation
    (root,) = index.roots("default", generation)
    one = index.children("default", generation, [root.key])[0]
    heads = index.children("default", generation, [one.key, root.key, one.key])
    assert [head.title for head in heads] == ["a", "b", "one", "two", "a", "b"]
    assert [head.title for head in index.sections("default", generation, [one.key, root.key, one.key])] == [
        "one",
        "doc",
        "one",
    ]


def test_documents_are_ordered_by_the_parts_of_their_ids(index: TreeIndex) -> None:
    """A folder's documents stand together, even where "-" or "." sort before "/"."""
    for document_id in ("a.b", "a/z", "a-b/c", "a", "a/b/c", "Z", "ä"):
        generation = put(index, make_document(document_id)).generation
    heads = index.roots("default", generation)
    assert [head.document for head in heads] == ["Z", "a", "a/b/c", "a/z", "a-b/c", "a.b", "ä"]


def test_only_the_documents_asked_for_are_in_scope(index: TreeIndex) -> None:
    """`only_documents` keeps the order of the ids, ignores those that are not there, and empty means none."""
    for document_id in ("a", "b", "c"):
        generation = put(index, make_document(document_id)).generation

    def in_scope(*only: str) -> list[str]:
        return [head.id for head in index.roots("default", generation, only_documents=only)]

    assert in_scope("c", "nowhere", "a") == ["a", "c"]
    assert in_scope() == []
    assert in_scope(*(f"x{number}" for number in range(2000)), "b") == ["b"]


def test_a_key_that_the_generation_does_not_see_is_not_found(index: TreeIndex) -> None:
    """Keys of other corpora, of later generations, past the end or made up are errors, never somebody else's text."""
    generation = put(index, two_chapters("doc")).generation
    (root,) = index.roots("default", generation)
    later = index.roots("default", put(index, two_chapters("later")).generation)[1]
    elsewhere = index.roots("other", put(index, two_chapters("elsewhere"), "other").generation)[0]
    for key in (later.key, elsewhere.key, (root.tree, 5), (root.tree, -1), (0, 0), (1 << 70, 0), (root.tree, 1 << 20)):
        with pytest.raises(NotFoundError):
            index.sections("default", generation, [root.key, key])
        with pytest.raises(NotFoundError):
            index.children("default", generation, [root.key, key])
        with pytest.raises(NotFoundError):
            index.below("default", generation, key)
        with pytest.raises(NotFoundError):
            index.ancestors("default", generation, key)
        with pytest.raises(NotFoundError):
            index.text("default", generation, key, subtree=True)


def test_an_unknown_corpus_is_named_with_those_there_are(index: TreeIndex) -> None:
    """A misspelt corpus is an error that lists the others, on an empty index one that says what to run."""
    with pytest.raises(NotFoundError, match="'handbooks'.*index documents first") as missing:
        index.generation("handbooks")
    assert missing.value.command == "tocwalk index PATH"
    put(index, make_document("doc"), "handbook")
    with pytest.raises(NotFoundError, match="'handbooks'. There is 'handbook'"):
        index.roots("handbooks", 1)


def test_tenants_see_only_their_own(tmp_path: Path) -> None:
    """Tenants whose names begin alike or match as patterns share nothing, not even ids or generations."""
    names = ["a", "ab", "a_b", "a%b", "A", "a%", "%"]
    location = tmp_path / "index.db"
    keys: list[tuple[int, int]] = []
    for number, tenant in enumerate(names, 1):
        with TreeIndex(location, tenant=tenant) as mine:
            assert mine.corpora() == []
            for version in range(number):
                put(mine, two_chapters("doc", version, source=tenant))
            (root,) = mine.roots("default", mine.generation("default"))
            assert root.source == tenant
            keys.append(root.key)
    with TreeIndex(location, tenant="a") as mine:
        generation = mine.generation("default")
        for key in keys[1:]:
            with pytest.raises(NotFoundError):
                mine.text("default", generation, key, subtree=True)


def test_documents_and_children_are_read_once(index: TreeIndex) -> None:
    """Asking again for roots or children reads one row of the database, whatever the size of the corpus."""
    put(index, two_chapters("doc1"))
    generation = put(index, two_chapters("doc2")).generation
    (first, _) = index.roots("default", generation)
    index.children("default", generation, [first.key])
    statements: list[str] = []

    def note(*args: Any) -> None:
        statements.append(args[2])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        index.roots("default", generation)
        index.children("default", generation, [first.key])
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    asked = [statement for statement in statements if statement.startswith("SELECT")]
    assert len(asked) == 2
    assert all("FROM corpus" in statement for statement in asked)
