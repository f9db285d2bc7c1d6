"""What an answer says of what it was made from, and of what is missing in it."""

from __future__ import annotations

from langchain_core.documents import Document
from langchain_core.messages import HumanMessage
from lease_graph import RENT, graph_of, script
from scripted_chat import draft, plan_for, section

from tocwalk.index import TreeIndex

UNPROVED = ("Rent is due weekly.", "S1", "Rent is due weekly, on the first working day")


def test_what_nobody_read_was_not_looked_at(library: TreeIndex) -> None:
    """Sections that did not fit into the evidence are told apart from those in which no answer was found."""
    chat = script(plan=plan_for("rent", "repairs", "parties", "interest"), write=draft())
    output = graph_of(library, chat).invoke({"question": "What colour?"}, context={"evidence_tokens": 100})
    assert output["answer"] == (
        "The documents do not answer this. Looked at: Lease > 2 Rent; Lease > 3 Repairs. Found, but not read, as"
        " `evidence_tokens` allows no more: Lease > 1 Parties; Lease > Note 12 Interest."
    )


def test_long_lists_of_what_was_looked_at_are_counted(library: TreeIndex) -> None:
    """Ten sections are named, and how many more there are."""
    library.add_langchain([_note(number) for number in range(1, 13)], corpus="notes")
    chat = script(plan=plan_for("note"), write=draft())
    output = graph_of(library, chat).invoke({"question": "?", "corpus": "notes"}, context={"max_results": 50})
    assert output["answer"].endswith("; and 2 more.")
    assert output["answer"].count(";") == 10


def _note(number: int) -> Document:
    return section(f"note-{number}", "Note", f"This is the text of note {number}.\n")


def test_a_chat_is_told_what_was_left_out(library: TreeIndex) -> None:
    """A message says how many statements are missing in it, and nothing where none is."""
    written = draft(("Rent is due monthly.", "S1", RENT), UNPROVED)
    chat = script(write=written)
    said = graph_of(library, chat).invoke({"messages": [HumanMessage("When?")]})["messages"][-1].text
    assert said.endswith("[1] Lease, 2 Rent, p. 3-4\n\nOne statement was left out: it is not proved by a quote.")
    chat = script(write=draft(UNPROVED, UNPROVED))
    said = graph_of(library, chat).invoke({"messages": [HumanMessage("When?")]})["messages"][-1].text
    assert said.endswith("2 Rent.\n\n2 statements were left out: they are not proved by quotes.")
    said = graph_of(library, script()).invoke({"messages": [HumanMessage("When?")]})["messages"][-1].text
    assert "left out" not in said
