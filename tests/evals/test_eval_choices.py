"""Whether visits were judged rightly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from lease_documents import LEASE, Row, indexed

from tocwalk.evals.choices import ABOVE, Places, choice_parts
from tocwalk.evals.outlines import Library
from tocwalk.graph import build_retrieval_graph
from tocwalk.navigators.protocol import Decision, Pick
from tocwalk.testing import ScriptedNavigator

MILL, ROOF, RENT, LATE = "law/lease.txt", 5, 1, 3
MANY = (Row(0, None, "Register"), *(Row(1, str(n), f"Entry number {n} of the register") for n in range(1, 41)))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Return two documents in a folder, and one of many sections."""
    with indexed(tmp_path / "index.db", law__lease=LEASE, law__register=MANY, zebra=LEASE) as index:
        yield Library(index, "default")


def _judged(
    library: Library,
    gold: Sequence[tuple[str, int]],
    script: Any,
    *,
    only: Sequence[str] | None = (MILL,),
    **settings: Any,
) -> dict[str, tuple[float, float]]:
    """Walk by a script, and judge its visits."""
    graph = build_retrieval_graph(index=library.index, navigator=ScriptedNavigator(script))
    output: Any = graph.invoke({"query": "?", "only_documents": only and list(only)}, context=settings)
    places = Places(library, library.catalog(only, max_depth=6))
    points = {places.point(document, position) for document, position in gold}
    return choice_parts(output["trace"], places, points)


def _picks(*names: str, action: Any = "open") -> Decision:
    return Decision(action="pick", picks=tuple(Pick(ref=name, action=action) for name in names))


@pytest.mark.parametrize(
    ("decision", "right"),
    [
        pytest.param(_picks("Repairs/Roof", action="take"), True, id="gold taken"),
        pytest.param(_picks("Repairs/Roof"), True, id="gold opened, which is taking a leaf"),
        pytest.param(_picks("Rent/Amount", "Repairs/Roof", action="take"), True, id="gold among others"),
        pytest.param(_picks("Repairs", action="take"), False, id="what is around the gold taken"),
        pytest.param(_picks("Repairs/Wheel", action="take"), False, id="another"),
        pytest.param(Decision(action="stop"), False, id="the document as a whole"),
        pytest.param(Decision(action="reject"), False, id="nothing"),
        pytest.param(_picks("no such ref"), False, id="what was not offered"),
    ],
)
def test_a_visit_is_right_if_a_choice_is_gold(library: Library, decision: Decision, right: bool) -> None:
    """Where the gold was shown, it has to be chosen itself."""
    assert _judged(library, [(MILL, ROOF)], [decision]) == {"0": (right, 1)}


def test_a_visit_is_right_if_a_choice_leads_to_gold(library: Library) -> None:
    """Level by level, each visit is judged by what it opens, under the depth of what was opened."""
    script = {
        "law/Lease of a Mill": [_picks("Rent", "Repairs")],
        "law/Lease of a Mill/1 Rent": [_picks("Amount")],
        "law/Lease of a Mill/2 Repairs": [_picks("Roof")],
    }
    judged = _judged(library, [(MILL, ROOF)], script, offer_levels=1)
    assert judged == {"0": (1, 1), "1": (1, 2)}


def test_where_no_gold_lies_below_choosing_nothing_is_right(library: Library) -> None:
    """Without gold in the document only a rejection is right."""
    assert _judged(library, [], [Decision(action="reject")]) == {"0": (1, 1)}
    assert _judged(library, [], [Decision(action="stop")]) == {"0": (0, 1)}
    assert _judged(library, [], [_picks("Rent", action="take")]) == {"0": (0, 1)}


def test_own_text_and_stop_are_right_where_they_are_gold(library: Library) -> None:
    """A parent's own text, and the parent as a whole, are gold only where the parent is."""
    for last in (_picks("0", action="take"), Decision(action="stop")):
        script = {"law/Lease of a Mill": [_picks("Rent")], "law/Lease of a Mill/1 Rent": [last]}
        assert _judged(library, [(MILL, RENT)], script, offer_levels=1) == {"0": (1, 1), "1": (1, 1)}
        assert _judged(library, [(MILL, LATE)], script, offer_levels=1) == {"0": (1, 1), "1": (0, 1)}


def test_corpus_folders_and_groups_are_judged_too(library: Library) -> None:
    """Above documents it is right to open the folder with the gold; in a long list, the group with it."""
    register = "law/register.txt"
    script = {
        "": [_picks("law")],
        "law": [_picks("Register")],
        "law/Register": [_picks("3")],
        "law/Register[12-17]": [_picks("2", action="take")],
    }
    settings = {"offer_levels": 1, "offer_tokens": 200}
    for position, parts in {13: (2, 2), 14: (1, 2), 30: (0, 2)}.items():
        judged = _judged(library, [(register, position)], script, only=None, **settings)
        assert judged == {ABOVE: (2, 2), "0": parts}
