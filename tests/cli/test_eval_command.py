"""`tocwalk eval`: questions with known answers."""

from __future__ import annotations

import json
import os
import pty
import signal
import sys
from pathlib import Path
from typing import IO, Any

import pytest
from command_line import Run, Start, json_of

EXAMPLES = Path(__file__).parents[2] / "examples"
ALL = "bm25,bm25-titles,outline,levels,random,oracle,oracle:0.2"

CASES = (
    {"id": "bells", "doc": "handbook", "question": "What do two rings mean?", "gold": [{"title": "Bells"}]},
    {"id": "ducks", "doc": "ponds/charter.md", "question": "May ducks cross?", "gold": [{"title": "Ducks"}]},
    {"id": "swans", "doc": "charter", "question": "What of swans?", "gold": []},
)


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """Return a file of three cases about the library."""
    return _written(tmp_path, *CASES)


def _written(folder: Path, *cases: dict[str, Any]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), "utf-8")
    return path


def test_the_examples_come_out_as_json(run: Run) -> None:
    """All example questions are asked, of the navigator and of every baseline; the oracle finds what there is."""
    result = run("eval", EXAMPLES / "questions.jsonl", "--in", EXAMPLES / "documents", "--baselines", ALL, "--json")
    outcome = json_of(result)
    questions = (EXAMPLES / "questions.jsonl").read_text("utf-8").splitlines()
    assert outcome["cases"] == len(questions) == len(outcome["per_case"])
    assert outcome["left_out"] == []
    assert list(outcome["baselines"]) == ALL.split(",")
    oracle = outcome["baselines"]["oracle"]
    assert [oracle[name] for name in ("section_recall_itself", "exact", "abstention_right", "visits")] == [1] * 4
    assert 0 < outcome["metrics"]["section_recall"] < 1
    assert all(gold["found_by"] == "name" for row in outcome["per_case"] for gold in row["gold"])
    assert "Gold" not in result.stderr


def test_the_shared_questions_are_within_reach(run: Run, shared: Path) -> None:
    """Of two long plain documents an oracle finds all gold, in less than two calls, in offers that keep their size."""
    documents = [option for name in ("gdpr.txt", "rfc9000.md") for option in ("--in", shared / "docs" / name)]
    arguments = ["eval", shared / "eval" / "questions.jsonl", *documents, "--baselines", "oracle", "--json"]
    outcome = json_of(run(*arguments))
    assert (outcome["cases"], len(outcome["left_out"])) == (32, 32)
    oracle = outcome["baselines"]["oracle"]
    assert (oracle["section_recall_itself"], oracle["exact"]) == (1, 1)
    assert oracle["visits"] <= 1.5
    assert oracle["largest_offer_tokens"] <= outcome["settings"]["offer_tokens"]


@pytest.mark.usefixtures("indexed")
class TestStored:
    """Asked of the library in the index."""

    def test_people_get_tables(self, run: Run, cases: Path) -> None:
        """Without --json stdout is Markdown: a row for each system."""
        result = run("eval", cases)
        assert result.stdout.startswith("3 cases, asked each of its document alone; navigator lexical:outline.")
        for system in ("**lexical:outline**", "bm25", "bm25-titles", "random", "oracle"):
            assert f"\n| {system} | " in result.stdout

    def test_the_whole_corpus_can_be_asked(self, run: Run, cases: Path) -> None:
        """With --corpus-wide a walk begins above the documents."""
        outcome = json_of(run("eval", cases, "--corpus-wide", "--baselines", "none", "--json"))
        assert (outcome["corpus_wide"], outcome["baselines"]) == (True, {})
        assert {row["trace"][0]["documents"] for row in outcome["per_case"]} == {2}

    def test_settings_reach_the_walk(self, run: Run, cases: Path) -> None:
        """The options of a walk are those of `ask`."""
        outcome = json_of(run("eval", cases, "--visits", "0", "--baselines", "none", "--json"))
        assert outcome["settings"]["max_visits"] == 0
        assert outcome["metrics"]["visits"] == 0
        assert outcome["metrics"]["stop_reasons"] == {"BUDGET_EXHAUSTED": 3}

    def test_what_is_left_out_is_said(self, run: Run, tmp_path: Path) -> None:
        """Cases of documents that are not there are named on stderr, and the figures are of the others."""
        ship = {**CASES[0], "id": "sails", "doc": "ship\x1b[31m"}
        result = run("eval", _written(tmp_path, *CASES, ship), "--baselines", "none")
        assert result.stdout.startswith("3 cases")
        assert "Left out sails." in result.stderr
        assert "\x1b" not in result.stderr

    def test_answers_are_kept(self, run: Run, cases: Path, tmp_path: Path) -> None:
        """A second run with the same file of results gives the same JSON, times included."""
        arguments = ["eval", cases, "--baselines", "levels", "--results", tmp_path / "results.jsonl", "--json"]
        assert run(*arguments).stdout == run(*arguments).stdout

    @pytest.mark.parametrize(
        ("options", "code", "message"),
        [
            (["--baselines", "bm26"], 2, "no baseline 'bm26'"),
            (["--in", "somewhere", "--corpus", "other"], 2, "--in"),
            (["--jobs", "0"], 2, "--jobs"),
            (["--corpus", "other"], 1, "no corpus 'other'"),
            (["--navigator", "no:such"], 1, "No installed navigator supports 'no:such'"),
        ],
    )
    def test_bad_options_are_explained(
        self, run: Run, cases: Path, options: list[str], code: int, message: str
    ) -> None:
        """Nothing is printed on stdout, and stderr says what is wrong."""
        result = run("eval", cases, *options, "--json", code=code)
        assert result.stdout == ""
        assert message in result.stderr

    def test_bad_cases_are_explained(self, run: Run, tmp_path: Path) -> None:
        """A file that is not there, and a line that is no case."""
        assert "nowhere.jsonl" in run("eval", tmp_path / "nowhere.jsonl", code=2).stderr
        assert "Line 1 of " in run("eval", _written(tmp_path, {"id": "a"}), code=2).stderr

    def test_without_the_extra_it_says_what_to_install(
        self, run: Run, cases: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """BM25 needs a library that comes with an extra; without the baseline nothing is missing."""
        monkeypatch.setitem(sys.modules, "bm25s", None)
        assert 'pip install "tocwalk[eval]"' in run("eval", cases, code=1).stderr
        run("eval", cases, "--baselines", "levels")

    @pytest.mark.usefixtures("other_navigators")
    def test_cases_without_an_answer_are_told(self, run: Run, cases: Path) -> None:
        """A navigator that fails at one document leaves the others measured; the exit code is 1."""
        result = run("eval", cases, "--navigator", "test:fail", "--baselines", "none", "--json", code=1)
        outcome = json_of(result)
        assert [row["error"] is None for row in outcome["per_case"]] == [False, True, True]
        assert "No answer to bells" in result.stderr
        assert "on holiday" in result.stderr

    @pytest.mark.usefixtures("other_navigators")
    def test_it_goes_on_after_an_interrupt(self, run: Run, start: Start, cases: Path, tmp_path: Path) -> None:
        """Ctrl-C ends it at once, with 130 and nothing on stdout; what was answered by then is kept."""
        results = tmp_path / "results.jsonl"
        asked = ["eval", cases, "--baselines", "none", "--results", results, "--jobs", "3", "--json"]
        ours, theirs = pty.openpty()
        process = start(*asked, "--navigator", "test:wait", stderr=theirs, env={"TERM": "xterm"})
        os.close(theirs)
        shown = b""
        while b"2/3" not in shown:
            shown += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == b""
        assert process.returncode == 130
        os.close(ours)
        kept = [json.loads(line) for line in results.read_bytes().splitlines()[1:]]
        assert sorted(entry["case"] for entry in kept) == ["ducks", "swans"]

    @pytest.mark.usefixtures("other_navigators")
    def test_a_second_interrupt_waits_for_nobody(self, start: Start, cases: Path) -> None:
        """Ctrl-C again ends it where a navigator blocks and will not be cancelled."""
        process = start("eval", cases, "--baselines", "none", "--navigator", "test:block", "--json")
        assert process.stderr is not None
        _read_until(process.stderr, b"waiting")
        process.send_signal(signal.SIGINT)
        _read_until(process.stderr, b"Ctrl-C again")
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == b""
        assert process.returncode == 130


def _read_until(stream: IO[bytes], words: bytes) -> None:
    """Read lines up to the one with these words."""
    assert any(words in line for line in stream)


def test_files_that_cannot_be_read_are_told(run: Run, cases: Path, library: Path) -> None:
    """With --in what can be read is asked; the exit code is 1, as that of `ask`."""
    (library / "broken.pdf").write_bytes(b"%PDF-1.7\nno more")
    result = run("eval", cases, "--in", library, "--baselines", "none", "--json", code=1)
    assert json_of(result)["cases"] == 3
    assert "broken.pdf" in result.stderr
