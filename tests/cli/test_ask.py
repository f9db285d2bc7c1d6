"""tocwalk ask: a question to the documents."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path

import pytest
from command_line import Run, json_of

from tocwalk.state import WalkOutput

QUESTION = "How long are umbrellas kept?"


def test_the_section_that_answers_is_printed(indexed: Path, run: Run) -> None:
    """A person sees what the section is called and stands in, its text as it is, how to read it again, and the cost."""
    shown = run("ask", QUESTION).stdout
    head, _, cost = shown.rpartition("\n\n")
    assert head == (
        "1  Found Umbrellas\n"
        "   trams › handbook.md › Tram Handbook\n"
        "\n"
        "## Found Umbrellas\n\nUmbrellas are kept for sixty days.\n"
        "\n"
        "   read again with: tocwalk read trams/handbook.md/tram-handbook/found-umbrellas"
    )
    assert cost.startswith("1 section, 1 visit, no model call, ")


def test_several_sections_are_numbered(indexed: Path, run: Run) -> None:
    """With several sections each has a number, a rule stands between them, and the last line counts them."""
    lines = run("ask", "ducks or frogs", "--no-text").stdout.splitlines()
    assert [line[:3] for line in lines if line[:1].isdigit()][:2] == ["1  ", "2  "]
    assert [line for line in lines if set(line) == {"─"}] == ["─" * 80]
    assert lines[-1].startswith("2 sections, ")


def test_what_is_shown_reads_the_section_again(library: Path, tmp_path: Path, run: Run) -> None:
    """The command that is shown, pasted, prints the same text: corpus, index and what a shell would split included."""
    (library / "trams" / "handbook.md").rename(library / "trams" / "hand book.md")
    elsewhere = ("--index", tmp_path / "my index.db", "--corpus", "city")
    run("index", library, *elsewhere)
    shown = run("ask", QUESTION, *elsewhere).stdout
    _, _, pasted = shown.partition("read again with: ")
    program, *arguments = shlex.split(pasted.splitlines()[0])
    assert program == "tocwalk"
    assert run(*arguments).stdout in shown


def test_a_whole_section_is_read_again_whole(indexed: Path, run: Run) -> None:
    """For a section that came with what is below it, the command that is shown has --subtree."""
    shown = run("ask", "What does the handbook for trams say?", "--depth", "0").stdout
    assert "read again with: tocwalk read --subtree trams/handbook.md\n" in shown
    assert "the deepest level looked at" in shown


def test_what_is_too_long_says_so(indexed: Path, run: Run) -> None:
    """A section of which only the titles below came says that, and how to read it whole."""
    shown = run("ask", "What does the handbook for trams say?", "--depth", "0", "--max-section-tokens", "5").stdout
    assert "too long to come whole" in shown
    assert "read it whole with: tocwalk read --subtree trams/handbook.md\n" in shown


def test_a_documents_title_is_shown_where_it_says_more(tmp_path: Path, run: Run) -> None:
    """The file's name is always there; the title is left out where file name or first heading say the same."""
    (tmp_path / "lease.md").write_text("---\ntitle: Rent of Boats\n---\n# Oars\n\n## Loss\n\nLost oars cost ten.\n")
    (tmp_path / "rent-of-boats.md").write_text("# Rent of Boats\n\n## Sails\n\nTorn sails cost twenty.\n")
    oars = run("ask", "Lost oars", "--in", tmp_path / "lease.md").stdout
    assert oars.splitlines()[1] == "   lease.md › Rent of Boats › Oars"
    sails = run("ask", "Torn sails", "--in", tmp_path / "rent-of-boats.md").stdout
    assert sails.splitlines()[1] == "   rent-of-boats.md › Rent of Boats"
    assert "tocwalk read" not in sails


def test_each_step_is_shown_as_it_happens(indexed: Path, run: Run) -> None:
    """On stderr there is a line for each visit: what was opened, how much was offered, what was picked; no more."""
    run("ask", QUESTION)  # after the notice that is said once
    assert run("ask", QUESTION).stderr == ("opened the corpus: 11 candidates -> took Found Umbrellas\n")


def test_steps_can_be_explained(indexed: Path, run: Run) -> None:
    """With --verbose the navigator's reasons stand below its steps, with --json too, which else shows no step."""
    for options in ((), ("--json",)):
        steps = run("ask", QUESTION, "--verbose", *options).stderr
        assert re.search(r"-> took Found Umbrellas \[ref ([\d.]+)\]\n  Share of the question's words, .*: \1: ", steps)
    assert run("ask", QUESTION, "--json").stderr == ""


def test_json_is_the_whole_outcome(indexed: Path, run: Run) -> None:
    """--json prints the walk's output, what was asked of whom, and the version of the index that was seen."""
    version = json_of(run("index", indexed, "--json"))["index_version"]
    outcome = json_of(run("ask", QUESTION, "--json"))
    assert set(WalkOutput.__annotations__) < set(outcome)
    assert (outcome["query"], outcome["navigator"], outcome["index_version"]) == (QUESTION, "lexical:outline", version)
    (section,) = outcome["sections"]
    assert section["id"] == "trams/handbook.md/tram-handbook/found-umbrellas"
    assert section["path"] == ["trams", "Tram Handbook", "Tram Handbook", "Found Umbrellas"]
    assert section["text"] == "## Found Umbrellas\n\nUmbrellas are kept for sixty days.\n"
    assert section["source"] == str(indexed / "trams/handbook.md")


def test_texts_can_be_left_out(indexed: Path, run: Run) -> None:
    """--no-text leaves the texts out, for people and in JSON; all else stays."""
    assert "sixty days" not in run("ask", QUESTION, "--no-text").stdout
    (section,) = json_of(run("ask", QUESTION, "--no-text", "--json"))["sections"]
    assert "text" not in section
    assert section["title"] == "Found Umbrellas"


def test_a_question_that_nothing_answers_is_no_failure(indexed: Path, run: Run) -> None:
    """When nothing lands, a sentence says why, and the exit code is 0."""
    shown = run("ask", "zyzzyva quokka").stdout
    assert shown.startswith("Nothing landed. The navigator found nothing that answers the question.\n")
    assert "`tocwalk outline DOC` shows" in shown
    assert "--navigator" in shown


def test_a_question_without_quotes_is_told_of(indexed: Path, run: Run) -> None:
    """Words that the shell has taken apart are an error that shows the command as it was meant."""
    error = run("ask", "Where", "do", "lost", "umbrellas", "go?", code=2).stderr
    assert "Put the question in quotes: tocwalk ask 'Where do lost umbrellas go?'" in error


@pytest.mark.parametrize("question", ["", "  \t "])
def test_a_blank_question_is_wrong_usage(question: str, indexed: Path, run: Run) -> None:
    """There must be a question; the exit code is 2."""
    assert "question is blank" in run("ask", question, code=2).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--visits", "-1"),
        ("--visits", "1001"),
        ("--visits", "99999999999999999999"),
        ("--visits", "two"),
        ("--visits", "1.5"),
        ("--depth", "-1"),
        ("--max-tokens", "-5"),
        ("--max-cost", "nan"),
        ("--decide-timeout", "0"),
        ("--decide-timeout", "inf"),
        ("--on-failure", "shrug"),
        ("--filter", "no equals sign"),
        ("--navigator", " "),
        ("--in", "x", "--corpus", "y"),
    ],
    ids=" ".join,
)
def test_settings_that_cannot_be_are_wrong_usage(arguments: tuple[str, ...], indexed: Path, run: Run) -> None:
    """A budget that is negative, huge or no number, and any other impossible setting, ends with exit code 2."""
    result = run("ask", QUESTION, "--json", *arguments, code=2)
    assert "Error: " in result.stderr
    assert result.stdout == ""


def test_no_visits_find_nothing(indexed: Path, run: Run) -> None:
    """With a budget of 0 nothing is opened, and the sentence names the budget."""
    shown = run("ask", QUESTION, "--visits", "0").stdout
    assert "The budget ended before the walk did" in shown
    assert "0 visits, " in shown


def test_depth_0_lands_whole_documents(indexed: Path, run: Run) -> None:
    """With --depth 0 only documents are looked at, and they land whole."""
    outcome = json_of(run("ask", "What does the handbook for trams say?", "--depth", "0", "--json"))
    assert [(s["id"], s["text_scope"]) for s in outcome["sections"]] == [("trams/handbook.md", "subtree")]


def test_filters_decide_which_documents_are_asked(library: Path, run: Run) -> None:
    """--filter tests metadata, "one of" where a key comes again; types are strict; what matches nothing says so."""
    run("index", library, "--metadata", "year=2024")

    def asked(*filters: str) -> int:
        options = [part for text in filters for part in ("--filter", text)]
        return len(json_of(run("ask", QUESTION, "--json", *options))["sections"])

    assert asked("year=2024") == 1
    assert asked("year=2023", "year=2024") == 1
    assert asked('year="2024"') == 0
    assert "No document matches" in run("ask", QUESTION, "--filter", "year=1999").stdout


def test_a_filter_on_sections_can_leave_nothing(indexed: Path, run: Run) -> None:
    """When --filter takes away all that was found, the sentence says that."""
    shown = run("ask", QUESTION, "--filter", "section.kind=note").stdout
    assert shown.startswith("Nothing landed. What was found is left out by --filter.\n")


def test_documents_can_be_named(indexed: Path, run: Run) -> None:
    """--document asks one document only; an id that is not there is an error that names a close one."""
    shown = json_of(run("ask", QUESTION, "--document", "ponds/charter.md", "--json"))
    assert shown["sections"] == []
    error = run("ask", QUESTION, "--document", "trams/handbok.md", code=1).stderr
    assert "'trams/handbook.md'" in error


def test_an_unknown_corpus_is_an_error(indexed: Path, run: Run) -> None:
    """A corpus that is not there is named, with exit code 1."""
    assert "'nowhere'" in run("ask", QUESTION, "--corpus", "nowhere", code=1).stderr


def test_without_an_index_two_ways_are_shown(run: Run) -> None:
    """Where there is no index, the error says how to make one and how to ask without one."""
    error = run("ask", QUESTION, code=1).stderr
    assert "`tocwalk index PATH`" in error
    assert "--in PATH" in error


def test_an_unknown_model_is_an_error_that_names_the_installed(indexed: Path, run: Run) -> None:
    """A model that nobody supports is named beside those that could judge; nothing is walked."""
    error = run("ask", QUESTION, "--navigator", "nobody:knows", code=1).stderr
    assert "'nobody:knows'" in error
    assert "lexical:outline" in error
    assert "opened" not in error


@pytest.mark.parametrize(
    ("model", "meant"),
    [("gpt-5-mini", "'openai:gpt-5-mini'"), ("outline", "'lexical:outline'"), ("openai", "like 'openai:gpt-5-mini'")],
)
def test_a_model_without_provider_is_completed(model: str, meant: str, indexed: Path, run: Run) -> None:
    """A model that is named without its provider is an error that shows how to name it."""
    assert meant in run("ask", QUESTION, "--navigator", model, code=1).stderr


def test_a_missing_key_is_told_before_anything_is_read(tmp_path: Path, run: Run) -> None:
    """A model without its key fails at once, even under --on-failure partial and before files are looked at."""
    arguments = ("--navigator", "openai:gpt-5-mini", "--on-failure", "partial", "--in", tmp_path / "missing.pdf")
    error = run("ask", QUESTION, *arguments, code=1).stderr
    assert "OPENAI_API_KEY" in error
    assert "missing.pdf" not in error


def test_the_offline_notice_is_said_once(indexed: Path, run: Run) -> None:
    """The first offline question under a TOCWALK_HOME says how to plug in a model; the second does not."""
    first, second = run("ask", QUESTION), run("ask", QUESTION)
    assert "does not reason" in first.stderr
    assert "--navigator openai:MODEL" in first.stderr
    assert "does not reason" not in second.stderr


@pytest.mark.parametrize("home", ["file/home", "~nobody-of-that-name"], ids=["cannot be written", "not there"])
def test_a_home_that_cannot_be_used_is_no_obstacle(
    home: str, library: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no marker can be kept, the notice comes each time and the answer too."""
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOCWALK_HOME", home)
    for _ in range(2):
        assert "does not reason" in run("ask", QUESTION, "--in", library).stderr


def test_who_has_no_home_is_told_to_name_a_folder(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a home there is no index to ask: the message says which variable names one."""
    monkeypatch.setenv("TOCWALK_HOME", "~nobody-of-that-name")
    assert "Set TOCWALK_HOME to a folder." in run("ask", QUESTION, code=2).stderr.replace("\n", " ")


def test_files_can_be_asked_without_an_index(
    library: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--in asks files and folders, and leaves neither an index nor a temporary file."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    outcome = json_of(
        run("ask", QUESTION, "--in", library / "trams" / "handbook.md", "--in", library / "ponds", "--json")
    )
    assert [section["id"] for section in outcome["sections"]] == ["handbook.md/tram-handbook/found-umbrellas"]
    assert outcome["trace"][0]["documents"] == 2
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not Path(os.environ["TOCWALK_HOME"], "index.db").exists()


def test_an_unreadable_file_is_reported_beside_the_answer(library: Path, run: Run) -> None:
    """With --in what can be read is asked; what cannot is named on stderr, and the exit code is 1."""
    (library / "ponds" / "broken.pdf").write_text("%PDF-1.7 and no more")
    result = run("ask", QUESTION, "--in", library, code=1)
    assert "sixty days" in result.stdout
    assert "Failed: 'ponds/broken.pdf' " in result.stderr


def test_notes_on_files_are_one_line(library: Path, run: Run) -> None:
    """With --in one line says how many files have no headings, and where to learn more."""
    for number in range(5):
        (library / f"plain{number}.txt").write_text("Only a sentence that stands alone.\n")
    notes = [line for line in run("ask", QUESTION, "--in", library).stderr.splitlines() if "headings" in line]
    assert notes == [
        "Note: 5 files without headings (plain0.txt, plain1.txt, plain2.txt, …): `tocwalk parse FILE` says more."
    ]


def test_groups_and_folders_have_names(tmp_path: Path, run: Run) -> None:
    """A step into a folder, or into one of many groups of siblings, says which."""
    for number in range(1, 200):
        path = tmp_path / "docs" / f"{'ab'[number % 2]}" / f"part {number:03}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Chapter {number} of many\n\n## Oars\n\nOars.\n\n## Sails {number}\n\nSails.\n")
    steps = run("ask", "Sails 77", "--in", tmp_path / "docs", "--offer-tokens", "150").stderr
    assert re.search(r"^opened the corpus: 2 candidates -> went into [ab]", steps, re.MULTILINE)
    assert re.search(r"went into numbers \d+-\d+", steps)


def test_files_that_cannot_be_read_at_all_are_a_failure(tmp_path: Path, run: Run) -> None:
    """With nothing to ask there is no answer: exit code 1, and stdout stays empty with --json, too."""
    (tmp_path / "empty.md").touch()
    result = run("ask", QUESTION, "--in", tmp_path / "empty.md", "--json", code=1)
    assert result.stdout == ""
    assert "is empty" in result.stderr


@pytest.mark.usefixtures("other_navigators")
class TestOtherNavigators:
    """With navigators that come with another distribution."""

    def test_model_calls_are_counted(self, indexed: Path, run: Run) -> None:
        """What a model cost is on the last line: calls, tokens in, cached and out."""
        cost = run("ask", QUESTION, "--navigator", "test:plain").stdout.splitlines()[-1]
        assert cost.startswith("2 sections, 4 visits, 4 model calls, 4,800 tokens in (800 cached) and 120 out, ")

    def test_money_is_shown_where_prices_are_known(
        self, indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With a price for the model its cost is shown."""
        monkeypatch.setenv("TOCWALK_PRICES", '{"test:plain": {"input": 10, "output": 100}}')
        assert ", cost 0.0600, " in run("ask", QUESTION, "--navigator", "test:plain").stdout

    def test_a_navigators_words_cannot_colour_the_terminal(self, indexed: Path, run: Run) -> None:
        """The navigator's reasoning is shown below its step, as plain text."""
        shown = run("ask", QUESTION, "--navigator", "test:plain", "--verbose").stderr
        assert "\n  It [31mseems [0m right.\n" in shown
        assert "\x1b" not in shown

    def test_nobody_is_told_that_a_model_is_offline(self, indexed: Path, run: Run) -> None:
        """The notice is for the lexical navigator only."""
        assert "does not reason" not in run("ask", QUESTION, "--navigator", "test:plain").stderr

    def test_a_failing_navigator_fails_the_question(self, indexed: Path, run: Run) -> None:
        """By default the navigator's error is the error, and nothing is printed."""
        result = run("ask", QUESTION, "--navigator", "test:fail", "--offer-levels", "1", "--json", code=1)
        assert "on holiday" in result.stderr
        assert result.stdout == ""

    def test_a_failing_navigator_can_be_survived(self, indexed: Path, run: Run) -> None:
        """With --on-failure partial the rest is answered, and what failed is said in words."""
        arguments = ("--navigator", "test:fail", "--offer-levels", "1", "--on-failure", "partial")
        shown = run("ask", QUESTION, *arguments).stdout
        assert "Ducks may cross first" in shown
        assert "cut short: the navigator gave no decision here" in shown
        assert "on holiday" in shown

    def test_refs_that_were_not_offered_are_said(self, indexed: Path, run: Run) -> None:
        """A navigator that names nothing it was offered lands where it stood, and the words say so."""
        arguments = ("--navigator", "test:unknown", "--document", "trams/handbook.md")
        result = run("ask", QUESTION, *arguments)
        assert "cut short: the navigator named nothing that was offered" in result.stdout
        assert "1 not followed (unknown)" in result.stderr
