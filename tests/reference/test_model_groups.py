"""What the worked examples leave out, worked by hand: groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reference.grouped import grouped_offer
from reference.hand import Answer, node, pair, walk
from reference.places import Candidate, Place, below, corpus_of, group_of
from reference.rules import excluded
from reference.trees import Forest

SEVEN: Forest = {"d": node("d", *(node(str(number)) for number in range(1, 8)))}
"""Seven leaves, offered three at once: d[1-3], d[4-6], d/7."""


class TestGroups:
    def test_stop(self) -> None:
        """`stop` in a group lands the section it belongs to, whole (5)."""
        outcome = walk(SEVEN, {"d": [[("d[4-6]", "open")]], "d[4-6]": ["stop"]}, offer=grouped_offer(3))
        assert outcome.landings == [("d", "NAVIGATOR_STOP", "subtree")]
        assert outcome.visits_used == 2

    def test_cannot_be_taken(self) -> None:
        """`take` of a group is unknown (5)."""
        outcome = walk(SEVEN, {"d": [[("d[1-3]", "take"), ("d/7", "take")]]}, offer=grouped_offer(3))
        assert outcome.dropped == Counter(unknown=1)
        assert outcome.landings == [("d/7", "LEAF", "own")]

    def test_rejected(self) -> None:
        """A rejected group is not offered again, nor is anything in it (6)."""
        script: dict[str, list[Answer]] = {"d": [[("d[4-6]", "open")], [("d/7", "take")]], "d[4-6]": ["reject"]}
        outcome = walk(SEVEN, script, offer=grouped_offer(3))
        assert outcome.openings[-1].offered == ("d[1-3]", "d/7")

    def test_excluded(self) -> None:
        """With a place is excluded all below it, and what passes through to it from its opener (6)."""
        forest = {"d": node("d", node("a", node("b", pair("c"), body=False), body=False), *(pair(n) for n in "efg"))}
        (d,) = corpus_of(forest, None, {}).children
        places = {place.id: place for place in below(d)}
        parents = {child.id: place for place in (d, *places.values()) for child in place.children}
        c = {"d/a/b/c", "d/a/b/c/1", "d/a/b/c/2"}
        assert excluded(d, [places["d/a/b/c"]], parents) == c | {"d/a", "d/a/b"}
        assert excluded(places["d/a"], [places["d/a/b/c"]], parents) == c | {"d/a/b"}
        assert excluded(group_of(d, 1, 2), [places["d/a/b/c"]], parents) == c | {"d/a", "d/a/b"}
        assert excluded(d, [group_of(d, 3, 4)], parents) == {
            *("d[3-4]", "d/f", "d/f/1", "d/f/2", "d/g", "d/g/1", "d/g/2"),
        }

    def test_never_settled(self) -> None:
        """Even a group of one costs a visit (2)."""

        def offer(place: Place, excluded: frozenset[str]) -> Sequence[Candidate]:
            if place.kind == "group":
                return grouped_offer(3)(place, excluded)
            return [Candidate(ref="1", place="d[7-7]", kind="group", range=(7, 7))]

        outcome = walk(SEVEN, {"d": [[("d[7-7]", "open")]], "d[7-7]": [[("d/7", "open")]]}, offer=offer)
        assert (outcome.visits_used, outcome.landings) == (2, [("d/7", "LEAF", "own")])

    def test_second_try_inside(self) -> None:
        """A group is opened again as any place is (6)."""
        forest = {"d": node("d", *(pair(name) for name in "abcd"))}
        script: dict[str, list[Answer]] = {
            "d": [[("d[1-2]", "open")]],
            "d[1-2]": [[("d/a", "open")], [("d/b", "take")]],
            "d/a": ["reject"],
        }
        outcome = walk(forest, script, offer=grouped_offer(2))
        assert outcome.again == ["d[1-2]"]
        assert outcome.openings[-1].offered == ("d/b",)
        assert outcome.landings == [("d/b", "NAVIGATOR_STOP", "subtree")]

    def test_of_documents(self) -> None:
        """In a group of documents `stop` is a reject; what nobody can land ends unlanded (5, 8)."""
        forest = {name: pair(name) for name in "abcd"}
        script: dict[str, list[Answer]] = {"": [[("[1-2]", "open")], [("[3-4]", "open")]], "[1-2]": ["stop"]}
        outcome = walk(forest, script, offer=grouped_offer(2), max_visits=3)
        assert [opening.offered for opening in outcome.openings] == [("[1-2]", "[3-4]"), ("a", "b"), ("[3-4]",)]
        assert (outcome.landings, outcome.stop_reason) == ([], "BUDGET_EXHAUSTED")

    def test_own_text_beside_the_whole(self) -> None:
        """A section's own text makes way for the same with the titles below, wherever it stands (11)."""
        script: dict[str, list[Answer]] = {"d": [[("0", "take"), ("d[1-3]", "open")]], "d[1-3]": ["stop"]}
        outcome = walk(SEVEN, script, offer=grouped_offer(3), max_section_tokens=0)
        assert outcome.landings == [("d", "NAVIGATOR_STOP", "own+titles")]
        assert outcome.dropped == Counter(contained_in=1)

    def test_chosen_and_cut_short(self) -> None:
        """A section cut short makes way for the same section chosen (11)."""
        script: dict[str, list[Answer]] = {"d": [[("d[4-6]", "open"), ("d[1-3]", "open")]], "d[4-6]": ["stop"]}
        outcome = walk(SEVEN, script, offer=grouped_offer(3), max_visits=2)
        assert outcome.landings == [("d", "NAVIGATOR_STOP", "subtree")]
        assert outcome.dropped == Counter(contains=1)

    def test_first_of_equals(self) -> None:
        """Of two landings with the same text the later goes (11)."""
        script: dict[str, list[Answer]] = {
            "d": [[("d[1-3]", "open"), ("d[4-6]", "open")]],
            "d[1-3]": [[("x", "open")]],
        }
        outcome = walk(SEVEN, script, offer=grouped_offer(3), max_visits=2)
        assert outcome.landings == [("d", "UNKNOWN_NODE", "subtree")]

    def test_cut_short_twice(self) -> None:
        """Two groups cut short land their section once (8, 11)."""
        script: dict[str, list[Answer]] = {"d": [[("d[1-3]", "open"), ("d[4-6]", "open")]]}
        outcome = walk(SEVEN, script, offer=grouped_offer(3), max_visits=1)
        assert outcome.landings == [("d", "BUDGET_EXHAUSTED", "subtree")]
        assert outcome.dropped == Counter(contained_in=1)
