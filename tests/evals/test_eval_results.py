"""Going on where an evaluation was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lease_documents import CHARTER, LEASE, case, document, evaluated, indexed, record, without_seconds

from tocwalk.errors import InputError, NavigatorError
from tocwalk.evals import Report, evaluation_notes
from tocwalk.index import TreeIndex
from tocwalk.navigators.protocol import Decision, NavigatorRequest, Pick
from tocwalk.testing import FunctionNavigator

CASES = [
    case("Who greases the wheel?", {"title": "Wheel"}),
    case("Who mends the roof?", {"title": "Roof"}),
    case("Who counts frogs?", {"title": "Frogs"}, doc="charter"),
]


class Counting:
    """Takes the last candidate, and counts how often it was asked; of the roof it may have nothing to say."""

    def __init__(self, *, fails: bool = False) -> None:
        self.asked: list[str] = []
        self._fails = fails

    def __call__(self, request: NavigatorRequest) -> Decision:
        """Decide."""
        self.asked.append(request.query)
        if self._fails and "roof" in request.query:
            raise NavigatorError("the provider is on holiday", reason="refused")
        return Decision(action="pick", picks=(Pick(ref=request.candidates[-1].ref, action="take"),))


def _asked(index: TreeIndex, results: Path, *, fails: bool = False, **how: Any) -> tuple[list[str], dict[str, Any]]:
    """Return the questions for which the navigator was asked, and the outcome."""
    counting = Counting(fails=fails)
    outcome = record(how.pop("cases", CASES), index, navigator=FunctionNavigator(counting), results=results, **how)
    return sorted(counting.asked), outcome


def test_what_is_answered_is_not_asked_again(index: TreeIndex, tmp_path: Path) -> None:
    """The second run asks nothing and gives the same outcome, times included."""
    results = tmp_path / "results.jsonl"
    asked, first = _asked(index, results)
    again, second = _asked(index, results)
    assert (len(asked), again) == (3, [])
    assert first == second


def test_a_run_goes_on_where_a_killed_one_was(index: TreeIndex, tmp_path: Path) -> None:
    """A line that was not written to its end is asked again, and what comes after it is kept."""
    results = tmp_path / "results.jsonl"
    _, whole = _asked(index, results, jobs=1)
    lines = results.read_bytes().splitlines(keepends=True)
    results.write_bytes(b"".join(lines[:-1]) + lines[-1][:40])
    for questions in ([CASES[2].question], []):
        asked, outcome = _asked(index, results)
        assert asked == questions
        assert without_seconds(outcome) == without_seconds(whole)


def test_an_answer_serves_only_the_same_question(index: TreeIndex, tmp_path: Path) -> None:
    """Other settings, another scope, another question and other documents are asked; a new kind or gold is not."""
    results = tmp_path / "results.jsonl"
    _asked(index, results)
    regrouped = [case(CASES[0].question, {"title": "Roof"}, kind="easy")]
    assert _asked(index, results, cases=regrouped)[0] == []
    assert len(_asked(index, results, settings={"max_depth": 1})[0]) == 3
    assert len(_asked(index, results, corpus_wide=True)[0]) >= 3
    assert len(_asked(index, results, cases=[case("Who owns the wheel?")])[0]) == 1
    with indexed(tmp_path / "other.db", lease=LEASE[:5], town__charter=CHARTER) as other:
        kept, _ = _asked(other, results, cases=CASES[2:])
    assert kept == []


def test_documents_that_changed_are_asked_again(index: TreeIndex, tmp_path: Path) -> None:
    """Whether a document is the same is told by its bytes and by how it was read."""
    results = tmp_path / "results.jsonl"
    _asked(index, results)
    with indexed(tmp_path / "other.db", town__charter=CHARTER) as other:
        other.put(document("lease.txt", LEASE), parser_version="newer")
        asked, _ = _asked(other, results)
    assert asked == sorted(one.question for one in CASES[:2])


def test_another_server_and_another_prompt_are_asked(
    index: TreeIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers of a model of the same name at another address, or asked in other words, are never mixed."""
    results = tmp_path / "results.jsonl"
    _asked(index, results)
    monkeypatch.setenv("TOCWALK_OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert len(_asked(index, results)[0]) == 3
    monkeypatch.setattr("tocwalk.evals.running.PROMPT_VERSION", "decide-next")
    assert len(_asked(index, results)[0]) == 3
    assert _asked(index, results)[0] == []


def test_the_oracle_is_asked_again_where_gold_changed(index: TreeIndex, tmp_path: Path) -> None:
    """What an oracle answers depends on the gold."""
    results = tmp_path / "results.jsonl"
    how: dict[str, Any] = {"baselines": ["oracle"], "results": results}
    record(CASES[:1], index, **how)
    moved = record([case(CASES[0].question, {"title": "Roof"})], index, **how)
    assert [section["title"] for section in moved["per_case"][0]["baselines"]["oracle"]["landed"]] == ["Roof"]


def test_no_answer_counts_as_wrong_and_is_asked_again(index: TreeIndex, tmp_path: Path) -> None:
    """The other cases go on, the reason is in the row and in the notes, and the next run tries again."""
    results = tmp_path / "results.jsonl"
    report = Report(evaluated(CASES, index, navigator=FunctionNavigator(Counting(fails=True)), results=results))
    assert [score.question.case.id for score in report.failed] == [CASES[1].id]
    assert [note for note in evaluation_notes(report) if "refused: " in note and CASES[1].id in note]
    _, outcome = _asked(index, results, fails=True)
    assert outcome["per_case"][1]["error"].startswith("refused: ")
    assert outcome["metrics"]["failed"] == pytest.approx(1 / 3, abs=1e-5)
    assert outcome["per_case"][1]["scores"]["exact"] == outcome["per_case"][1]["scores"]["abstained"] == 0
    asked, mended = _asked(index, results)
    assert asked == [CASES[1].question]
    assert mended["metrics"]["failed"] == 0


@pytest.mark.parametrize("content", [b'{"id": "a"}\n', b"words\n", b"\n"])
def test_another_file_is_never_written_to(index: TreeIndex, tmp_path: Path, content: bytes) -> None:
    """A file of cases, named by mistake, stays as it is."""
    path = tmp_path / "cases.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="no file of results"):
        record(CASES, index, results=path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["nowhere/results.jsonl", ".", "/dev/full"])
def test_a_place_that_cannot_be_used_is_told_before_anybody_is_asked(
    index: TreeIndex, tmp_path: Path, name: str
) -> None:
    """The error names the file."""
    counting = Counting()
    with pytest.raises(InputError, match="cannot be used"):
        record(CASES, index, navigator=FunctionNavigator(counting), results=tmp_path / name)
    assert counting.asked == []
