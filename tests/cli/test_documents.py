"""tocwalk documents, outline, read, parse, remove, navigators."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import HANDBOOK, Run, json_of

SECTION = "trams/handbook.md/tram-handbook/signals"
OUTLINE_KEYS = {
    "id",
    "parent",
    "depth",
    "number",
    "title",
    "page_start",
    "page_end",
    "start",
    "end",
    "summary",
    "tokens",
}
DOCUMENT_KEYS = {"id", "title", "source", "media_type", "sha256", "pages", "warnings"}


def test_documents_are_listed(indexed: Path, run: Run) -> None:
    """A line for each document shows its id, title, and how many sections and tokens it has; the last sums up."""
    assert run("documents").stdout == (
        "id                 title             sections  tokens\n"
        "ponds/charter.md   Charter of Ponds         4      24\n"
        "trams/handbook.md  Tram Handbook            5      46\n"
        "2 documents, 9 sections, 70 tokens\n"
    )


def test_sections_are_counted_alike_everywhere(indexed: Path, run: Run) -> None:
    """The document itself counts as a section, for people and in JSON, in the list, the outline and of a file."""
    (_, listed) = json_of(run("documents", "--json"))["documents"]
    assert listed["sections"] == len(json_of(run("outline", "trams/handbook.md", "--json"))["sections"]) == 5
    for command in (("outline", "trams/handbook.md"), ("parse", indexed / "trams/handbook.md")):
        about = json_of(run(*command, "--json"))["document"]
        assert (about["sections"], about["tokens"]) == (5, listed["tokens"])
        assert run(*command).stdout.splitlines()[1].endswith("5 sections, 46 tokens")


def test_an_emptied_corpus_says_what_to_do(indexed: Path, run: Run) -> None:
    """A corpus from which all was removed is no error: a sentence says how to fill it."""
    for id_ in ("ponds/charter.md", "trams/handbook.md"):
        run("remove", id_)
    assert "tocwalk index PATH" in run("documents").stdout
    assert json_of(run("documents", "--json"))["documents"] == []


def test_an_outline_is_indented(indexed: Path, run: Run) -> None:
    """The table of contents shows each section below the one it belongs to; --ids adds what `read` takes."""
    shown = run("outline", "trams/handbook.md").stdout
    assert shown.endswith("\n\nTram Handbook\n  Signals\n    Bells\n  Found Umbrellas\n")
    assert f"  Signals  {SECTION}\n" in run("outline", "trams/handbook.md", "--ids").stdout


def test_outline_and_parse_agree(indexed: Path, run: Run) -> None:
    """The outline of the index and of the file are the same sections; `parse` has their texts besides."""
    stored = json_of(run("outline", "trams/handbook.md", "--json"))
    parsed = json_of(run("parse", indexed / "trams/handbook.md", "--json"))
    assert set(stored["document"]) > DOCUMENT_KEYS < set(parsed["document"])
    assert parsed["document"]["id"] == "handbook.md"
    for ours, theirs in zip(stored["sections"], parsed["sections"], strict=True):
        assert set(ours) > OUTLINE_KEYS
        assert OUTLINE_KEYS | {"text"} < set(theirs)
        same = OUTLINE_KEYS - {"id", "parent"}
        assert {key: ours[key] for key in same} == {key: theirs[key] for key in same}
        assert ours["id"] == f"trams/{theirs['id']}"


def test_parse_loses_no_text(library: Path, run: Run) -> None:
    """The texts of the sections, put together, are the document, and each is where its offsets say."""
    sections = json_of(run("parse", library / "trams/handbook.md", "--json"))["sections"]
    assert "".join(section["text"] for section in sections) == HANDBOOK
    assert all(HANDBOOK[section["start"] : section["end"]] == section["text"] for section in sections)


def test_json_is_json_whatever_the_metadata(tmp_path: Path, run: Run) -> None:
    """Infinity in a document's front matter comes as text: JSON has no such number."""
    (tmp_path / "endless.md").write_text("---\nlength: .inf\n---\n# Endless\n\nText.\n")
    metadata = json_of(run("parse", tmp_path / "endless.md", "--json"))["document"]["metadata"]
    assert metadata["length"] in ("inf", ".inf")


def test_an_outline_can_be_of_a_file(indexed: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that is no document of the index is parsed; with --in a file is parsed even if it is one."""
    (tmp_path / "new.md").write_text("# New\n\n## Part\n\nText.\n")
    assert run("outline", tmp_path / "new.md").stdout.endswith("\n\nNew\n  Part\n")
    shutil.copytree(tmp_path, tmp_path / "trams", ignore=lambda *_: ["trams", "tocwalk-home"])
    (tmp_path / "trams" / "handbook.md").write_text("# Newer\n\nText.\n")
    monkeypatch.chdir(tmp_path)
    assert "Signals" in run("outline", "trams/handbook.md").stdout
    assert run("outline", "--in", "trams/handbook.md").stdout.endswith("\n\nNewer\n")


def test_an_unknown_document_names_close_ones(indexed: Path, run: Run) -> None:
    """A misspelt id is an error that names the right one, for `outline` and for `remove`."""
    for command in ("outline", "remove"):
        assert "'trams/handbook.md'" in run(command, "trams/handbok.md", code=1).stderr


def test_a_section_is_read(indexed: Path, run: Run) -> None:
    """`read` prints a section's own text, with --subtree that of all below it as well."""
    own = "## Signals\n\nA driver stops at red.\n"
    assert run("read", SECTION).stdout == own
    assert run("read", SECTION, "--subtree").stdout == own + "\n### Bells\n\nTwo rings of the bell mean go.\n"


def test_a_section_is_read_as_json(indexed: Path, run: Run) -> None:
    """In JSON the section comes with where it stands, and its text exactly as it is stored."""
    record = json_of(run("read", SECTION, "--json"))
    assert record["text"] == "## Signals\n\nA driver stops at red.\n\n"
    assert (record["text_scope"], record["document"], record["title"]) == ("own", "trams/handbook.md", "Signals")


@pytest.mark.parametrize(
    ("section", "hint"),
    [
        ("ponds/charter.md/charter-of-ponds", "No text of its own, but 2 subsections: --subtree prints all.\n"),
        ("ponds/charter.md", "No text of its own, but 1 subsection: --subtree prints all.\n"),
        ("trams/handbook.md/tram-handbook", ""),
        ("ponds/charter.md/charter-of-ponds/ducks", ""),
    ],
)
def test_a_section_without_text_says_how_to_read_on(section: str, hint: str, indexed: Path, run: Run) -> None:
    """Where all text stands below subsections, a hint on stderr counts them; with --subtree there is none."""
    assert run("read", section).stderr == hint
    assert run("read", section, "--subtree").stderr == ""


def test_an_unknown_section_names_close_ones(indexed: Path, run: Run) -> None:
    """A section id that does not exist is an error that names a close one."""
    assert f"'{SECTION}'" in run("read", SECTION.replace("signals", "signal"), code=1).stderr


def test_a_document_is_removed(indexed: Path, run: Run) -> None:
    """A removed document is no longer there, and the index has a new version."""
    before = json_of(run("index", indexed, "--json"))["index_version"]
    assert run("remove", "trams/handbook.md").stdout == "Removed trams/handbook.md.\n"
    run("outline", "trams/handbook.md", code=1)
    removed = json_of(run("remove", "ponds/charter.md", "--json"))
    assert removed == {"corpus": "default", "removed": ["ponds/charter.md"], "index_version": before + 2}


def test_several_documents_are_removed_or_none(indexed: Path, run: Run) -> None:
    """`remove` takes many ids; where one is not there, nothing is removed."""
    ids = ("trams/handbook.md", "ponds/charter.md")
    assert "'ponds/charter.md'" in run("remove", ids[0], "ponds/chartre.md", code=1).stderr
    assert len(json_of(run("documents", "--json"))["documents"]) == 2
    assert run("remove", *ids, ids[0]).stdout == "Removed trams/handbook.md, ponds/charter.md.\n"
    assert json_of(run("documents", "--json"))["documents"] == []


def test_removing_makes_no_index(run: Run) -> None:
    """Where there is no index, `remove` says so and makes none."""
    assert "no index" in run("remove", "a.md", code=1).stderr
    assert not Path(os.environ["TOCWALK_HOME"]).exists()


def test_a_folder_cannot_be_parsed(library: Path, run: Run) -> None:
    """`parse` takes a file: a folder, or nothing, is named with what to do."""
    assert "is a folder" in run("parse", library, code=1).stderr
    assert "There is no file" in run("parse", library / "none.md", code=1).stderr


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "is empty"), (b" \n\t\n", "is empty"), (bytes(range(256)) * 9, "is binary")]
)
def test_a_file_that_is_no_document_is_an_error(content: bytes, words: str, tmp_path: Path, run: Run) -> None:
    """An empty, a blank and a binary file named .md each say what they are; --json leaves stdout empty."""
    path = tmp_path / "file.md"
    path.write_bytes(content)
    result = run("parse", path, "--json", code=1)
    assert words in result.stderr
    assert result.stdout == ""


@pytest.mark.usefixtures("other_navigators")
def test_installed_navigators_are_listed(run: Run) -> None:
    """Each shows where it comes from, a model to ask for, and what it needs; others' navigators too."""
    shown = run("navigators").stdout
    assert "lexical from tocwalk\n  --navigator lexical:outline\n" in shown
    assert "openai from tocwalk\n" in shown
    assert "test from test-navigators\n  --navigator test:plain\n  needs nothing but a test\n" in shown
    listed = {one["name"]: one for one in json_of(run("navigators", "--json"))["navigators"]}
    assert listed["test"]["distribution"] == "test-navigators"


def test_the_operators_models_are_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the operator allows some models only, `navigators` says which; a wrong variable is named."""
    monkeypatch.setenv("TOCWALK_MODELS", "lexical:*, openai:gpt-5*")
    assert "Only these models are allowed: lexical:*, openai:gpt-5*." in run("navigators").stdout
    monkeypatch.setenv("TOCWALK_MAX_VISITS", "many")
    assert "TOCWALK_MAX_VISITS" in run("navigators", code=2).stderr


@pytest.mark.parametrize("name", ["gdpr.txt", "rfc9000.md"])
def test_parse_is_what_outlines_are_scored_by(name: str, shared: Path, tmp_path: Path, run: Run) -> None:
    """The JSON of `parse` of a real document is scored perfect by the independent scorer."""
    parsed = tmp_path / "parsed.json"
    parsed.write_text(run("parse", shared / "docs" / name, "--json").stdout)
    truth = shared / "eval" / "outline" / Path(name).with_suffix(".json")
    scorer = [sys.executable, str(shared / "eval" / "score_outline.py"), str(parsed), str(truth), "--json"]
    score = json.loads(subprocess.run(scorer, check=True, capture_output=True, timeout=60).stdout)
    assert {score[key] for key in ("recall", "precision", "parent", "text")} == {1.0}


def test_a_missing_section_or_document_names_a_command_that_finds_it(indexed: Path, run: Run) -> None:
    """The command in the message runs as it stands: it shows the ids, of the index and corpus that were named."""
    (indexed / "trams/handbook.md").rename(indexed / "trams/hand book.md")
    elsewhere = ("--index", indexed / "other.db", "--corpus", "trams")
    assert "--corpus=trams PATH`" in run("documents", *elsewhere, code=1).stderr
    run("index", *elsewhere, indexed / "trams/hand book.md")
    lost_section = run("read", "hand book.md/tram-handbook/bells", *elsewhere, code=1).stderr
    lost_document = run("ask", "Who rings?", "--document", "x", *elsewhere, code=1).stderr
    ids = [
        run(*shlex.split(re.findall(r"Run `tocwalk (.*)`", said)[0])).stdout for said in (lost_section, lost_document)
    ]
    assert "hand book.md/tram-handbook/signals/bells" in ids[0]
    assert ids[1].startswith("id")
    assert "tocwalk outline --ids DOC" in run("read", "bells", code=1).stderr
