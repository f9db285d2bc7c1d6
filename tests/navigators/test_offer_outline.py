"""How an offer reads, and what of it a model is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offer_building import candidate, lease, request_of

from tocwalk.navigators.outline import outline_tokens, render_candidate, render_outline
from tocwalk.navigators.prompt import INSTRUCTIONS, prompt_of
from tocwalk.navigators.protocol import Candidate


def test_an_outline_reads_like_a_table_of_contents() -> None:
    """Ref, number, title, then what tells a candidate apart; indented by its ref; the summary below."""
    assert render_outline(lease()) == (
        "[0] Lease of the mill (own text)\n"
        "[1] 1 Rent (p. 2-3, 900 tokens)\n"
        "  | Amount, due dates, late payment.\n"
        "[2] 2 Ending the lease (p. 4-6, 1500 tokens, +)\n"
        "  [2.1] 2.1 Notice by the tenant (p. 4)\n"
        "    | Three months, in writing.\n"
        "  [2.2] 2.2 Notice by the landlord\n"
        "[3] 3 Schedules (+)"
    )


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        (Candidate(ref="1", kind="folder", title="contracts", has_children=True), "[1] contracts (folder)"),
        (Candidate(ref="2", kind="group", title="A … B", number="12-40"), "[2] 12-40: A … B (group)"),
        (Candidate(ref="3", kind="document", title="Lease", tokens=7, depth=0), "[3] Lease (document, 7 tokens)"),
        (candidate("4", ""), "[4] (untitled)"),
        (candidate("4", "T", page_start=3, page_end=3), "[4] T (p. 3)"),
    ],
)
def test_every_kind_is_told_apart(shown: Candidate, line: str) -> None:
    """Folders, groups and documents say what they are."""
    assert render_candidate(shown) == line


@given(title=st.text(), summary=st.text())
def test_what_strangers_wrote_stays_on_its_line(title: str, summary: str) -> None:
    """Whatever a title and a summary hold, they make one line each, and each begins as ours do."""
    first, *rest = render_candidate(candidate("1.2", title, summary)).splitlines()

    assert first.startswith("  [1.2] ")
    assert len(rest) <= 1
    assert all(line.startswith("    | ") for line in rest)


def test_titles_and_summaries_are_clipped_with_a_mark() -> None:
    """A title of a megabyte costs no more than a long one."""
    line, summary = render_candidate(candidate("1", "t" * 1_000_000, "s" * 1_000_000)).splitlines()

    assert len(line) < 320
    assert line.endswith("…")
    assert len(summary) < 1010
    assert summary.endswith("…")


@given(text=st.text())
def test_tokens_are_a_quarter_of_the_bytes(text: str) -> None:
    """The size of an outline is its UTF-8 bytes, divided by four, rounded up."""
    size = len(text.encode())

    assert size / 4 <= outline_tokens(text) < size / 4 + 1


def test_the_prompt_ends_with_what_changes() -> None:
    """Question, path and visits come after all that is the same for every question to a section."""
    prompt = prompt_of(request_of(path=("contracts", "Lease of the mill"), remaining_visits=3))

    assert prompt.instructions == INSTRUCTIONS
    assert render_outline(lease()) in prompt.shown
    assert prompt.shown.endswith(
        "\n\nQuestion: How much notice must the tenant give?\n"
        "Path to what is opened: contracts > Lease of the mill\n"
        "Visits left after this one: 3"
    )


@given(title=st.text(), query=st.text(), part=st.text())
def test_a_prompt_can_always_be_sent(title: str, query: str, part: str) -> None:
    """No title, path or question makes a prompt that cannot be encoded."""
    prompt = prompt_of(request_of(candidate("1", title + "\ud800"), query=query + "\udfff", path=(part + "\ud800",)))

    assert "\n[1] " in prompt.shown.encode().decode()
