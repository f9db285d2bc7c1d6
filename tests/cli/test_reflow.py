"""Which lines of a document's text are wrapped anew in a terminal, and which are left as they stand."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tocwalk.cli.reflow import reflow

FILLED = """The price is that of the list which the supplier publishes in the
first week of every calendar year, and which holds until the last
day of that same year."""


def _reflowed(text: str, width: int) -> list[str]:
    return reflow(text, Console(file=io.StringIO(), width=width)).split("\n")


def test_prose_is_wrapped_without_ragged_lines() -> None:
    """A paragraph that is too wide is filled anew, as if the breaks of the source were not there."""
    assert _reflowed(FILLED, 40) == [
        "The price is that of the list which the",
        "supplier publishes in the first week of",
        "every calendar year, and which holds",
        "until the last day of that same year.",
    ]


def test_prose_that_fits_is_left_alone() -> None:
    """Where no line is too wide the lines are those of the source."""
    assert _reflowed(FILLED, 80) == FILLED.split("\n")


def test_a_heading_stays_apart_from_the_text_behind_it() -> None:
    """A line that ends early, as a heading does, is not run into the next."""
    assert _reflowed(f"Late Payment\n{FILLED}", 40)[:2] == ["Late Payment", "The price is that of the list which the"]


@pytest.mark.parametrize(
    "line",
    [
        "| rate of interest in percent | days after the due date |",
        "rate of interest in percent     days after the due date",
        "    for each in range(100): print(each, 'bottles of beer')",
        "> what somebody else has said is wider than the terminal",
        "=======================================================",
    ],
)
def test_what_is_no_prose_is_never_touched(line: str) -> None:
    """Tables, code, quotations and rules come as they are, however narrow the terminal, between prose too."""
    assert _reflowed(f"{line}\n{line}", 20) == [line, line]
    assert line in _reflowed(f"{FILLED}\n{line}\n{FILLED}", 20)


@pytest.mark.parametrize("mark", ["-", "(a)", "12.", "iv)"])
def test_lists_keep_their_lines(mark: str) -> None:
    """An item that goes on in the next line is left as it stands; one that is a single line is wrapped by itself."""
    item = f"{mark} interest runs from the day after the due date"
    for goes_on in ("which is the day that the parties have agreed", "    which is the day that they have agreed upon"):
        assert _reflowed(f"{item}\n{goes_on}\n\n{FILLED}", 40)[:2] == [item, goes_on]
    shown = _reflowed(f"{FILLED}\n{item}\n{item}", 40)
    assert shown[4:6] == shown[6:]
    assert " ".join(shown[6:]) == item


def test_fenced_code_is_never_touched() -> None:
    """What stands between fences is code, though it look like prose; behind them prose goes on."""
    shown = _reflowed(f"```\n{FILLED}\n```\n{FILLED}", 40)
    assert shown[1:4] == FILLED.split("\n")
    assert shown[5] == "The price is that of the list which the"


@given(st.text(st.sampled_from("ab. |-(\t\n\"'`é第"), max_size=200), st.integers(1, 30))
def test_no_character_is_lost(text: str, width: int) -> None:
    """Whatever the text and the width, only blanks and line breaks change."""
    assert "".join("".join(_reflowed(text, width)).split()) == "".join(text.split())
