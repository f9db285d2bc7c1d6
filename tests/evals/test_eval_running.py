"""Asking, and what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lease_documents import LEASE, case, document, evaluated, indexed, record, without_seconds

from tocwalk.errors import CredentialError, IndexStoreError, NotFoundError
from tocwalk.evals import Plan, Report, evaluate, evaluation_notes, evaluation_tables
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick, Usage
from tocwalk.state import WalkContext
from tocwalk.testing import FunctionNavigator

CASES = [
    case("Who greases the wheel?", {"number": "2.2", "title": "Wheel", "page_start": 6, "page_end": 7}, kind="lexical"),
    case("Who mends the roof?", {"title": "Roof"}, kind="lexical"),
    case("Who counts frogs?", {"title": "Frogs"}, kind="plain", doc="charter"),
    case("What of swans?", doc="town/charter.txt", kind="nothing"),
]


def _take(*titles: str) -> FunctionNavigator:
    """Return a navigator that takes the sections with these titles where it sees them."""

    def decide(request: NavigatorRequest) -> Decision:
        seen = [candidate.ref for candidate in request.candidates if candidate.title in titles]
        usage = Usage(calls=2, input_tokens=100, output_tokens=10, cached_tokens=40)
        if not seen:
            return Decision(action="reject", usage=usage)
        return Decision(action="pick", picks=tuple(Pick(ref=ref, action="take") for ref in seen), usage=usage)

    return FunctionNavigator(decide)


def test_the_outcome_has_the_names_that_others_rely_on(index: TreeIndex) -> None:
    """The JSON has the contract's names: metrics, by kind, by case with its trace, and by baseline."""
    outcome = record(CASES, index, navigator=_take("Wheel", "Frogs", "Ducks"), baselines=["bm25", "oracle:0.1"])
    assert {"cases", "navigator", "metrics", "by_kind", "per_case", "baselines"} <= set(outcome)
    assert (outcome["cases"], outcome["navigator"]) == (4, "lexical:outline")
    named = {"section_recall", "section_precision", "page_recall", "exact", "abstained", "calls", "input_tokens"}
    for metrics in (outcome["metrics"], *outcome["by_kind"].values(), *outcome["baselines"].values()):
        assert named <= set(metrics)
    assert list(outcome["by_kind"]) == ["lexical", "plain", "nothing"]
    assert list(outcome["baselines"]) == ["bm25", "oracle:0.1"]
    assert [row["id"] for row in outcome["per_case"]] == [one.id for one in CASES]
    assert all(row["trace"][0]["event"] == "start" for row in outcome["per_case"])


def test_the_figures_can_be_worked_by_hand(index: TreeIndex) -> None:
    """Four cases: one exact; one missed; one with a section too many; one where something landed and should not."""
    outcome = record(CASES, index, navigator=_take("Wheel", "Frogs", "Ducks"))
    metrics = outcome["metrics"]
    assert metrics["section_recall"] == pytest.approx(2 / 3, abs=1e-5)
    assert metrics["section_precision"] == pytest.approx((1 + 0 + 1 / 2) / 3, abs=1e-5)
    assert metrics["page_recall"] == pytest.approx(1 / 2)  # the charter has no pages
    assert metrics["exact"] == pytest.approx(1 / 4)
    assert metrics["first_landing"] == pytest.approx(1 / 3, abs=1e-5)
    assert (metrics["abstained"], metrics["abstention_right"], metrics["abstention_wrong"]) == (0, 0, 0)
    assert (metrics["visits"], metrics["calls"], metrics["input_tokens"], metrics["cached_tokens"]) == (1, 2, 100, 40)
    assert metrics["stop_reasons"] == {"LEAF": 4}
    assert metrics["choice_accuracy"] == metrics["choice_accuracy_by_level"]["0"] == pytest.approx(1 / 2)
    assert outcome["by_kind"]["lexical"]["cases"] == 2
    assert outcome["by_kind"]["lexical"]["section_recall"] == pytest.approx(1 / 2)


def test_sizes_are_measured_against_the_gold(index: TreeIndex) -> None:
    """Landing a chapter for a section of it costs its tokens and pages."""
    outcome = record(CASES[:1], index, navigator=_take("Repairs"))
    (row,) = outcome["per_case"]
    landed, gold = (document("lease.txt", LEASE).sections[first:7] for first in (4, 6))
    tokens = [-(-sum(len(section.text) for section in sections) // 4) for sections in (landed, gold)]
    scores = row["scores"]
    assert [scores["landed_tokens"], scores["gold_tokens"]] == tokens
    assert (scores["landed_pages"], scores["gold_pages"], scores["page_density"]) == (3, 2, 1.5)
    assert row["landed"][0] | {"tokens": 0} == {
        "id": "lease.txt/4",
        "document": "lease.txt",
        "number": "2",
        "title": "Repairs",
        "page_start": 5,
        "page_end": 7,
        "text_scope": "subtree",
        "stop_reason": "NAVIGATOR_STOP",
        "tokens": 0,
        "correct": True,
    }
    assert row["found"] == ["inside"]


def test_cases_of_documents_that_are_not_there_are_reported(index: TreeIndex) -> None:
    """They are left out of every figure, and named in the outcome and in the notes."""
    missing = case("Who sails?", {"title": "Sails"}, doc="ship")
    report = Report(evaluated([missing, *CASES], index, navigator=_take("Wheel")))
    outcome = record([missing, *CASES], index, navigator=_take("Wheel"))
    assert outcome["cases"] == len(outcome["per_case"]) == 4
    assert [(one["id"], one["doc"]) for one in outcome["left_out"]] == [(missing.id, "ship")]
    assert "'ship'" in outcome["left_out"][0]["reason"]
    assert [note for note in evaluation_notes(report) if missing.id in note and "'ship'" in note]


def test_a_name_of_two_documents_is_no_name(tmp_path: Path) -> None:
    """A case whose document is ambiguous is left out, with the ids to choose from; the whole id is one."""
    with indexed(tmp_path / "index.db", a__lease=LEASE, b__lease=LEASE) as index:
        whole = case("Where is the wheel?", {"title": "Wheel"}, doc="a/lease.txt")
        outcome = record([case("Where?", {"title": "Wheel"}), whole], index)
    assert "a/lease.txt, b/lease.txt" in outcome["left_out"][0]["reason"]
    assert [row["document"] for row in outcome["per_case"]] == ["a/lease.txt"]


def test_without_any_document_there_is_nothing_to_measure(index: TreeIndex) -> None:
    """An evaluation of no case is an error that says what is missing."""
    with pytest.raises(NotFoundError, match="'ship'"):
        record([case("Who sails?", doc="ship")], index)
    with pytest.raises(NotFoundError, match="no corpus 'other'"):
        record(CASES, index, corpus="other")


def test_gold_that_is_not_in_the_tree_is_reported(index: TreeIndex) -> None:
    """It counts, and the notes say which it is, apart from what only its words were found of."""
    cases = [
        case("What of sails?", {"number": "9.9", "title": "Sails"}),
        case("What of grease?", {"number": "8.8", "title": "Grease", "evidence": "greases the wheel"}),
    ]
    report = Report(evaluated(cases, index, navigator=_take("Wheel")))
    missing, held = evaluation_notes(report)
    assert "What of sails? (9.9)" in missing
    assert "What of grease? (8.8)" in held
    outcome = record(cases, index, navigator=_take("Wheel"))
    assert [row["gold"][0]["found_by"] for row in outcome["per_case"]] == [None, "evidence"]
    assert (outcome["metrics"]["section_recall"], outcome["metrics"]["section_recall_inside"]) == (0.5, 0.5)
    assert outcome["metrics"]["token_density"] is None  # the size of what is no section is not known


def test_over_the_corpus_all_documents_are_asked(index: TreeIndex) -> None:
    """With the document named a walk begins in it; else at the corpus, and where the document holds no answer, sections
    of others are not called wrong.
    """
    swans = [case("What of wheels?", doc="charter")]
    named = record(swans, index, navigator=_take("Wheel"))
    wide = record(swans, index, navigator=_take("Wheel"), corpus_wide=True)
    assert [(outcome["per_case"][0]["landed"] == []) for outcome in (named, wide)] == [True, False]
    assert [outcome["metrics"]["abstention_right"] for outcome in (named, wide)] == [1, 1]
    assert [outcome["metrics"]["abstained"] for outcome in (named, wide)] == [1, 0]
    assert [outcome["metrics"]["choice_accuracy"] for outcome in (named, wide)] == [1, None]
    assert wide["corpus_wide"] is True


def test_the_outcome_does_not_depend_on_who_is_done_first(index: TreeIndex) -> None:
    """Asked one by one or several at once, the same decisions give the same outcome, times apart."""
    baselines = ["bm25", "levels", "random"]
    alone, together = (without_seconds(record(CASES, index, baselines=baselines, jobs=jobs)) for jobs in (1, 4))
    assert alone == together


def test_progress_is_told(index: TreeIndex) -> None:
    """Before the first answer and after each, how many there are and will be."""
    told: list[tuple[int, int]] = []
    plan = Plan(cases=CASES, settings=WalkContext(), baselines=["bm25"])
    evaluate(plan, index, on_answer=lambda done, of: told.append((done, of)))
    assert told == [(number, 8) for number in range(9)]


def test_what_no_policy_survives_ends_the_evaluation(index: TreeIndex) -> None:
    """A missing key is not a wrong answer: it is raised, and walks under way are cancelled."""
    tokens: list[Any] = []

    async def decide(request: NavigatorRequest) -> Decision:
        tokens.append(request.cancellation)
        if "frogs" in request.query:
            raise CredentialError("There is no key.")
        return Decision(action="reject")

    with pytest.raises(CredentialError, match="no key"):
        evaluated(CASES, index, navigator=FunctionNavigator(decide))
    assert tokens
    assert all(token.cancelled for token in tokens)


def test_an_index_that_changes_meanwhile_ends_the_evaluation(index: TreeIndex) -> None:
    """Answers of two generations would not be comparable."""

    def decide(_: NavigatorRequest) -> Decision:
        index.put(document("lease.txt", LEASE[:4]), parser_version="newer")
        return Decision(action="reject")

    with pytest.raises(IndexStoreError, match="has changed since the evaluation began"):
        evaluated(CASES, index, navigator=FunctionNavigator(decide), jobs=1)


def test_the_tables_show_every_system_and_kind(index: TreeIndex) -> None:
    """Markdown with a row for each system, whose cells are as many as the heading's; kinds are strangers' words."""
    cases = [*CASES, case("Who?", {"title": "Wheel"}, kind="a | b\n\x1b[31mred")]
    report = Report(evaluated(cases, index, navigator=_take("Wheel"), baselines=["bm25", "random"]))
    text = evaluation_tables(report)
    first, *tables = text.split("\n\n")
    assert first.startswith("5 cases, asked each of its document alone")
    assert len(tables) == 4
    for table in tables:
        widths = {line.replace("\\|", "").count("|") for line in table.splitlines()}
        assert len(widths) == 1, table
    rows = [line.split(" | ")[0] for line in tables[0].splitlines()[2:]]
    assert rows == ["| **lexical:outline**", "| bm25", "| random"]
    assert "a \\| b [31mred (1)" in tables[1]
    assert "\x1b" not in text


def test_a_system_that_does_not_walk_says_nothing_of_visits(index: TreeIndex) -> None:
    """BM25 makes no choices and ends for no reason: there is no figure, not a zero."""
    metrics = record(CASES, index, navigator=_take("Wheel"), baselines=["bm25"])["baselines"]["bm25"]
    assert (metrics["choice_accuracy"], metrics["choice_accuracy_by_level"], metrics["stop_reasons"]) == (None, {}, {})
