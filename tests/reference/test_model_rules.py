"""What the worked examples leave out, worked by hand: waves, budgets, picks, second tries, failures."""

from __future__ import annotations

from collections import Counter

import pytest

from reference.hand import Answer, node, opened, pair, walk
from reference.outcome import CallAborted
from reference.trees import Forest
from tocwalk.errors import ConfigurationError, NavigatorError
from tocwalk.navigators.protocol import Usage
from tocwalk.state.operator import Price

SPENT = Usage(calls=1, input_tokens=1400, output_tokens=100)
THREE: Forest = {"d": node("d", pair("a"), pair("b"), pair("c"))}
OPEN_THREE: Answer = [("d/a", "open"), ("d/b", "open"), ("d/c", "open")]


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

    def test_levels_of_a_folder(self) -> None:
        """A folder counts one level more than what is deepest in it (7)."""
        forest = {name: pair(name) for name in ("one/a", "one/b", "two/a", "two/b")}
        script: dict[str, list[Answer]] = {"": [[("one/", "open"), ("two/", "open")]], "one/": [[("x", "open")]]}
        script["two/"] = script["one/"]
        narrow, wide = (walk(forest, script, parallel=2, max_visits=visits) for visits in (4, 5))
        assert opened(narrow) == [("", 3), ("one/", 2), ("two/", 1)]
        assert opened(wide) == [("", 4), ("one/", 2), ("two/", 2)]

    def test_levels_end_at_max_depth(self) -> None:
        """What lies deeper than `max_depth` takes no visits (7)."""
        forest = {"d": node("d", node("a", pair("1"), pair("2")), node("b", pair("1"), pair("2")))}
        script: dict[str, list[Answer]] = {"d": [OPEN_THREE], "d/a": ["stop"], "d/b": ["stop"]}
        assert opened(walk(forest, script, parallel=2, max_visits=3)) == [("d", 2), ("d/a", 1), ("d/b", 0)]
        assert opened(walk(forest, script, parallel=2, max_visits=3, max_depth=2)) == [("d", 2), ("d/a", 0), ("d/b", 0)]

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

    def test_own_body_twice(self) -> None:
        """The own body can be taken once (4)."""
        outcome = walk({"d": pair("d")}, {"d": [[("0", "take"), ("0", "take"), ("d/1", "open")]]})
        assert outcome.dropped == Counter(repeated=1)
        assert outcome.landings == [("d", "NAVIGATOR_STOP", "own"), ("d/1", "LEAF", "own")]

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


class TestFailures:
    def test_filtered_landing(self) -> None:
        """A failure is survived if something else has landed, returned or not (9)."""
        script: dict[str, list[Answer]] = {
            "d": [[("d/a", "open"), ("d/c", "take")]],
            "d/a": [NavigatorError("No decision.")],
        }
        outcome = walk({"d": node("d", pair("a"), node("c"))}, script, filters={"section.tag": "x"})
        assert (outcome.raises, outcome.landings, outcome.failures) == (None, [], ["d/a"])

    @pytest.mark.parametrize(("visits", "reason"), [(15, "NAVIGATOR_STOP"), (2, "BUDGET_EXHAUSTED")])
    def test_any_other_landing(self, visits: int, reason: str) -> None:
        """A failure is survived beside a landing of any other reason, cut short or not (9)."""
        forest = {"d": node("d", pair("a"), pair("b"))}
        script: dict[str, list[Answer]] = {
            "d": [[("d/a", "open"), ("d/b", "open")]],
            "d/a": [NavigatorError("No decision.")],
            "d/b": ["stop"],
        }
        outcome = walk(forest, script, max_visits=visits)
        assert {(section, why) for section, why, _ in outcome.landings} == {("d/a", "NAVIGATOR_ERROR"), ("d/b", reason)}

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
