"""Large documents and large corpora, and how much of them is kept in memory."""

from __future__ import annotations

from sample_documents import make_document, put
from sqlalchemy import insert, select

from tocwalk.index import TreeIndex
from tocwalk.index.cache import ListCache
from tocwalk.index.schema import key_of, section, section_text, tree
from tocwalk.index.sqlite import SqliteDatabase
from tocwalk.tree import SectionHead


def _head(index: TreeIndex) -> SectionHead:
    put(index, make_document("doc"))
    return index.find("default", "doc")


def test_a_document_of_twenty_thousand_sections_is_stored_whole(index: TreeIndex) -> None:
    """Its text, outline and the sections of every level come back complete and in order."""
    document = make_document("doc", [(1 + number % 4, f"s{number}", f"text {number}\n") for number in range(20_000)])
    generation = put(index, document).generation
    (root,) = index.roots("default", generation)
    assert (root.children, root.levels, root.end) == (5000, 4, 20_001)
    assert index.text("default", generation, root.key, subtree=True) == document.text
    below = index.below("default", generation, root.key)
    assert [head.id for head in below] == [section.id for section in document.sections[1:]]
    children = index.children("default", generation, [head.key for head in below if head.depth == 3])
    assert len(children) == 5000
    assert index.remove("default", "doc") == generation + 1
    assert index.collect(grace_s=0) == 1


def _copy_rows(database: SqliteDatabase, ids: list[str]) -> None:
    """Store copies of the document `doc` under other ids: rows at once, as ten thousand puts only test the disk."""
    with database.writing() as connection:
        rows = {
            table: dict(connection.execute(select(table)).mappings().one()) for table in (tree, section, section_text)
        }
        for number, document_id in enumerate(ids, rows[tree]["id"] + 1):
            key = {"key": key_of(number, 0)}
            own = {"tree": number, "id": document_id, "end_key": key_of(number, 1)}
            connection.execute(insert(tree), {**rows[tree], "id": number, "document": document_id})
            connection.execute(insert(section), {**rows[section], **key, **own})
            connection.execute(insert(section_text), {**rows[section_text], **key})


def test_ten_thousand_documents_are_all_roots(index: TreeIndex, database: SqliteDatabase) -> None:
    """Every document of a large corpus is there, in order, whether it was read before or not."""
    generation = put(index, make_document("doc")).generation
    ids = [f"folder{number % 7}/doc{number:05}" for number in range(9999)]
    _copy_rows(database, ids)
    for _ in range(2):
        heads = index.roots("default", generation)
        assert [head.id for head in heads] == [head.document for head in heads] == ["doc", *sorted(ids)]
    some = index.roots("default", generation, only_documents=ids[:5001])
    assert [head.id for head in some] == sorted(ids[:5001])


def test_what_was_used_last_is_kept(index: TreeIndex) -> None:
    """Over the bound the lists that were not used for longest go; the newest stays, however long it is."""
    head = _head(index)
    cache = ListCache[SectionHead](10)
    cache.put("a", (head,) * 4)
    cache.put("b", (head,) * 3)
    assert cache.get("a") == (head,) * 4
    cache.put("c", (head,) * 3)
    assert cache.get("b") is None
    assert cache.get("a") is not None
    cache.put("huge", (head,) * 1000)
    assert cache.get("huge") is not None
    assert cache.get("a") is None
    assert cache.get("c") is None
    cache.put("small", ())
    assert cache.get("huge") is None
    assert cache.get("small") == ()


def test_a_list_put_twice_counts_once(index: TreeIndex) -> None:
    """Two threads that read the same list do not push others out."""
    head = _head(index)
    cache = ListCache[SectionHead](10)
    cache.put("a", (head,) * 4)
    for _ in range(5):
        cache.put("b", (head,) * 4)
    assert cache.get("a") is not None
