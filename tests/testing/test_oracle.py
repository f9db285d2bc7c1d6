"""The navigator that knows the answer, on real walks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reference.trees import Node, to_documents
from tocwalk.errors import NavigatorError
from tocwalk.graph import build_retrieval_graph
from tocwalk.index import TreeIndex
from tocwalk.testing import OracleNavigator
from tocwalk.tree import Document

WINDOW, LEVELS, NARROW = {"offer_tokens": 6000}, {"offer_levels": 1}, {"offer_tokens": 100}


def clause(title: str, *sections: Node, body: bool = True) -> Node:
    """Return a section."""
    return Node(title, body=body, sections=sections)


DOCUMENTS = to_documents(
    {
        "contracts/lease": clause(
            "Lease",
            clause("Rent", clause("Amount"), clause("Amount"), clause("Late payment", clause("Interest"), body=False)),
            clause("Repairs", *(clause(f"Repair of part {n} of the mill and its outbuildings") for n in range(1, 13))),
            clause("Ending", clause("Notice", clause("Form"), clause("Time"))),
        ),
        "contracts/old/lease": clause("Lease", clause("Rent"), clause("Ending", body=False)),
        "memo": clause("Memo"),
        "rules": clause("Rules", clause("Noise"), clause("Fire", clause("Alarm"), clause("Exits")), body=False),
    }
)
IDS = [section.id for document in DOCUMENTS for section in document.sections]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TreeIndex]:
    """Return an index that holds the documents."""
    with TreeIndex(tmp_path_factory.mktemp("oracle") / "index.db") as opened:
        for document in DOCUMENTS:
            opened.put(document, parser_version="1", summaries="none")
        yield opened


def walk(index: TreeIndex, oracle: OracleNavigator, query: str, **settings: Any) -> dict[str, Any]:
    """Ask the question of all documents."""
    graph = build_retrieval_graph(index=index, navigator=oracle)
    return graph.invoke({"query": query}, context={"max_visits": 100, **settings})


def landed(result: Mapping[str, Any]) -> list[str]:
    """Return the ids of what landed."""
    return [section["id"] for section in result["sections"]]


@pytest.mark.parametrize("settings", [WINDOW, LEVELS, NARROW], ids=["window", "levels", "groups"])
def test_every_section_is_found_and_nothing_else(index: TreeIndex, settings: dict[str, int]) -> None:
    """Through folders, groups and whole outlines, sections of the same title included, the gold lands alone."""
    oracle = OracleNavigator({id_: [id_] for id_ in IDS}, DOCUMENTS)

    for id_ in IDS:
        assert landed(walk(index, oracle, id_, **settings)) == [id_]


def test_several_sections_are_found_in_one_walk(index: TreeIndex) -> None:
    """Gold in several documents, a parent's own text beside one of its sections too."""
    gold = ["contracts/lease/rent/amount-2", "contracts/lease/ending", "rules/fire/exits"]
    oracle = OracleNavigator({"q": gold, "both": ["rules/fire", "rules/fire/alarm"]}, DOCUMENTS)

    for settings in (WINDOW, LEVELS, NARROW):
        assert landed(walk(index, oracle, "q", **settings)) == gold
    assert landed(walk(index, oracle, "both")) == ["rules/fire"]


def test_the_outline_may_come_from_the_index(index: TreeIndex) -> None:
    """What an index lists of its documents serves as well as the documents."""
    outlines = [[entry.head for entry in index.outline("default", document.id)] for document in DOCUMENTS]
    oracle = OracleNavigator({"q": ["contracts/lease/ending/notice/time"]}, outlines)

    assert landed(walk(index, oracle, "q", **LEVELS)) == ["contracts/lease/ending/notice/time"]


def test_no_gold_is_a_reject(index: TreeIndex) -> None:
    """Where the right answer is none, nothing lands."""
    result = walk(index, OracleNavigator({"q": []}, DOCUMENTS), "q")

    assert (landed(result), result["stop_reason"]) == ([], "NAVIGATOR_REJECT")


def test_errors_come_at_their_rate_and_can_be_repeated(index: TreeIndex) -> None:
    """At 0 every section is found, at 1 none, between them some, and the same ones for the same seed."""
    some = IDS[::2]

    def found(error_rate: float, seed: int = 0) -> list[bool]:
        oracle = OracleNavigator({id_: [id_] for id_ in some}, DOCUMENTS, error_rate=error_rate, seed=seed)
        return [id_ in landed(walk(index, oracle, id_, **WINDOW)) for id_ in some]

    half = found(0.5)
    assert all(found(0))
    assert not any(found(1))
    assert any(half)
    assert not all(half)
    assert half == found(0.5)
    assert half != found(0.5, seed=1)


def test_documents_out_of_scope_must_be_left_out(index: TreeIndex) -> None:
    """With the documents in scope only, groups are found where filters leave few."""
    lease: Sequence[Document] = DOCUMENTS[:1]
    target = "contracts/lease/repairs/repair-of-part-7-of-the-mill-and-its-outbuildings"
    graph = build_retrieval_graph(index=index, navigator=OracleNavigator({"q": [target]}, lease))

    result = graph.invoke({"query": "q", "only_documents": ["contracts/lease"]}, context=NARROW)

    assert landed(result) == [target]


@pytest.mark.parametrize(
    ("oracle", "said"),
    [
        (OracleNavigator({}, DOCUMENTS), "add it to `gold`"),
        (OracleNavigator({"q": ["rules/water"]}, DOCUMENTS), "'rules/water'"),
        (OracleNavigator({"q": ["memo"]}, DOCUMENTS[2:3]), "is not in the true outline"),
    ],
)
def test_what_the_oracle_was_not_told_is_an_error(index: TreeIndex, oracle: OracleNavigator, said: str) -> None:
    """A question, id or document that it does not know is a mistake of the test, not a reject."""
    graph = build_retrieval_graph(index=index, navigator=oracle)

    with pytest.raises(NavigatorError, match=said):
        graph.invoke({"query": "q", "only_documents": ["rules"]})


def test_it_needs_no_index(tmp_path: Path) -> None:
    """What it knows comes from the documents alone."""
    assert not list(tmp_path.iterdir())
    assert OracleNavigator({"q": ["memo"]}, DOCUMENTS).supports("test:oracle")
