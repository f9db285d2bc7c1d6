"""Documents from LangChain documents: trees by `id` and `parent_id`, or a clear refusal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document as LangChainDocument
from sample_documents import make_document, put

from tocwalk.errors import DocumentConflictError, HierarchyError, IndexStoreError, NotFoundError
from tocwalk.index import TreeIndex, documents_from_langchain


def _doc(own_id: Any, parent: Any = None, text: str = "", **metadata: Any) -> LangChainDocument:
    given = metadata if own_id is None else {"id": own_id, **metadata}
    return LangChainDocument(page_content=text, metadata=given if parent is None else {**given, "parent_id": parent})


def test_documents_form_the_trees_their_metadata_say(index: TreeIndex) -> None:
    """Roots become documents and children sections, in the order given, though parents may come later."""
    results = index.add_langchain(
        [
            _doc("b2", "b", "second", title="Two"),
            _doc("a", text="all of it", source="https://example.org/a"),
            _doc("b1", "b", "first ", title="One", summary="The first.", number="1"),
            _doc("b", text="before ", title="B"),
            _doc("b2x", "b2", " third"),
        ]
    )
    assert [(result.document, result.status) for result in results] == [("a", "stored"), ("b", "stored")]
    assert {result.generation for result in results} == {index.generation("default")}
    entries = index.outline("default", "b")
    assert [(entry.head.id, entry.parent, entry.head.title, entry.head.depth) for entry in entries] == [
        ("b", None, "B", 0),
        ("b2", "b", "Two", 1),
        ("b2x", "b2", "b2x", 2),
        ("b1", "b", "One", 1),
    ]
    one = entries[3].head
    assert (one.number, one.summary, one.has_body) == ("1", "The first.", True)
    assert index.read("default", "b", subtree=True) == "before second thirdfirst "
    assert [row.source for row in index.documents("default")] == ["https://example.org/a", "b"]


def test_what_is_not_given_is_shown_plainly(index: TreeIndex) -> None:
    """Without a title the id is shown, without a summary none; a blank title counts as none, one of lines as one."""
    index.add_langchain([_doc("a"), _doc("a1", "a", title=" \n"), _doc("a2", "a", title="Two\n  lines", summary=None)])
    heads = [entry.head for entry in index.outline("default", "a")]
    assert [(head.title, head.summary, head.number) for head in heads] == [
        ("a", "", None),
        ("a1", "", None),
        ("Two lines", "", None),
    ]


def test_other_scalars_are_metadata(index: TreeIndex) -> None:
    """A root's are the document's and can be filtered by, others the section's; lists and the like stay out."""
    index.add_langchain(
        [
            _doc("a", year=2024, draft=False, note=None, tags=["x"], title="A"),
            _doc("a1", "a", topic="law", weight=0.5, nested={"x": 1}),
        ]
    )
    assert index.find("default", "a").metadata == {"year": 2024, "draft": False, "note": None}
    assert index.find("default", "a1").metadata == {"topic": "law", "weight": 0.5}
    assert len(index.roots("default", index.generation("default"), filters={"year": [2023, 2024], "draft": False})) == 1
    assert index.roots("default", index.generation("default"), filters={"topic": "law"}) == ()


def test_pages_cover_what_is_below(index: TreeIndex) -> None:
    """A section ends where it says, or else with the last page known of it and below it."""
    index.add_langchain(
        [
            _doc("a", page_start=1),
            _doc("a1", "a", page_start=2, page_end=9),
            _doc("a2", "a", page_start=3),
            _doc("a2x", "a2", page_start=12),
            _doc("b"),
        ]
    )
    pages = {entry.head.id: (entry.head.page_start, entry.head.page_end) for entry in index.outline("default", "a")}
    assert pages == {"a": (1, 12), "a1": (2, 9), "a2": (3, 12), "a2x": (12, 12)}
    assert [row.pages for row in index.documents("default")] == [12, None]


_WRONG = {
    "no id": ([_doc("a"), _doc(None)], "number 2.*no `id`"),
    "blank id": ([_doc(" ")], "cannot be an id"),
    "number as id": ([_doc(7)], "`id` of 'document number 1' is 7"),
    "folder": ([_doc("a/")], "'a/' cannot be an id"),
    "group": ([_doc("a"), _doc("a[1-2]", "a")], r"'a\[1-2\]' cannot be an id"),
    "twice": ([_doc("a"), _doc("b"), _doc("a", "b")], "Two documents have the id 'a'"),
    "orphan": ([_doc("a"), _doc("a1", "z")], "'a1' has the parent 'z'"),
    "blank parent": ([_doc("a", "")], "'a' has the parent ''"),
    "number as parent": ([_doc("a", 1)], "`parent_id` of 'a' is 1"),
    "own parent": ([_doc("r"), _doc("a", "a")], "a -> a"),
    "two in a circle": ([_doc("r"), _doc("a", "b"), _doc("b", "a")], "a -> b -> a"),
    "below a circle": ([_doc("x", "a"), _doc("a", "b"), _doc("b", "c"), _doc("c", "a")], "a -> b -> c -> a"),
    "long circle": ([_doc(str(one), str((one + 1) % 5000)) for one in range(5000)], r"0 -> 1 -> .* -> 9 -> \.\.\."),
    "title of a wrong type": ([_doc("a", title=7)], "`title` of 'a' is 7"),
    "summary of a wrong type": ([_doc("a", summary=["x"])], "`summary` of 'a'"),
    "number of a wrong type": ([_doc("a", number=1.2)], "`number` of 'a' is 1.2"),
    "page zero": ([_doc("a", page_start=0)], "`page_start` of 'a' is 0"),
    "page too large": ([_doc("a", page_start=1 << 31)], "`page_start` of 'a' is 2147483648"),
    "pages backwards": ([_doc("a", page_start=3, page_end=2)], "'a' ends on page 2, before page 3"),
    "no document": ([_doc("a"), 5], "[Nn]umber 2 .* 5, no LangChain document"),
    "nothing": ([None], "[Nn]umber 1 .* None, no LangChain document"),
    "page as text": ([_doc("a", page_end="3")], "`page_end` of 'a' is '3'"),
    "page as truth": ([_doc("a", page_end=True)], "`page_end` of 'a' is True"),
}


@pytest.mark.parametrize(("docs", "message"), _WRONG.values(), ids=_WRONG.keys())
def test_what_forms_no_tree_is_refused(index: TreeIndex, docs: list[LangChainDocument], message: str) -> None:
    """The error names what is wrong, and nothing at all is stored."""
    with pytest.raises(HierarchyError, match=message):
        index.add_langchain([*docs, _doc("fine"), _doc("fine1", "fine")])
    with pytest.raises(HierarchyError, match=message):
        documents_from_langchain(docs)
    assert index.corpora() == []


@pytest.mark.parametrize("given", [5, "abc", None, b"abc", {"id": "a"}, _doc("a")], ids=repr)
def test_what_is_no_list_of_documents_is_refused(index: TreeIndex, given: Any) -> None:
    """Anything else than documents, one alone included, is an error that says so."""
    with pytest.raises(HierarchyError, match="no (list of )?LangChain document"):
        index.add_langchain(given)


@pytest.mark.parametrize("bad", [_doc("bad", weight=float("nan")), _doc("taken"), _doc("other/x")], ids=str)
def test_all_are_stored_or_none(index: TreeIndex, bad: LangChainDocument) -> None:
    """One document that cannot be stored, for whatever reason, keeps the others out."""
    put(index, make_document("taken", source="/files/taken"))
    before = put(index, make_document("other", [(1, "x", "")])).generation
    with pytest.raises((IndexStoreError, DocumentConflictError)):
        index.add_langchain([_doc("new"), bad])
    assert index.generation("default") == before
    with pytest.raises(NotFoundError):
        index.find("default", "new")


def test_adding_the_same_again_changes_nothing(index: TreeIndex) -> None:
    """The same documents are unchanged; of changed ones only those are replaced, in one generation."""
    first = [_doc("a"), _doc("a1", "a", "text"), _doc("b"), _doc("b1", "b", "text")]
    assert {result.status for result in index.add_langchain(first)} == {"stored"}
    before = index.generation("default")
    again = index.add_langchain(first)
    assert [(result.status, result.generation) for result in again] == [("unchanged", before), ("unchanged", before)]
    changed = index.add_langchain([*first[:3], _doc("b1", "b", "another text"), _doc("c")])
    assert [(result.status, result.generation) for result in changed] == [
        ("unchanged", before + 1),
        ("replaced", before + 1),
        ("stored", before + 1),
    ]
    assert index.add_langchain([]) == []


def test_a_section_may_move_to_another_document(index: TreeIndex) -> None:
    """What moves between documents that are added together is no conflict, in either order."""
    index.add_langchain([_doc("a"), _doc("s", "a"), _doc("b"), _doc("t", "b")])
    index.add_langchain([_doc("a"), _doc("t", "a"), _doc("b"), _doc("s", "b")])
    assert [index.find("default", one).document for one in ("s", "t")] == ["b", "a"]


def test_ten_thousand_levels_and_ten_thousand_children_are_stored(index: TreeIndex) -> None:
    """Neither depth nor width needs recursion, and every level can be read."""
    deep = [_doc(f"d{level}", f"d{level - 1}" if level else None, "x") for level in range(10_000)]
    wide = [_doc("w"), *(_doc(f"w{number}", "w", "x") for number in range(10_000))]
    generation = index.add_langchain(deep + wide)[0].generation
    last = index.find("default", "d9999")
    assert [head.depth for head in index.ancestors("default", generation, last.key)] == list(range(10_000))
    root = index.find("default", "d0")
    assert (root.levels, root.subtree_bytes) == (9999, 10_000)
    children = index.children("default", generation, [index.find("default", "w").key])
    assert [head.id for head in children] == [f"w{number}" for number in range(10_000)]


@given(parents=st.lists(st.integers(0, 30), max_size=30), order=st.randoms(use_true_random=False))
def test_any_hierarchy_is_a_tree_or_refused(parents: list[int], order: Any) -> None:
    """Whatever the parents and the order: the documents hold every section once, below its parent, or none is made."""
    docs = [
        _doc(str(own), None if parent == own else str(parent), f"text {own}\n") for own, parent in enumerate(parents)
    ]
    order.shuffle(docs)
    try:
        made = documents_from_langchain(docs)
    except HierarchyError:
        ups = {own: parent for own, parent in enumerate(parents) if parent != own}
        assert not all(_reaches_a_root(own, ups, len(parents)) for own in range(len(parents)))
        return
    for document in made:
        document.check()
    sections = [section for document in made for section in document.sections]
    assert sorted(section.text for section in sections) == sorted(doc.page_content for doc in docs)
    assert {section.id: section.parent for section in sections} == {
        doc.metadata["id"]: doc.metadata.get("parent_id") for doc in docs
    }


def _reaches_a_root(own: int, ups: dict[int, int], count: int) -> bool:
    for _ in range(count + 1):
        if own >= count:
            return False
        if own not in ups:
            return True
        own = ups[own]
    return False
