"""A walk sees the corpus as it was when it began, until what it saw is collected."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule
from sample_documents import make_document, put, two_chapters
from sqlalchemy import func, select

from tocwalk.errors import GenerationCollectedError, InputError, NotFoundError
from tocwalk.index import TreeIndex
from tocwalk.index.schema import MAX_SECTIONS, document_metadata, key_of, section, section_text, tree
from tocwalk.index.sqlite import SqliteDatabase


def test_a_reader_keeps_its_generation_while_the_document_is_replaced(index: TreeIndex) -> None:
    """Heads, children and texts of the pinned generation stay; a new reader sees the new version."""
    old = put(index, two_chapters("doc", 1)).generation
    (root,) = index.roots("default", old)
    new = put(index, two_chapters("doc", 2)).generation
    assert "text 1" in index.text("default", old, root.key, subtree=True)
    assert [head.title for head in index.children("default", old, [root.key])] == ["one", "two"]
    (replaced,) = index.roots("default", new)
    assert replaced.tree != root.tree
    assert "text 2" in index.text("default", new, replaced.key, subtree=True)


def test_a_removed_document_stays_for_readers_that_saw_it(index: TreeIndex) -> None:
    """Removing makes a generation without the document; older ones still have it."""
    old = put(index, two_chapters("doc")).generation
    new = index.remove("default", "doc")
    assert index.roots("default", new) == ()
    assert [head.id for head in index.roots("default", old)] == ["doc"]


def test_a_collected_generation_says_so_on_every_read(index: TreeIndex) -> None:
    """After collection each read of an older generation raises, those kept in memory too; newer ones go on."""
    old = put(index, two_chapters("doc", 1)).generation
    (root,) = index.roots("default", old)
    index.children("default", old, [root.key])
    new = put(index, two_chapters("doc", 2)).generation
    assert index.collect(grace_s=0) == 1
    for read in (
        lambda: index.check("default", old),
        lambda: index.roots("default", old),
        lambda: index.sections("default", old, [root.key]),
        lambda: index.children("default", old, [root.key]),
        lambda: index.below("default", old, root.key),
        lambda: index.ancestors("default", old, root.key),
        lambda: index.text("default", old, root.key, subtree=False),
    ):
        with pytest.raises(GenerationCollectedError, match=f"Generation {old} of corpus 'default'"):
            read()
    index.check("default", new)
    assert "text 2" in index.read("default", "doc", subtree=True)


def test_what_is_still_there_of_a_collected_generation_can_be_read(index: TreeIndex) -> None:
    """Sections of documents that did not change are read by their keys; what is in scope as a whole is not."""
    put(index, two_chapters("gone", 1))
    old = put(index, two_chapters("stays")).generation
    gone, stays = index.roots("default", old)
    put(index, two_chapters("gone", 2))
    index.collect(grace_s=0)
    for read in (lambda: index.check("default", old), lambda: index.roots("default", old)):
        with pytest.raises(GenerationCollectedError):
            read()
    assert index.sections("default", old, [stays.key]) == [stays]
    assert [head.title for head in index.children("default", old, [stays.key, stays.key])] == ["one", "two"] * 2
    assert len(index.below("default", old, stays.key)) == 4
    assert index.text("default", old, stays.key, subtree=True) == two_chapters("stays").text
    for keys in ([gone.key], [stays.key, gone.key]):
        with pytest.raises(GenerationCollectedError):
            index.children("default", old, keys)


def test_a_generation_that_never_was_cannot_be_read(index: TreeIndex) -> None:
    """A number pinned on another index, higher than ours, is an error and not the newest state."""
    generation = put(index, make_document("doc")).generation
    with pytest.raises(GenerationCollectedError):
        index.roots("default", generation + 1)


def test_collection_waits_for_the_grace_period(index: TreeIndex) -> None:
    """What was retired just now stays by default, and for as long as is asked."""
    old = put(index, two_chapters("doc", 1)).generation
    put(index, two_chapters("doc", 2))
    assert index.collect() == 0
    assert index.collect(grace_s=1e9) == 0
    index.check("default", old)
    for senseless in (-1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="grace period"):
            index.collect(grace_s=senseless)


def test_collection_leaves_other_corpora_and_tenants_alone(tmp_path: Path) -> None:
    """Only corpora in which something was collected lose generations, and only the tenant's own."""
    with TreeIndex(tmp_path / "index.db", tenant="a") as mine, TreeIndex(tmp_path / "index.db", tenant="b") as other:
        for index in (mine, other):
            first = put(index, two_chapters("doc", 1)).generation
            put(index, two_chapters("doc", 2))
        elsewhere = put(mine, two_chapters("elsewhere", 1), "second").generation
        put(mine, two_chapters("another", 1), "second")
        assert mine.collect(grace_s=0) == 1
        mine.check("second", elsewhere)
        other.check("default", first)
        assert [head.id for head in other.roots("default", first)] == ["doc"]


def test_collection_in_pieces_leaves_nothing_behind(
    index: TreeIndex, database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small the pieces, all rows of retired trees go and all rows of live ones stay."""
    monkeypatch.setattr("tocwalk.index.collection._PIECE", 3)
    for version in range(4):
        put(index, two_chapters("doc", version, metadata={"version": version}))
        put(index, make_document(f"small{version}"))
    index.remove("default", "small0")
    assert index.collect(grace_s=0) == 4
    with database.reading() as connection:
        counts = [
            connection.scalar(select(func.count()).select_from(table))
            for table in (tree, section, section_text, document_metadata)
        ]
    assert counts == [4, 8, 8, 1]


def test_an_index_made_anew_at_the_same_place_is_another(tmp_path: Path) -> None:
    """Generations and keys of an index stand for nothing in another, whose documents may be just as many."""
    seen: list[tuple[int, tuple[int, int]]] = []
    for number in range(3):
        with TreeIndex(tmp_path / "index.db") as index:
            put(index, two_chapters("doc", number))
            generation = put(index, two_chapters(f"another {number}")).generation
            for old_generation, old_key in seen:
                with pytest.raises(GenerationCollectedError):
                    index.check("default", old_generation)
                with pytest.raises(GenerationCollectedError):
                    index.sections("default", old_generation, [old_key])
                with pytest.raises(NotFoundError):
                    index.text("default", generation, old_key, subtree=True)
            seen.append((generation, index.roots("default", generation)[0].key))
        for path in tmp_path.glob("index.db*"):
            path.unlink()


def test_the_numbers_of_an_index_leave_room_for_every_key(index: TreeIndex) -> None:
    """The first tree can be followed by as many as anybody writes before a key no longer fits 63 bits."""
    generation = put(index, make_document("doc")).generation
    (root,) = index.roots("default", generation)
    assert 1 << 39 < root.tree <= 1 << 40
    assert key_of(root.tree + (1 << 42), MAX_SECTIONS - 1) < 1 << 63


def test_the_number_of_a_collected_tree_never_comes_back(index: TreeIndex) -> None:
    """Walks remember trees by number, so a new document cannot get the number of a collected one."""
    first = put(index, make_document("doc")).generation
    (root,) = index.roots("default", first)
    index.remove("default", "doc")
    index.collect(grace_s=0)
    generation = put(index, make_document("doc")).generation
    assert index.roots("default", generation)[0].tree > root.tree


class IndexMachine(RuleBasedStateMachine):
    """Puts, removals, pins and collections in any order, against documents kept in a dict."""

    pins: Bundle[tuple[int, dict[str, int]]] = Bundle("pins")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="tocwalk-"))
        self.index = TreeIndex(self.folder / "index.db")
        self.live: dict[str, int] = {}
        self.generation = put(self.index, make_document("anchor")).generation
        self.live["anchor"] = 0
        self.retired = 0
        """The newest generation that retired a tree."""
        self.oldest = 0

    def _changed(self, document_id: str, version: int | None) -> None:
        self.generation += 1
        if self.live.pop(document_id, None) is not None:
            self.retired = self.generation
        if version is not None:
            self.live[document_id] = version

    @rule(document_id=st.sampled_from(["a", "b/c", "b-c"]), version=st.integers(0, 2))
    def store(self, document_id: str, version: int) -> None:
        """Storing says whether it was new, the same or another version."""
        before = self.live.get(document_id)
        expected = "stored" if before is None else "unchanged" if before == version else "replaced"
        result = put(self.index, two_chapters(document_id, version))
        assert result.status == expected
        if expected != "unchanged":
            self._changed(document_id, version)
        assert result.generation == self.generation

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        """What is there can be removed."""
        document_id = data.draw(st.sampled_from(sorted(self.live)))
        if document_id != "anchor":
            self._changed(document_id, None)
            assert self.index.remove("default", document_id) == self.generation

    @rule(target=pins)
    def pin(self) -> tuple[int, dict[str, int]]:
        """Remember the newest generation and what it holds."""
        return self.index.generation("default"), dict(self.live)

    @rule(pinned=pins)
    def look(self, pinned: tuple[int, dict[str, int]]) -> None:
        """A pinned generation gives what it held, or says that it was collected."""
        self._compare(*pinned)

    @rule(pinned=consumes(pins))
    def look_for_the_last_time(self, pinned: tuple[int, dict[str, int]]) -> None:
        """The same, and forget it, so that old and new pins mix."""
        self._compare(*pinned)

    @rule()
    def collect(self) -> None:
        """Without grace, all generations before the newest retirement go."""
        self.index.collect(grace_s=0)
        self.oldest = self.retired

    @invariant()
    def newest_is_what_was_stored(self) -> None:
        """The newest generation is the dict."""
        self._compare(self.generation, self.live)

    def _compare(self, generation: int, held: dict[str, int]) -> None:
        if generation < self.oldest:
            with pytest.raises(GenerationCollectedError):
                self.index.check("default", generation)
            return
        heads = self.index.roots("default", generation)
        assert [head.id for head in heads] == sorted(held, key=lambda one: one.split("/"))
        for head in heads:
            text = self.index.text("default", generation, head.key, subtree=True)
            if head.id != "anchor":
                assert text == two_chapters(head.id, held[head.id]).text

    def teardown(self) -> None:
        """Leave nothing behind."""
        self.index.close()
        shutil.rmtree(self.folder)


IndexMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=15, deadline=None)
TestIndexMachine = IndexMachine.TestCase
