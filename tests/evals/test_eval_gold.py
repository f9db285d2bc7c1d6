"""Finding gold in trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lease_documents import LEASE, Row, case, tree_of

from tocwalk.evals.gold import Target, locate

RENT, LATE, GENERAL, INNER_GENERAL, WHEEL = 1, 3, 7, 9, 6


def _located(folder: Path, gold: dict[str, Any], *, rows: tuple[Row, ...] = LEASE, **more: Any) -> Target:
    (target,) = locate(case("Where?", gold, **more), tree_of(folder / "index.db", rows))
    return target


@pytest.mark.parametrize(
    ("gold", "position"),
    [
        pytest.param({"number": "1.2", "title": "Being Late"}, LATE, id="number and title"),
        pytest.param({"number": "1.2", "title": "BEING  late."}, LATE, id="however it is written"),
        pytest.param({"number": None, "title": "Being Late"}, LATE, id="title alone"),
        pytest.param({"number": "1.2"}, LATE, id="number alone"),
        pytest.param({"title": "1.2 Being Late"}, LATE, id="number in the title"),
        pytest.param({"number": "1.2", "title": "Being Late with the Rent"}, LATE, id="title cut by the parser"),
        pytest.param({"title": "General"}, GENERAL, id="the first of one name"),
        pytest.param({"title": "General", "page_start": 9}, GENERAL, id="the pages are those of both"),
        pytest.param({"number": "3.2", "title": "General"}, INNER_GENERAL, id="the number tells"),
    ],
)
def test_a_section_is_found_by_its_name(tmp_path: Path, gold: dict[str, Any], position: int) -> None:
    """Number and title find the section, whatever the parser made of spaces, case and line ends."""
    target = _located(tmp_path, gold)
    assert (target.found_by, target.positions) == ("name", (position,))


def test_evidence_and_pages_tell_sections_of_one_name_apart(tmp_path: Path) -> None:
    """Of several sections of one name it is the one with the words, else the one on the pages."""
    rows = (
        Row(0, None, "Rules", "", 1, 3),
        Row(1, None, "Scope", "For cats.\n", 1, 1),
        Row(1, None, "Scope", "For dogs.\n", 2, 2),
        Row(1, None, "Scope", "For birds.\n", 3, 3),
    )
    scope: dict[str, Any] = {"title": "Scope"}
    by_words = _located(tmp_path / "words", {**scope, "evidence": "for   DOGS", "page_start": 3}, rows=rows)
    by_page = _located(tmp_path / "page", {**scope, "page_start": 3}, rows=rows)
    by_neither = _located(tmp_path / "neither", {**scope, "evidence": "for fish"}, rows=rows)
    assert [target.positions for target in (by_words, by_page, by_neither)] == [(2,), (3,), (1,)]


def test_gold_that_is_no_section_is_found_by_its_words(tmp_path: Path) -> None:
    """Where the parser missed a heading, the section that holds the evidence stands in, and that is said."""
    target = _located(tmp_path, {"number": "9", "title": "Grease", "evidence": "greases the wheel"})
    assert (target.found_by, target.positions) == ("evidence", (WHEEL,))


@pytest.mark.parametrize(
    "gold", [{"title": "Grease"}, {"title": "Grease", "evidence": "no such words"}, {"title": "§ …"}]
)
def test_gold_that_is_nowhere_is_told(tmp_path: Path, gold: dict[str, str]) -> None:
    """Gold of which neither name nor words are in the tree has no place in it."""
    target = _located(tmp_path, gold)
    assert (target.found_by, target.positions, target.pages) == (None, (), frozenset())


@pytest.mark.parametrize(
    ("passage", "positions"),
    [("greases the\nwheel", (WHEEL,)), ("changes hands monthly.\n1.1 Amount\nForty", (1, 2)), ("never said", ())],
)
def test_a_passage_is_found_where_it_runs(tmp_path: Path, passage: str, positions: tuple[int, ...]) -> None:
    """A passage stands in the section that holds its words, or in all those over which it runs."""
    assert _located(tmp_path, {"passage": passage}).positions == positions


def test_a_passage_said_twice_is_the_one_on_its_page(tmp_path: Path) -> None:
    """Words that stand in several places are meant where the page says."""
    rows = (Row(0, None, "Rules", "", 1, 2), Row(1, "1", "A", "Be kind.\n", 1, 1), Row(1, "2", "B", "Be kind.\n", 2, 2))
    first = _located(tmp_path / "a", {"passage": "Be kind."}, rows=rows)
    second = _located(tmp_path / "b", {"passage": "Be kind.", "page_start": 2}, rows=rows)
    assert (first.positions, second.positions) == ((1,), (2,))


def test_pages_are_those_of_the_case_else_of_the_section(tmp_path: Path) -> None:
    """A section's pages are all on which it stands, with what is below it."""
    assert _located(tmp_path / "a", {"title": "Rent"}).pages == {1, 2, 3, 4}
    assert _located(tmp_path / "b", {"title": "Rent", "page_start": 2}).pages == {2}


def test_gold_pages_are_the_sections_whose_own_text_is_on_them(tmp_path: Path) -> None:
    """Pages stand for sections too, so that an oracle can walk to them; a parent counts up to its first child."""
    target = _located(tmp_path, {"page_start": 3}, page_base=1)
    assert (target.found_by, target.positions) == ("pages", (LATE,))
    assert _located(tmp_path, {"page_start": 3}, page_base=0).positions == (LATE,)
    assert _located(tmp_path, {"page_start": 1}, page_base=0).positions == (RENT, 2, LATE)
