"""Lead summaries: the first real sentence and the terms that set a section apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.ingest.parse import parse_bytes
from tocwalk.ingest.summaries import lead_summaries
from tocwalk.tree import Document, Section


def summaries(text: str) -> dict[str, str]:
    """Return the summaries of a Markdown text's sections by title."""
    document = parse_bytes(text.encode(), name="x.md", document_id="x", source="x", summaries="lead")
    return {section.title: section.summary for section in document.sections}


def summary(body: str) -> str:
    """Return the summary of a section with this body."""
    return summaries(f"# Before\n\nText.\n\n# The Section\n\n{body}\n")["The Section"]


WEEKLY = "Batteries are delivered to the depot each week."
ACT = "See Art. 5(1)(b) of the Act by Dr. Smith et al. for more."


@pytest.mark.parametrize(
    ("body", "lead"),
    [
        (f"{WEEKLY} It is so.", WEEKLY),
        (f"Short note. {WEEKLY}", f"Short note. {WEEKLY}"),
        (f"The section\n\n{WEEKLY}", WEEKLY),
        (f"1. {WEEKLY}", WEEKLY),
        (f"(a) {WEEKLY}", WEEKLY),
        (
            f"The following shall apply to all of them:\n\n(a)\n\n{WEEKLY}",
            f"The following shall apply to all of them: {WEEKLY}",
        ),
        ("- *Batteries* are [delivered](u) to the `depot` each week.", WEEKLY),
        (f"```\nx = 1\n```\n\n| a | b |\n|---|---|\n\n{WEEKLY}", WEEKLY),
        (f"<p>{WEEKLY}</p>", WEEKLY),
        (f"{ACT} It is good.", ACT),
        (f"The following shall apply to all:\n\n(a) {WEEKLY}", f"The following shall apply to all: {WEEKLY}"),
        ("Yes.", "Yes."),
        ("第一条为了保障桥梁安全，制定本法律。第二条适用。", "第一条为了保障桥梁安全，制定本法律。"),
        ("यह एक बहुत ही लंबा और अच्छा वाक्य है। दूसरा वाक्य।", "यह एक बहुत ही लंबा और अच्छा वाक्य है।"),
        ("", ""),
        ("***", ""),
    ],
)
def test_the_lead_is_the_first_real_sentence(body: str, lead: str) -> None:
    """Six words or more, without markup, numbers, code, tables, and without saying the title again."""
    assert summary(body) == lead


def test_a_long_lead_is_cut_at_a_word() -> None:
    """No more than 240 characters, and then "…"."""
    lead = summary(" ".join(["considerable"] * 60) + ".")
    assert len(lead) <= 240
    assert lead.endswith("considerable…")


def test_parents_tell_what_is_below_them() -> None:
    """A section with subsections has its own lead and their titles."""
    made = summaries(
        "# Delivery\n\nThis chapter is about the delivery of batteries.\n\n## By Road\n\nx\n\n## By Rail\n\ny\n"
    )
    assert made["Delivery"] == "This chapter is about the delivery of batteries. Below: By Road; By Rail"


def test_many_children_are_clipped() -> None:
    """The titles below take up a bounded part of a summary."""
    made = summaries("# Top\n\n" + "".join(f"## {'Long title ' * 20}{n}\n\nx\n\n" for n in range(50)))
    assert len(made["Top"]) <= 240
    assert made["Top"].startswith("Below: Long title")
    assert made["Top"].endswith("…")


def test_front_matter_is_no_lead() -> None:
    """The document's own lead is its text's, not its metadata's."""
    front = "---\ntitle: Guide\ndescription: many words that are no sentence of the text\n---\n\n"
    text = f"{front}This guide tells how to hang up lanterns.\n\n# A\n\nx\n"
    assert summaries(text)["Guide"] == "This guide tells how to hang up lanterns. Below: A"


def test_terms_are_what_sets_a_section_apart() -> None:
    """Identifiers, repeated phrases and rare repeated words are told, what all sections say is not."""
    common = "The supplier delivers the goods to the buyer under this agreement, and the buyer pays for the goods."
    special = (
        "A PATH_CHALLENGE frame is answered. The idle timeout matters: after the idle timeout nothing is sent."
        " The escrow agent keeps the escrow while the escrow lasts."
    )
    text = "".join(
        f"# Goods of {name}\n\n{common} {special if name == 'E' else ''}\n\n" for name in "ABCDEFGHIJKLMNOPQRSTU"
    )
    made = summaries(text)["Goods of E"]
    assert "Terms:" in made
    assert all(term in made for term in ("PATH_CHALLENGE", "idle timeout", "escrow"))
    assert "Terms" not in summaries(text)["Goods of F"]


def test_terms_are_not_said_twice() -> None:
    """What title or lead say already is no term."""
    body = "The idle timeout ends connections that nobody uses any more. " + "The idle timeout is short. " * 5
    assert "idle timeout" not in summary(body).partition("Terms:")[2]


def test_the_same_document_has_the_same_summaries(shared: Path) -> None:
    """Summaries of a real document do not differ from one time to the next, and all sections with text have one."""
    data = (shared / "docs" / "rfc9000.md").read_bytes()
    first, second = (
        parse_bytes(data, name="rfc9000.md", document_id="x", source="x", summaries="lead") for _ in range(2)
    )
    assert first == second
    assert [s.id for s in first.sections if s.body.strip() and not s.summary] == []
    assert max(len(section.summary) for section in first.sections) < 600


anything = st.text(st.characters(exclude_categories=()), max_size=200)  # lone surrogates included


@given(st.lists(st.tuples(anything, anything), min_size=1, max_size=8))
def test_any_text_can_be_summarised(parts: list[tuple[str, str]]) -> None:
    """Odd text, lone surrogates included, is summarised on one line and in bounds."""
    sections, start = list[Section](), 0
    for number, (title, text) in enumerate(parts):
        parent = "x" if number else None
        section_id = f"x/{number}" if number else "x"
        sections.append(
            Section(id=section_id, parent=parent, depth=int(number > 0), title=title, text=text, start=start)
        )
        start += len(text)
    document = Document(id="x", title="x", source="x", media_type="text/markdown", sha256="", sections=tuple(sections))
    for section in lead_summaries(document).sections:
        assert len(section.summary) < 1000
        assert "\n" not in section.summary


@pytest.mark.parametrize("part", ["*a ", "`", "[", "<a ", "\n ", "- ", "a_", "'", "“", "#", "|", ". "])
def test_hostile_text_is_summarised(part: str) -> None:
    """A hundred thousand times the same mark is looked at once."""
    section = Section(id="x", parent=None, depth=0, title="x", text=part * 100_000, start=0)
    document = Document(id="x", title="x", source="x", media_type="text/plain", sha256="", sections=(section,))
    assert len(lead_summaries(document).sections[0].summary) <= 600
