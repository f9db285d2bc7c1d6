"""Plain text: headings that only their layout shows, and text that has none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_trees import outline

from tocwalk.ingest.structure import build_document
from tocwalk.ingest.text import extract


def test_underlined_titles() -> None:
    """The style of an underline is a level; tables and rules are no underlines; numbers are taken off."""
    text = """
        Manual
        ******

        1. First
        ========

        text

        1.1. Within
        -----------

        a     b
        ----  ----
        1     2

        A paragraph of more than
        one line
        --------

        2. Second
        =========

        1. item

        2. item
    """
    assert outline(text) == ["- | Manual", "  1 | First", "    1.1 | Within", "  2 | Second"]


@pytest.mark.parametrize("rule", ["===========", "-----------", "~ ~ ~ ~ ~ ~"])
def test_a_title_comes_without_the_rules_around_it(rule: str) -> None:
    """The lines of signs over and under a document's title are no part of it."""
    rest = "\n\n1. Brewing\n\nText here.\n\n2. Serving\n\nMore.\n"
    for title in (f"Café Manual\n{rule}", f"{rule}\nCafé Manual\n{rule}"):
        assert extract((title + rest).encode(), name="x.txt").title == "Café Manual"


def test_capitals_are_headings_only_as_a_scheme() -> None:
    """Lines in capitals are headings where there are several with text and nothing is numbered."""
    body = "Do not open the case. There are dangerous voltages inside,\neven when the device is switched off.\n\n"
    scheme = "ROUTER MANUAL\n\n" + body + "".join(f"{word}\n\n{body}" for word in ("SAFETY", "INSTALLATION", "REPAIR"))
    assert outline(scheme) == ["- | SAFETY", "- | INSTALLATION", "- | REPAIR"]
    assert outline(f"WARNING\n\n{body}") == []
    numbered = "".join(f"{number}. Part\n\n{body}STOP\n\n{body}" for number in range(1, 5))
    assert outline(numbered) == [f"{number} | Part" for number in range(1, 5)]


def test_a_manual_page() -> None:
    """In indented text the lines at the left edge are headings."""
    text = """
        NAME
               riverctl - control the river daemon

        SYNOPSIS
               riverctl [OPTION]... COMMAND

        DESCRIPTION
               riverctl sends commands to the daemon.  It waits for the answer and
               prints it.  If there is none, it ends with an error, and the daemon
               goes on with what it was doing.

               Commands are words.  They can be cut short, as long as they differ,
               and are not told apart by the case of their letters.

        SEE ALSO
               riverd(8)
    """
    assert outline(text) == ["- | NAME", "- | SYNOPSIS", "- | DESCRIPTION", "- | SEE ALSO"]


def test_a_letter_with_a_list_has_no_headings() -> None:
    """Lists, references and greetings in prose are none."""
    text = """
        Dear Anna,

        Thank you for your letter of 3 May. I have thought about it for a long
        time. Section 5 of the contract is clear, and Article 7 is not.

        Article 7 says little about keys, and Section 5 even less.

        1. Bring the keys.

        2. Lock the door.

        3. Turn off the light.

        I will be there at noon.

        Best wishes,

        Tom
    """
    assert outline(text) == []


@pytest.mark.parametrize("length", [3, 9])
def test_a_list_in_a_section_does_not_take_the_sections_numbers(length: int) -> None:
    """Short numbered paragraphs inside a section are items, even where they would go on from its number."""
    body = "This is the text of the section, which goes on for a while.\n" * 12 + "\n"
    items = "".join(f"{number}. Item of a list\n\nA line about it.\n\n" for number in range(1, length + 1))
    text = f"1. First\n\n{body}2. Second\n\n{body}{items}3. Third\n\n{body}4. Fourth\n\n{body}5. Fifth\n\n{body}"
    assert [line for line in outline(text) if "Item" not in line] == [
        "1 | First", "2 | Second", "3 | Third", "4 | Fourth", "5 | Fifth",
    ]  # fmt: skip


LINES = """CHAPTER I|Article 1|Article 2 Scope|Section 1.1 Term. The text.|1. One|1.1 Two|2. Three|A. Four|II. Five
|Annex A|=====|-----|   indented text|text that ends.|SHOUTING||||\f|第一条 文|Contents|1. One ...... 3|[Page 2]
|§ 5 Fünf|(a) item"""
words = st.sampled_from(LINES.replace("\n", "").split("|"))


@given(st.lists(words, max_size=40).map("\n".join) | st.text(max_size=200))
def test_any_text_becomes_a_tree_without_loss(text: str) -> None:
    """Whatever is in a file, its headings make a tree that holds all the extracted text."""
    source = extract(text.encode("utf-8", "replace"), name="x.txt")
    document = build_document(source, document_id="x", source="x", sha256="")
    document.check()
    assert len(document.text) == len(source.text)


@given(st.lists(words, max_size=40).map("\n".join))
def test_what_is_no_running_line_stays_in_the_text(text: str) -> None:
    """The words of a text are in its sections or among its running headers and footers, each of them."""
    source = extract(text.encode(), name="x.txt")
    kept = "".join(sorted("".join([source.text, *source.running_text]).split()))
    assert sorted(kept) == sorted("".join(text.split()))
