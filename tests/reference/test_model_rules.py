"""What the worked examples leave out, worked by hand: groups, folders, filters, text, budgets, cancellation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import pytest

from reference.grouped import grouped_offer
from reference.model import run
from reference.outcome import CallAborted, Decide, Outcome
from reference.places import Candidate, Offer, levels_offer
from reference.trees import Forest, Node
from tocwalk.errors import ConfigurationError, NavigatorError
from tocwalk.navigators.protocol import Decision, Pick, Usage
from tocwalk.state import WalkContext
from tocwalk.state.operator import Price

Answer: TypeAlias = str | Exception | list[tuple[str, Any]]
"""What is answered to one offer: "stop", "reject", an error to raise, or picks of (place id or "0", action)."""

SPENT = Usage(calls=1, input_tokens=1400, output_tokens=100)


def node(title: str, *sections: Node, body: bool = True, **metadata: str) -> Node:
    """Return a section with what is below it."""
    return Node(title, body, sections, metadata)


def pair(title: str) -> Node:
    """Return a section with two leaves below it: "a" gives "a", "a/1" and "a/2"."""
    return node(title, node("1"), node("2"))


def answers(script: Mapping[str, Sequence[Answer]], usage: Usage | None = None) -> Decide:
    """Return a navigator that gives these answers by place id, in the order in which a place is opened."""

    def decide(place: str, time: int, candidates: Sequence[Candidate]) -> Decision:
        answer = script[place][time - 1]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            return Decision(action="stop" if answer == "stop" else "reject")
        refs = {"0": "0"} | {candidate.place: candidate.ref for candidate in candidates if candidate.ref != "0"}
        picks = tuple(Pick(ref=refs.get(name, "ghost"), action=action) for name, action in answer)
        return Decision(action="pick", picks=picks, usage=usage or Usage())

    return decide


def walk(
    forest: Forest,
    script: Mapping[str, Sequence[Answer]],
    *,
    offer: Offer | None = None,
    usage: Usage | None = None,
    price: Price | None = None,
    filters: Mapping[str, Any] | None = None,
    only_documents: Sequence[str] | None = None,
    **settings: Any,
) -> Outcome:
    """Walk level by level, one call at a time, unless told otherwise."""
    context = WalkContext.model_validate({"offer_levels": 1, "parallel": 1, "on_failure": "partial", **settings})
    return run(
        forest,
        context,
        only_documents=only_documents,
        filters=filters,
        offer=offer or levels_offer(context),
        decide=answers(script, usage),
        price=price,
    )


def opened(outcome: Outcome) -> list[tuple[str, int]]:
    """Return what was opened, with the visits left that the navigator was told."""
    return [(opening.id, opening.visits_left) for opening in outcome.openings]


THREE: Forest = {"d": node("d", pair("a"), pair("b"), pair("c"))}
OPEN_THREE: Answer = [("d/a", "open"), ("d/b", "open"), ("d/c", "open")]

SEVEN: Forest = {"d": node("d", *(node(str(number)) for number in range(1, 8)))}
"""Seven leaves, offered three at once: d[1-3], d[4-6], d/7."""

IN_FOLDERS: Forest = {
    "one/a": node("a", node("1", tag="x"), node("2"), kind="law"),
    "one/b": node("b", node("1"), node("2"), kind="act"),
    "c": node("c", node("1"), node("2"), kind="note"),
}


class TestWaves:
    def test_wide(self) -> None:
        """A wave is as wide as `parallel`, and all in it are told the visits left after it (1, 7)."""
        script: dict[str, list[Answer]] = {"d": [OPEN_THREE], "d/a": ["stop"], "d/b": ["stop"], "d/c": ["stop"]}
        outcome = walk(THREE, script, parallel=2)
        assert opened(outcome) == [("d", 14), ("d/a", 12), ("d/b", 12), ("d/c", 11)]

    def test_nothing_is_skipped(self) -> None:
        """What does not fit ends the wave, even if something behind it would fit (7)."""
        deep = node("b", node("1", node("1", node("1"), node("2"))), node("2"))
        forest = {"d": node("d", pair("a"), deep, pair("c"))}
        script: dict[str, list[Answer]] = {"d": [OPEN_THREE], "d/a": ["stop"], "d/b": ["stop"], "d/c": ["stop"]}
        outcome = walk(forest, script, parallel=4, max_visits=4)
        # Three visits are left: a needs 1 and c 1, but b needs 3.
        assert opened(outcome) == [("d", 3), ("d/a", 2), ("d/b", 1), ("d/c", 0)]

    def test_tokens(self) -> None:
        """A call is made while its estimate of offer_tokens + 1000 still fits what is left of the tokens (7, 8)."""
        picks: Answer = [("0", "take")]
        script: dict[str, list[Answer]] = {"d": [OPEN_THREE], "d/a": [picks], "d/b": [picks], "d/c": [picks]}
        outcome = walk(THREE, script, usage=SPENT, parallel=4, offer_tokens=1000, max_tokens=5000)
        # 1500 spent, then 3000, each time with room for one call of 2000; 4500 leave no room.
        assert opened(outcome) == [("d", 14), ("d/a", 13), ("d/b", 12)]
        assert [(section, reason) for section, reason, _ in outcome.landings] == [
            ("d/a", "NAVIGATOR_STOP"),
            ("d/b", "NAVIGATOR_STOP"),
            ("d/c", "BUDGET_EXHAUSTED"),
        ]
        assert outcome.stop_reason == "BUDGET_EXHAUSTED"

    def test_money(self) -> None:
        """Money counts like tokens, the estimate at the price of input (7, 8)."""
        script: dict[str, list[Answer]] = {"d": [OPEN_THREE]}
        price = Price(input=1000, output=2000)
        # The first call costs 1.4 + 0.2; a second is estimated at 2.
        outcome = walk(THREE, script, usage=SPENT, price=price, offer_tokens=1000, max_cost=3.5)
        assert opened(outcome) == [("d", 14)]
        assert outcome.stop_reason == "BUDGET_EXHAUSTED"

    def test_money_without_a_price(self) -> None:
        """A money budget is refused where no price is known."""
        assert isinstance(walk(THREE, {}, max_cost=1.0).raises, ConfigurationError)

    def test_cancelled_under_way(self) -> None:
        """What was answered in the wave is applied, all else ends unlanded (10)."""
        script: dict[str, list[Answer]] = {
            "d": [OPEN_THREE],
            "d/a": [[("d/a/1", "take")]],
            "d/b": [CallAborted()],
        }
        outcome = walk(THREE, script, parallel=2)
        assert outcome.landings == [("d/a/1", "LEAF", "own")]
        assert (outcome.stop_reason, outcome.remaining_visits, outcome.failures) == ("CANCELLED", 12, [])


class TestPicks:
    def test_dropped_ones_do_not_count(self) -> None:
        """Only an `open` that is followed uses up `max_picks`; with it used up, no other reason is looked at (4)."""
        forest = {"d": node("d", pair("a"), pair("b"), pair("c"))}
        picks: Answer = [
            ("d/a", "open"),
            ("d/a", "open"),
            ("x", "open"),
            ("d/b", "open"),
            ("d/c", "open"),
            ("d/a", "open"),
        ]
        outcome = walk(forest, {"d": [picks], "d/a": ["stop"], "d/b": ["stop"]}, max_picks=2)
        assert outcome.dropped == Counter(repeated=1, unknown=1, over_max_picks=2)
        assert [section for section, _, _ in outcome.landings] == ["d/a", "d/b"]

    def test_own_body_cannot_be_opened(self) -> None:
        """`open` of "0" is unknown, and alone lands the opened section whole (4, 5)."""
        outcome = walk({"d": pair("d")}, {"d": [[("0", "open")]]})
        assert outcome.landings == [("d", "UNKNOWN_NODE", "subtree")]

    def test_settled_on_what_is_open(self) -> None:
        """An `open` that passes through to what is open is repeated; a `take` of the same is not (2, 4)."""
        forest = {"d": node("d", node("a", pair("b"), body=False), node("c"))}
        picks: Answer = [("d/a/b", "open"), ("d/a", "open"), ("d/a", "take")]
        outcome = walk(forest, {"d": [picks], "d/a/b": ["reject"]}, offer_levels=2)
        assert outcome.dropped == Counter(repeated=1)
        assert outcome.landings == [("d/a", "NAVIGATOR_STOP", "subtree")]


class TestSecondTries:
    def test_waits_for_the_others(self) -> None:
        """An opener gets its second try when the last of what it led to was rejected (6)."""
        forest = {"d": node("d", pair("a"), pair("b"), node("c"))}
        script: dict[str, list[Answer]] = {
            "d": [[("d/a", "open"), ("d/b", "open")], [("d/c", "take")]],
            "d/a": ["reject"],
            "d/b": [[]],
        }
        outcome = walk(forest, script)
        assert outcome.again == ["d"]
        assert outcome.openings[-1].offered == ("d/c",)

    def test_not_without_a_visit(self) -> None:
        """Without a visit left a reject is the end of it (6)."""
        outcome = walk(
            {"d": node("d", pair("a"), node("c"))}, {"d": [[("d/a", "open")]], "d/a": ["reject"]}, max_visits=2
        )
        assert (outcome.again, outcome.stop_reason) == ([], "NAVIGATOR_REJECT")

    def test_not_without_a_candidate(self) -> None:
        """Where nothing is left to choose, not even an own body, there is no second try (6)."""
        forest = {"d": node("d", pair("a"), pair("b"), body=False)}
        script: dict[str, list[Answer]] = {
            "d": [[("d/a", "open"), ("d/b", "open")]],
            "d/a": ["reject"],
            "d/b": ["reject"],
        }
        assert walk(forest, script).again == []

    def test_folder_that_passes_through(self) -> None:
        """With a document is left out the folder in which it is alone (6)."""
        forest = {"one/a": pair("a"), "b": pair("b"), "two/c": pair("c"), "two/d": pair("d")}
        script: dict[str, list[Answer]] = {"": [[("one/", "open")], [("b", "take")]], "one/a": ["reject"]}
        outcome = walk(forest, script)
        assert [opening.offered for opening in outcome.openings if opening.id == ""] == [
            ("b", "one/", "two/"),
            ("b", "two/"),
        ]
        assert outcome.landings == [("b", "NAVIGATOR_STOP", "subtree")]

    def test_rejected_itself(self) -> None:
        """A place opened again and then rejected gives its own opener another try (6)."""
        forest = {"d": node("d", node("a", pair("b"), node("c")), node("e"))}
        script: dict[str, list[Answer]] = {
            "d": [[("d/a", "open")], [("d/e", "take")]],
            "d/a": [[("d/a/b", "open")], "reject"],
            "d/a/b": ["reject"],
        }
        outcome = walk(forest, script)
        assert outcome.again == ["d/a", "d"]
        assert outcome.landings == [("d/e", "LEAF", "own")]


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

    def test_cut_short_twice(self) -> None:
        """Two groups cut short land their section once (8, 11)."""
        script: dict[str, list[Answer]] = {"d": [[("d[1-3]", "open"), ("d[4-6]", "open")]]}
        outcome = walk(SEVEN, script, offer=grouped_offer(3), max_visits=1)
        assert outcome.landings == [("d", "BUDGET_EXHAUSTED", "subtree")]
        assert outcome.dropped == Counter(contained_in=1)


class TestScope:
    def test_documents(self) -> None:
        """Of one document in scope alone, corpus and folder are passed through (2)."""
        outcome = walk(IN_FOLDERS, {"one/b": ["stop"]}, only_documents=["one/b"])
        assert outcome.landings == [("one/b", "NAVIGATOR_STOP", "subtree")]

    def test_one_of(self) -> None:
        """A list in a filter means one of its values; what is out of scope is not offered."""
        outcome = walk(IN_FOLDERS, {"one/": [[("one/b", "take")]]}, filters={"kind": ["law", "act"]})
        assert outcome.openings[0].offered == ("one/a", "one/b")

    def test_section_filter_first(self) -> None:
        """What the section filter takes out no longer holds the text of others (11, 12)."""
        script: dict[str, list[Answer]] = {"one/a": [[("one/a/1", "open"), ("one/a/2", "open")]]}
        outcome = walk(IN_FOLDERS, script, filters={"kind": "law", "section.tag": "x"}, max_results=1)
        assert outcome.landings == [("one/a/1", "LEAF", "own")]
        assert outcome.dropped == Counter(filtered=1)

    def test_outer_filtered(self) -> None:
        """A section inside another that a filter takes out is returned (11, 12)."""
        forest = {"d": node("d", node("a", node("1", tag="x"), node("2")), node("b"))}
        script: dict[str, list[Answer]] = {"d": [[("d/a", "take"), ("d/a/1", "take")]]}
        outcome = walk(forest, script, offer_levels=2, filters={"section.tag": "x"})
        assert outcome.landings == [("d/a/1", "LEAF", "own")]

    def test_nothing_left(self) -> None:
        """Where filters leave nothing, the walk's reason is that of the path that ended last (14)."""
        outcome = walk({"d": pair("d")}, {"d": [[("d/1", "take"), ("0", "take")]]}, filters={"section.tag": "x"})
        assert (outcome.landings, outcome.stop_reason) == ([], "NAVIGATOR_STOP")


class TestText:
    @pytest.mark.parametrize(("most", "scope"), [(11, "subtree"), (10, "own+titles")])
    def test_largest_that_fits(self, most: int, scope: str) -> None:
        """A subtree comes whole up to `max_section_tokens`, a quarter of its bytes rounded up (11)."""
        forest = {"d": node("d", node("é"), node("f"))}
        # "d\ntext of d\n" has 12 bytes, "é\ntext of d/é\n" 16 (in 14 characters), "f\ntext of d/f\n" 14.
        assert walk(forest, {"d": ["stop"]}, max_section_tokens=most).landings == [("d", "NAVIGATOR_STOP", scope)]


class TestFailures:
    def test_filtered_landing(self) -> None:
        """A failure is survived if something else has landed, returned or not (9)."""
        script: dict[str, list[Answer]] = {
            "d": [[("d/a", "open"), ("d/c", "take")]],
            "d/a": [NavigatorError("No decision.")],
        }
        outcome = walk({"d": node("d", pair("a"), node("c"))}, script, filters={"section.tag": "x"})
        assert (outcome.raises, outcome.landings, outcome.failures) == (None, [], ["d/a"])

    def test_configuration(self) -> None:
        """No policy survives a configuration error (9)."""
        outcome = walk({"d": node("d", pair("a"), node("c"))}, {"d": [ConfigurationError("No such model.")]})
        assert isinstance(outcome.raises, ConfigurationError)

    def test_after_the_wave(self) -> None:
        """With `raise`, the other calls of the wave are made first (9)."""
        forest = {"d": node("d", pair("a"), pair("b"))}
        script: dict[str, list[Answer]] = {
            "d": [[("d/a", "open"), ("d/b", "open")]],
            "d/a": [NavigatorError("No decision.")],
            "d/b": ["stop"],
        }
        outcome = walk(forest, script, parallel=2, on_failure="raise")
        assert isinstance(outcome.raises, NavigatorError)
        assert [opening.ending for opening in outcome.openings] == ["pick", "error", "stop"]
