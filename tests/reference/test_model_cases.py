"""The model against the worked examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from reference.cases import Case, check, load
from reference.model import run
from reference.places import levels_offer

CASES = load()
ABSENT = pytest.param(None, marks=pytest.mark.skip("There are no worked examples; set TOCWALK_SHARED to their folder."))


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES] or [ABSENT])
def test_case(case: Case) -> None:
    """The rules give every worked example the result it is printed with."""
    script = case.script()
    outcome = run(
        case.forest,
        case.settings,
        visits=case.visits,
        cancel=case.cancel,
        only_documents=case.only_documents,
        offer=levels_offer(case.settings),
        decide=script,
    )
    check(case, outcome, script)


def test_all_are_there(shared: Path) -> None:
    """None of the 45 worked examples is left out."""
    assert len({case.name for case in CASES}) == 45
