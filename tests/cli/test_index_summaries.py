"""tocwalk index --summaries MODEL: the command, its budget, and what a killed process leaves behind."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, Start, json_of

from manuals import manual_text
from stub_summaries import SummaryServer, completion, failure, shown_title

MODEL = ("--summaries", "openai:writer")
SECTIONS = 12


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    """Return a file with twelve sections that need a model, as the document itself does."""
    path = tmp_path / "manual.md"
    path.write_text(_manual(), "utf-8")
    return path


def _manual(**changed: str) -> str:
    return manual_text({letter: letter for letter in "abcdefghijkl"[:SECTIONS]} | changed)


def _refuse(server: SummaryServer, title: str) -> None:
    answer = server.answer
    server.answer = lambda shown: completion(None, refusal="No.") if shown_title(shown) == title else answer(shown)


def _document(run: Run) -> dict[str, Any]:
    outline: dict[str, Any] = json_of(run("outline", "manual.md", "--json"))
    return outline


def test_the_index_has_the_summaries_and_says_whose(manual: Path, run: Run, server: SummaryServer) -> None:
    """Sections have the model's summaries, and `documents` and `outline` name the model and the version."""
    result = run("index", manual, *MODEL)
    assert result.stdout == "1 document stored\n"
    assert result.stderr == (
        "Summaries: 13 summaries written, 13 model calls, 6,500 tokens in and 260 out, cost 7.0200.\n"
    )
    outline = _document(run)
    assert all(section["summary"].startswith("Tells of ") for section in outline["sections"])
    assert outline["document"]["summaries"] == "openai:writer, summarise-1"
    assert json_of(run("documents", "--json"))["documents"][0]["summaries"] == "openai:writer, summarise-1"


def test_what_is_unchanged_is_not_even_read(manual: Path, run: Run, server: SummaryServer) -> None:
    """A second run finds the document as it is and asks nothing; another model, or none, is a change."""
    run("index", manual, *MODEL)
    server.shown.clear()
    again = run("index", manual, *MODEL)
    assert (again.stdout, again.stderr) == ("0 documents stored, 1 unchanged\n", "")
    assert server.shown == []
    assert run("index", manual).stdout == "0 documents stored, 1 replaced\n"
    back = run("index", manual, *MODEL)
    assert back.stdout == "0 documents stored, 1 replaced\n"
    assert back.stderr.startswith("Summaries: 0 summaries written, 13 reused, 0 model calls")


def test_a_changed_section_is_all_that_is_paid_for(manual: Path, run: Run, server: SummaryServer) -> None:
    """Of a changed file the changed section and the document above it are asked about."""
    run("index", manual, *MODEL)
    server.shown.clear()
    manual.write_text(_manual(c="other"), "utf-8")
    run("index", manual, *MODEL)
    assert server.titles == ["Manual", "Rule c"]


def test_a_killed_run_is_not_paid_for_again(manual: Path, run: Run, start: Start, server: SummaryServer) -> None:
    """After kill -9 in the middle the same command pays for what had not been answered, and for nothing else."""
    server.hold(after=5)
    process = start("index", manual, *MODEL, "--parallel", "1")
    server.wait_for(6)  # the fifth answer has been kept before the next question is sent
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    server.release()
    result = run("index", manual, *MODEL)
    assert result.stderr.startswith("Summaries: 8 summaries written, 5 reused, 8 model calls")
    assert len(server.shown) == 6 + 8
    assert _document(run)["document"]["summaries"] == "openai:writer, summarise-1"


def test_ctrl_c_ends_it_and_keeps_what_was_written(manual: Path, run: Run, start: Start, server: SummaryServer) -> None:
    """Ctrl-C in the middle ends the process with its message; what was written is reused."""
    server.hold(after=4)
    process = start("index", manual, *MODEL, "--parallel", "1")
    server.wait_for(5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in said
    server.release()
    assert run("index", manual, *MODEL).stderr.startswith("Summaries: 9 summaries written, 4 reused")


def test_a_spent_budget_leaves_leads_and_says_so(manual: Path, run: Run, server: SummaryServer) -> None:
    """What was asked about has the model's summary, the rest its lead; exit code 1, and the next run goes on."""
    result = run("index", manual, *MODEL, "--max-tokens", "3000", code=1)
    paid = len(server.shown)
    assert 1 < paid < 6
    assert f"manual.md: The model gave no summary of {13 - paid} of 14 sections (stopped" in result.stderr
    assert "No more were asked for: the budget of 3,000 tokens is spent. Run it again to go on." in result.stderr
    made_by = _document(run)["document"]["summaries"]
    assert made_by.startswith(f"openai:writer, summarise-1, {13 - paid} of 14 missing (")
    assert all(section["summary"] for section in _document(run)["sections"])
    assert run("index", manual, *MODEL).stdout == "0 documents stored, 1 replaced\n"
    assert len(server.shown) == 13
    assert _document(run)["document"]["summaries"] == "openai:writer, summarise-1"


def test_each_run_under_a_budget_gets_further(manual: Path, run: Run, server: SummaryServer) -> None:
    """Small budgets add up: every run stores what it has added, until nothing is missing."""
    seen: list[str] = []
    for _ in range(13):
        result = run("index", manual, *MODEL, "--max-cost", "2.5", code=None)
        seen.append(_document(run)["document"]["summaries"])
        if result.exit_code == 0:
            break
    assert seen[-1] == "openai:writer, summarise-1"
    assert len(set(seen)) == len(seen)
    assert len(server.shown) == 13


def test_json_says_what_it_cost(manual: Path, run: Run, server: SummaryServer) -> None:
    """The report counts sections, calls, tokens and money, and says of each document how its summaries were made."""
    _refuse(server, "Rule b")
    report = json_of(run("index", manual, *MODEL, "--json", code=1))
    assert report["documents"][0]["summaries"].startswith("openai:writer, summarise-1, 1 of 14 missing (")
    assert report["summaries"]["made_by"] == "openai:writer, summarise-1"
    assert report["summaries"]["sections"] == {"text": 1, "kept": 0, "written": 12, "lead": 1}
    usage = report["summaries"]["usage"]
    assert (usage["model_calls"], usage["input_tokens"], usage["output_tokens"]) == (13, 6500, 260)
    assert usage["cost"] == pytest.approx(7.02)


def test_other_missing_summaries_are_another_document(manual: Path, run: Run, server: SummaryServer) -> None:
    """A run that leaves out as many summaries as the last, but others, stores what it has added."""
    answer = server.answer
    _refuse(server, "Rule b")
    run("index", manual, *MODEL, code=1)
    server.answer = answer
    _refuse(server, "Manual")  # it is asked about again, as what is said of Rule b has changed
    assert run("index", manual, *MODEL, code=1).stdout == "0 documents stored, 1 replaced\n"
    summaries = {section["title"]: section["summary"] for section in _document(run)["sections"]}
    assert summaries["Rule b"].startswith("Tells of Rule b")


def test_without_a_model_nothing_is_asked(manual: Path, run: Run, server: SummaryServer) -> None:
    """The default stays offline, and its report has no summaries of a model."""
    report = json_of(run("index", manual, "--json"))
    assert report["summaries"] is None
    assert report["documents"][0]["summaries"] == "lead"
    assert server.shown == []


def test_a_refused_key_ends_the_run(manual: Path, run: Run, server: SummaryServer) -> None:
    """A set-up that cannot work is an error with its remedy; nothing is stored in its place."""
    server.answer = lambda _: failure(401)
    result = run("index", manual, *MODEL, code=1)
    assert "OPENAI_API_KEY" in result.stderr
    assert "Nothing is indexed yet" in run("documents", code=1).stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--summaries", "gpt-5-mini"), "neither lead nor none"),
        (("--max-tokens", "5"), "--summaries MODEL"),
        (("--summaries", "none", "--max-cost", "5"), "--summaries MODEL"),
        (("--summaries", "openai:free", "--max-cost", "5"), "TOCWALK_PRICES"),
    ],
)
def test_wrong_usage(options: tuple[str, ...], said: str, manual: Path, run: Run, server: SummaryServer) -> None:
    """What makes no sense together is refused before anything is read."""
    assert said in run("index", manual, *options, code=2).stderr
    assert server.shown == []


def test_whoever_gives_up_a_model_s_summaries_is_told(manual: Path, run: Run, server: SummaryServer) -> None:
    """Indexing without the model names the documents that lose its summaries; the command it names costs nothing."""
    run("index", manual, *MODEL)
    asked = len(server.shown)
    lost = run("index", manual).stderr
    assert "1 document had summaries by openai:writer, and no longer (manual.md). `--summaries openai:writer`" in lost
    assert "summaries by" not in run("index", manual).stderr
    assert "13 reused" in run("index", manual, *MODEL).stderr
    assert len(server.shown) == asked
