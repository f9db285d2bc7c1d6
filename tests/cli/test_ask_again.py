"""Asking again: decisions that are kept, and walks that are replayed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, json_of

from stub_openai import KEY, StubOpenAI

QUESTION = "Who may cross first?"
MODEL = ("--navigator", "openai:good", "--offer-levels", "1")


@pytest.fixture
def stub(stub: StubOpenAI, monkeypatch: pytest.MonkeyPatch) -> StubOpenAI:
    """Return the model server, to which `openai:` leads."""
    monkeypatch.setenv("TOCWALK_OPENAI_BASE_URL", stub.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return stub


class TestCache:
    """Decisions of a model, asked for twice."""

    def test_the_second_time_no_model_is_asked(self, indexed: Path, run: Run, stub: StubOpenAI) -> None:
        """The same question comes to the same, trace included; its usage says that nothing was spent."""
        first, second = (json_of(run("ask", QUESTION, *MODEL, "--json")) for _ in range(2))
        assert stub.calls("good") == first["usage"]["model_calls"] > 0
        assert {**second, "usage": None} == {**first, "usage": None}
        visits = first["usage"]["visits"]
        assert first["usage"]["cached_decisions"] == 0
        assert (second["usage"]["visits"], second["usage"]["cached_decisions"]) == (visits, visits)
        assert (second["usage"]["model_calls"], second["usage"]["input_tokens"]) == (0, 0)
        assert (
            f"{visits} visits, no model call, {visits} decisions kept from before, "
            in run("ask", QUESTION, *MODEL).stdout
        )

    def test_files_that_are_not_stored_are_asked_once_too(self, library: Path, run: Run, stub: StubOpenAI) -> None:
        """What counts is what the model is shown, not where it came from."""
        for _ in range(2):
            run("ask", QUESTION, *MODEL, "--in", library)
        assert len(stub.bodies) == len({json.dumps(body) for body in stub.bodies})

    def test_it_can_be_switched_off(
        self, indexed: Path, run: Run, stub: StubOpenAI, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With --no-cache, or where the operator keeps none, the model is asked each time and nothing is stored."""
        kept = Path(os.environ["TOCWALK_HOME"], "decisions.db")
        spent = json_of(run("ask", QUESTION, *MODEL, "--no-cache", "--json"))["usage"]["model_calls"]
        monkeypatch.setenv("TOCWALK_DECISION_CACHE", "off")
        run("ask", QUESTION, *MODEL)
        assert stub.calls("good") == 2 * spent
        assert not kept.exists()
        monkeypatch.delenv("TOCWALK_DECISION_CACHE")
        run("ask", QUESTION, *MODEL)
        assert kept.exists()

    def test_a_damaged_cache_is_said_and_survived(self, indexed: Path, run: Run, stub: StubOpenAI) -> None:
        """The question is answered, and the next one finds an empty cache."""
        kept = Path(os.environ["TOCWALK_HOME"], "decisions.db")
        kept.write_text("This is no database. " * 50)
        first = json_of(run("ask", QUESTION, *MODEL, "--json"))
        assert kept.with_name("decisions.db.damaged").exists()
        assert first["usage"]["model_calls"] > 0
        assert json_of(run("ask", QUESTION, *MODEL, "--json"))["usage"]["model_calls"] == 0

    def test_the_offline_navigator_keeps_nothing(self, indexed: Path, run: Run) -> None:
        """What costs nothing is decided each time."""
        run("ask", QUESTION)
        assert not Path(os.environ["TOCWALK_HOME"], "decisions.db").exists()


@pytest.fixture
def recorded(indexed: Path, run: Run, tmp_path: Path, stub: StubOpenAI) -> Path:
    """Return a file with the record of a walk by a model that is then no longer there."""
    file = tmp_path / "walk.json"
    file.write_text(run("ask", QUESTION, *MODEL, "--picks", "2", "--json").stdout)
    stub.forget()
    return file


class TestReplay:
    """A walk by a model, walked again without it."""

    def test_it_prints_the_same_bytes(
        self, recorded: Path, run: Run, stub: StubOpenAI, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With --json the replay's output is the record, and no model is asked: no key is needed."""
        monkeypatch.delenv("OPENAI_API_KEY")
        assert run("ask", "--replay", recorded, "--json").stdout == recorded.read_text()
        assert run("ask", QUESTION, "--replay", recorded, "--json").stdout == recorded.read_text()
        assert stub.bodies == []

    def test_people_are_told_that_nothing_was_spent(self, recorded: Path, run: Run) -> None:
        """For people the sections and steps are printed as ever; the last line says that it is a replay."""
        shown = run("ask", "--replay", recorded)
        assert shown.stderr.startswith("opened the corpus: ")
        assert shown.stdout.splitlines()[-1].endswith(", replayed: no model was asked")

    @pytest.mark.parametrize(
        "options",
        [
            ("--document", "ponds/charter.md"),
            ("--filter", "section.kind=note"),
            ("--visits", "1", "--offer-levels", "1"),
            ("--offer-tokens", "100"),
            ("--depth", "0", "--max-section-tokens", "5"),
            ("--navigator", "test:unknown", "--offer-levels", "1"),
            ("--navigator", "test:plain", "--offer-levels", "1", "--max-tokens", "9000"),
            ("--navigator", "test:fail", "--offer-levels", "1", "--on-failure", "partial"),
        ],
        ids=" ".join,
    )
    @pytest.mark.usefixtures("other_navigators")
    def test_scope_and_settings_are_on_record(
        self, options: tuple[str, ...], indexed: Path, run: Run, tmp_path: Path
    ) -> None:
        """Whatever was asked of whom within which limits: the record is enough to do it again."""
        file = tmp_path / "walk.json"
        file.write_text(run("ask", "ducks umbrellas", *options, "--json").stdout)
        assert run("ask", "--replay", file, "--json").stdout == file.read_text()

    def test_what_it_cost_is_on_record(
        self, indexed: Path, run: Run, tmp_path: Path, stub: StubOpenAI, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The money is that of the recorded walk, whatever prices are known now."""
        file = tmp_path / "walk.json"
        for prices in ({"openai:good": {"input": 2, "output": 3}}, {"openai:good": {"input": 5, "output": 5}}, {}):
            monkeypatch.setenv("TOCWALK_PRICES", json.dumps(prices))
            if not file.exists():
                file.write_text(run("ask", QUESTION, *MODEL, "--json").stdout)
            assert run("ask", "--replay", file, "--json").stdout == file.read_text()
        assert json.loads(file.read_text())["usage"]["cost"] > 0

    def test_files_are_named_again(self, library: Path, run: Run, tmp_path: Path) -> None:
        """A walk of files that are not stored is replayed on the same files, to the same bytes."""
        file = tmp_path / "walk.json"
        file.write_text(run("ask", QUESTION, "--in", library, "--json").stdout)
        assert run("ask", "--replay", file, "--in", library, "--json").stdout == file.read_text()
        moved = shutil.move(library, tmp_path / "elsewhere")
        again = json_of(run("ask", "--replay", file, "--in", moved, "--json"))
        assert again["trace"] == json.loads(file.read_text())["trace"]

    def test_a_changed_file_is_an_error(self, library: Path, run: Run, tmp_path: Path) -> None:
        """A heading or summary that changed is noticed on the way, another text at the end; nothing is printed."""
        file = tmp_path / "walk.json"
        file.write_text(run("ask", QUESTION, "--in", library, "--json").stdout)
        record = json.loads(file.read_text())
        for section in record["sections"]:
            section["text"] = section["text"].replace("Ducks may", "Drakes may")
        file.write_text(json.dumps(record))
        result = run("ask", "--replay", file, "--in", library, "--json", code=1)
        assert "'ponds/charter.md/charter-of-ponds/ducks' differs in text" in result.stderr
        assert result.stdout == ""
        charter = library / "ponds" / "charter.md"
        charter.write_text(charter.read_text().replace("## Frogs", "## Toads"))
        result = run("ask", "--replay", file, "--in", library, "--json", code=1)
        assert "is not offered as it was recorded" in result.stderr
        assert result.stdout == ""

    def test_an_index_that_went_on_still_holds_what_was_seen(self, recorded: Path, indexed: Path, run: Run) -> None:
        """Documents that came or went since do not matter while the index keeps what the walk has seen."""
        run("remove", "trams/handbook.md")
        assert run("ask", "--replay", recorded, "--json").stdout == recorded.read_text()

    def test_another_index_is_an_error(self, recorded: Path, indexed: Path, run: Run, tmp_path: Path) -> None:
        """An index that never held what was seen, though made of the same files, is named with its version."""
        run("index", indexed, "--index", tmp_path / "other.db")
        version = json.loads(recorded.read_text())["index_version"]
        error = run("ask", "--replay", recorded, "--index", tmp_path / "other.db", code=1).stderr
        assert f"version {version} " in error.replace("\n", " ")

    @pytest.mark.parametrize(
        "options", [("--visits", "3"), ("--corpus", "city"), ("--no-backtrack",), ("--no-cache",)], ids=" ".join
    )
    def test_what_the_record_says_cannot_be_said_again(
        self, options: tuple[str, ...], recorded: Path, run: Run
    ) -> None:
        """Options for scope and settings beside a record are wrong usage, and named."""
        assert "leave out --" in run("ask", "--replay", recorded, *options, code=2).stderr

    def test_another_question_is_an_error(self, recorded: Path, run: Run) -> None:
        """A question beside a record must be the record's."""
        assert f"'{QUESTION}', not of 'Why?'" in run("ask", "Why?", "--replay", recorded, code=1).stderr

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda record: "",
            lambda record: "\x00\xff",
            lambda record: "[" * 100_000,
            lambda record: json.dumps(record["trace"]),
            lambda record: json.dumps({**record, "settings": None}),
            lambda record: json.dumps({**record, "trace": [{"event": "open"}]}),
            lambda record: json.dumps({name: value for name, value in record.items() if name != "failures"}),
        ],
        ids=["empty", "binary", "deep", "trace alone", "no settings", "no step", "no failures"],
    )
    def test_what_is_no_record_is_an_error(self, spoil: Callable[[Any], str], recorded: Path, run: Run) -> None:
        """A file that --json has not printed is named, with what was looked for."""
        recorded.write_text(spoil(json.loads(recorded.read_text())), "latin-1")
        assert "ask --json` printed" in run("ask", "--replay", recorded, code=1).stderr

    @pytest.mark.parametrize(
        ("reason", "said"),
        [
            ("INDEX_CHANGED", "its index had changed"),
            ("RECURSION_GUARD", "comes to other stop_reason"),
            ("CANCELLED", "comes to other stop_reason"),
        ],
    )
    def test_another_end_is_an_error(self, reason: str, said: str, recorded: Path, run: Run) -> None:
        """A walk that the record says was ended from outside, though its decisions come to an end, does not fit."""
        recorded.write_text(json.dumps({**json.loads(recorded.read_text()), "stop_reason": reason}))
        assert said in run("ask", "--replay", recorded, code=1).stderr

    def test_an_empty_record_is_told_of(self, indexed: Path, run: Run, tmp_path: Path) -> None:
        """A record that is empty, as after a pipe from an `ask` that failed, is said to be, not to be bad JSON."""
        (tmp_path / "walk.json").write_text("\n")
        assert "is empty: what was to print" in run("ask", "--replay", tmp_path / "walk.json", code=1).stderr

    def test_without_a_question_or_a_record_nothing_is_asked(self, indexed: Path, run: Run) -> None:
        """One of them must be given; a record that is not there is named."""
        assert "Missing argument 'QUESTION'" in run("ask", code=2).stderr
        assert "nowhere.json" in run("ask", "--replay", "nowhere.json", code=2).stderr
