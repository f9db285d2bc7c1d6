"""What reaches a terminal, a pipe, a narrow window, a poor locale."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest
from command_line import Run, Start, json_of

STRANGE = """# Strange Titles

## [draft]

Alpha comes first.

## [/see annex]

Beta :smile: comes [bold]second[/bold].

## \x1b[31mRed\x1b[0m \u202etfel\u202c

Gamma\x1b[2J comes third, \x9b31m too.

## Müller — 第一章 😀

Delta.
"""
COLOUR = re.compile(r"\x1b\[[\d;]*m")
CONTROLS = re.compile(r"\x1b\[[?\d;]*[A-Za-z]|\r")
QUESTION = "How long are umbrellas kept?"


@pytest.fixture
def strange(tmp_path: Path, run: Run) -> Path:
    """Return a document with titles that look like markup, colours and directions, after it was indexed."""
    path = tmp_path / "strange.md"
    path.write_text(STRANGE, "utf-8")
    run("index", path)
    return path


def _on_a_terminal(start: Start, *arguments: str, columns: int = 100, env: dict[str, str] | None = None) -> str:
    """Run the command with stdout and stderr on a terminal of so many columns; return what it showed."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    terminal = {"TERM": "xterm-256color", "COLUMNS": "", "LINES": "", **(env or {})}
    process = start(*arguments, env=terminal, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    assert process.wait(timeout=60) == 0, shown
    return shown.decode().replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # Linux's end of file for a terminal that nobody writes to any more
        return b""


@pytest.mark.parametrize("command", [("outline", "strange.md"), ("ask", "Alpha Beta Gamma", "--depth", "1")])
def test_titles_are_printed_as_they_are(command: tuple[str, ...], strange: Path, run: Run) -> None:
    """Titles in square brackets are no markup, and emoji codes no emoji."""
    shown = run(*command, "--navigator", "lexical:outline").stdout if command[0] == "ask" else run(*command).stdout
    assert "[draft]\n" in shown
    assert "[/see annex]\n" in shown


def test_document_text_cannot_move_a_cursor(strange: Path, run: Run) -> None:
    """Escape sequences, C1 controls and direction overrides of a document never reach the terminal."""
    for shown in (
        run("outline", "strange.md").stdout,
        run("read", "strange.md", "--subtree").stdout,
        run("ask", "Gamma", "--json").stdout,
        run("ask", "Gamma").stdout,
    ):
        assert not set("\x1b\x9b\u202e\u202c") & set(shown)
    assert "Beta :smile: comes [bold]second[/bold]." in run("read", "strange.md", "--subtree").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("outline", "strange.md", "--ids"),
        ("ask", "Gamma", "--navigator", "lexical:outline", "-v"),
        ("eval", "cases.jsonl", "--baselines", "none"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_nothing_of_a_document_or_case_commands_a_terminal(
    arguments: tuple[str, ...], strange: Path, tmp_path: Path, start: Start
) -> None:
    """Titles, and names in a file of cases, neither clear, colour nor reorder what is on a terminal, nor hide in it."""
    evil = "\x1b[2J\x1b[31m\x9b31m\x07\u202e\u200b\U000e0041Evil"
    gold = [{"title": "Müller — 第一章 😀"}, {"title": evil}]
    cases = [
        {"id": evil, "doc": "strange", "kind": evil, "question": "Where is Delta?", "gold": gold},
        {"id": "b", "doc": evil, "kind": evil, "question": "Where is Delta?", "gold": []},
    ]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)))
    shown = _on_a_terminal(start, *arguments)
    assert not set("\x9b\x07\u202e\u202c\u200b\U000e0041") & set(shown)
    assert not re.search(r"\x1b\[(2J|31m)|\x1b\]", shown)
    assert ("Evil" if arguments[0] == "eval" else "tfel") in shown


def test_json_keeps_what_people_are_spared(strange: Path, run: Run) -> None:
    """In JSON the text is exact, escapes included: safe to print, and the same after parsing."""
    assert json_of(run("read", "strange.md", "--subtree", "--json"))["text"] == STRANGE


def test_a_terminal_gets_colours_and_whole_words(indexed: Path, start: Start) -> None:
    """In a terminal there are colours, and no line is wider than the terminal; words stay whole."""
    shown = _on_a_terminal(start, "ask", QUESTION, "--no-text", columns=60)
    assert COLOUR.search(shown)
    narrow = _on_a_terminal(start, "read", "trams/handbook.md/tram-handbook/found-umbrellas", columns=20)
    lines = [COLOUR.sub("", line).rstrip() for line in narrow.splitlines()]
    assert lines == ["## Found Umbrellas", "", "Umbrellas are kept", "for sixty days."]


def test_pages_stand_at_the_right(tmp_path: Path, run: Run, start: Start) -> None:
    """In a terminal a section's pages end where the line does, or at column 80; what they are too wide for, wraps."""
    (tmp_path / "birds.txt").write_text("1 Fish\n\nPike swim.\n\f2 Wading Birds\n\nHerons wade.\n")
    run("index", tmp_path / "birds.txt")

    def head(columns: int) -> list[str]:
        shown = _on_a_terminal(start, "ask", "Wading herons", "--no-text", columns=columns)
        lines = CONTROLS.sub("", shown).splitlines()
        return lines[next(i for i, line in enumerate(lines) if line.startswith("1  ")) :]

    assert head(70)[0] == "1  2 Wading Birds".ljust(66) + "p. 2"
    assert len(head(120)[0]) == 80
    assert head(19)[:2] == ["1  2 Wading Birds", "   p. 2"]


def test_outline_lines_hang(tmp_path: Path, run: Run, start: Start) -> None:
    """In a narrow terminal the rest of a long title stands further in; an id is on one line, whole."""
    (tmp_path / "a.md").write_text("# Top\n\n## A heading of a good many words in a row\n\nText.\n")
    run("index", tmp_path / "a.md")
    lines = COLOUR.sub("", _on_a_terminal(start, "outline", "a.md", "--ids", columns=30)).splitlines()
    at = lines.index("  A heading of a good many")
    assert lines[at + 1] == "      words in a row"
    assert lines[at + 2] == "      a.md/top/a-heading-of-a-good-many-words-in-a-row"


def test_the_list_of_documents_gives_ids_room(tmp_path: Path, run: Run, start: Start) -> None:
    """In a narrow terminal titles are wrapped before ids are."""
    (tmp_path / "a-name-of-25-letters-or.md").write_text("# A title that is much longer than the name is\n\nText.\n")
    run("index", tmp_path)
    assert "a-name-of-25-letters-or.md" in _on_a_terminal(start, "documents", columns=60)


@pytest.mark.parametrize(
    ("columns", "command"),
    [
        (1, ("documents",)),
        (1, ("outline", "trams/handbook.md", "--ids")),
        (1, ("ask", QUESTION)),
        (9, ("ask", QUESTION)),
    ],
)
def test_a_narrow_terminal_is_enough(columns: int, command: tuple[str, ...], indexed: Path, start: Start) -> None:
    """However narrow the terminal, the command ends well and shows something."""
    assert COLOUR.sub("", _on_a_terminal(start, *command, columns=columns)).strip()


def test_no_color_is_respected(indexed: Path, start: Start) -> None:
    """With NO_COLOR set there are no colours in a terminal."""
    shown = _on_a_terminal(start, "ask", QUESTION, env={"NO_COLOR": "1"})
    assert not re.search(r"\x1b\[(?:\d+;)*[34]\d", shown)


def test_indexing_shows_a_bar_that_goes_away(library: Path, start: Start) -> None:
    """In a terminal a bar counts the files while they are read; what stays is the summary."""
    shown = _on_a_terminal(start, "index", str(library))
    assert "2/2" in shown
    assert shown.rstrip().splitlines()[-1].endswith("2 documents stored")


def test_a_pipe_gets_lines_as_they_are(tmp_path: Path, run: Run, start: Start) -> None:
    """Where stdout is no terminal nothing is coloured, wrapped or padded, however long, whatever COLUMNS says."""
    long_line = "word " * 500 + "end\ttab"
    (tmp_path / "long.md").write_text(f"# {'Long ' * 30}\n\n{long_line}\n")
    run("index", tmp_path / "long.md")
    section = json_of(run("outline", "long.md", "--json"))["sections"][1]["id"]
    for arguments in (("read", section), ("ask", "word end tab")):
        process = start(*arguments, env={"COLUMNS": "30", "TERM": "xterm-256color"})
        out, _ = process.communicate(timeout=60)
        assert long_line in out.decode().splitlines()
        assert b"\x1b" not in out


@pytest.mark.parametrize("arguments", [("ask", "Alpha Beta Gamma Delta"), ("outline", "strange.md")], ids=" ".join)
def test_a_locale_without_unicode_is_enough(arguments: tuple[str, ...], strange: Path, start: Start) -> None:
    """Where the output can only be ASCII, what it cannot show is "?": nothing fails."""
    poor = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    out, err = start(*arguments, env=poor).communicate(timeout=60)
    assert b"Error" not in err
    assert out.isascii()
    assert out
    out, _ = start(*arguments, "--json", env=poor).communicate(timeout=60)
    assert json.loads(out)


@pytest.mark.parametrize("arguments", [("read", "big.md", "--subtree"), ("outline", "big.md", "--ids")], ids=" ".join)
def test_a_closed_pipe_is_no_traceback(arguments: tuple[str, ...], tmp_path: Path, run: Run, start: Start) -> None:
    """When the reader of the output goes away, as `head` does, the command ends without a word."""
    (tmp_path / "big.md").write_text("# Big\n\n" + "".join(f"## Part {n}\n\nText of it.\n\n" for n in range(4000)))
    run("index", tmp_path / "big.md")
    # Python itself does not notice the closed pipe where its output is unbuffered.
    with start(*arguments, env={"PYTHONUNBUFFERED": ""}) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 1


def test_a_shell_pipe_works(indexed: Path, start: Start) -> None:
    """`tocwalk read ... | head -1` prints one line."""
    with start("read", "trams/handbook.md/tram-handbook/signals") as process:
        head = subprocess.run(["head", "-1"], stdin=process.stdout, capture_output=True, check=True, timeout=60)
    assert head.stdout == b"## Signals\n"
