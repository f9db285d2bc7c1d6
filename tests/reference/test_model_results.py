"""What the worked examples leave out, worked by hand: scope, filters, texts."""

from __future__ import annotations

from collections import Counter

import pytest

from reference.hand import Answer, node, pair, walk
from reference.trees import Forest

IN_FOLDERS: Forest = {
    "one/a": node("a", node("1", tag="x"), node("2"), kind="law"),
    "one/b": node("b", node("1"), node("2"), kind="act"),
    "c": node("c", node("1"), node("2"), kind="note"),
}


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
