"""Markdown: which lines are headings, and what is taken off their titles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.ingest.extracted import Extracted
from tocwalk.ingest.markdown import extract
from tocwalk.ingest.structure import build_document


def read(text: str | bytes) -> Extracted:
    """Return what the reader finds in a text or in bytes."""
    return extract(text.encode() if isinstance(text, str) else text, name="x.md")


def headings(text: str | bytes) -> list[tuple[int, str]]:
    """Return levels and titles."""
    return [(heading.level, heading.title) for heading in read(text).headings]


def test_every_worked_case_is_right(shared: Path) -> None:
    """Levels and titles of all worked cases are as given."""
    cases = json.loads((shared / "cases" / "markdown.json").read_text(encoding="utf-8"))
    wrong = [
        case["name"]
        for case in cases
        if headings(case["input"].encode(case["encoding"])) != [tuple(heading) for heading in case["headings"]]
    ]
    assert cases
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\n\nTwo\n---\n\nThree\n===\n", [(1, "One"), (2, "Two"), (1, "Three")]),
        ("Two\nlines\n=====\n", [(1, "Two lines")]),
        ("# A #\n## B ## \n", [(1, "A"), (2, "B")]),
        ("#\n\n# \n\n# A\n", [(1, "A")]),
        ("    # code\n\n# A\n", [(1, "A")]),
        ("- # item\n\n1. # item\n\n> # quote\n\n# A\n", [(1, "A")]),
        ("````\n```\n# code\n````\n# A\n", [(1, "A")]),
        ("~~~ {.python}\n# code\n~~~~\n# A\n", [(1, "A")]),
        ("a | b\n--|--\n1 | 2\n\n# A\n", [(1, "A")]),
        (
            "# Tom & Jerry &amp; `co` \\* <b>x</b> ![logo](a.png) [l][r]\n\n[r]: u\n",
            [(1, "Tom & Jerry & co * x logo l")],
        ),
        ("# snake_case and 2*3*4\n", [(1, "snake_case and 234")]),
        ("# Costs $5 and $6\n", [(1, "Costs $5 and $6")]),
        ("# A<br>B\n", [(1, "A B")]),
    ],
)
def test_headings_are_those_of_commonmark(text: str, expected: list[tuple[int, str]]) -> None:
    """ATX and setext headings of the top level count; code, quotes and lists do not; markup is off the titles."""
    assert headings(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<h1 align="center">\n  <img src="x" alt="Logo"/>\n  The <em>Title</em>\n</h1>\n', [(1, "The Title")]),
        ('<h1><img src="x" alt="Logo"></h1>\n', [(1, "Logo")]),
        ("<div><h2>A &amp; B</h2><h3>C</h3></div>\n\n# D\n", [(2, "A & B"), (3, "C"), (1, "D")]),
        ("<!-- <h1>no</h1> -->\n\n<!--\n# no\n-->\n\n# A\n", [(1, "A")]),
        ("<div>\n<!-- <h1>no</h1> -->\n<pre><h1>no</h1></pre>\n</div>\n\n# A\n", [(1, "A")]),
        ("<script>\n# no\n\n<h1>no</h1>\n</script>\n\n# A\n", [(1, "A")]),
        ("<details><summary>s</summary>\n\n## A\n\n</details>\n", [(2, "A")]),
        ("<h1></h1>\n\n<h1>not closed\n\n# A\n", [(1, "A")]),
    ],
)
def test_html_headings_count_and_html_comments_do_not(text: str, expected: list[tuple[int, str]]) -> None:
    """`<h1>` to `<h6>` in HTML blocks are headings, unless in comments, scripts or preformatted text."""
    assert headings(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "$$\n# no\n$$\n\n# A\n",
        "$$\n\n# no\n\n$$\n\n# A\n",
        "$$ x =\n# no\n$$\n\n# A\n",
        "text\n$$\n# no\n$$\n\n# A\n",
        "{::comment}\n# no\n{:/comment}\n\n# A\n",
        "{::nomarkdown}\n\n# no\n\n{:/}\n\n# A\n",
    ],
)
def test_math_and_kramdown_blocks_hide_what_is_in_them(text: str) -> None:
    """A "#" in display math or in a kramdown comment is no heading."""
    assert headings(text) == [(1, "A")]


@pytest.mark.parametrize("text", ["$$ costs\n\n# A\n", "$$\n\n# A\n", "Costs $$\n\n# A\n", "{::comment}\n\n# A\n"])
def test_what_nothing_closes_hides_nothing(text: str) -> None:
    """A stray "$$" or an unclosed comment does not swallow the headings behind it."""
    assert headings(text) == [(1, "A")]


@pytest.mark.parametrize(
    ("text", "title", "anchor"),
    [
        ("# A {#one}\n", "A", "one"),
        ("# A {#one .x key=y}\n", "A", "one"),
        ("# A {: #one}\n", "A", "one"),
        ("# A ## {#one}\n", "A", "one"),
        ("# A {:.no_toc}\n", "A", None),
        ("# A\n{: #one .x}\n", "A", "one"),
        ("# A\n{#one}\n", "A", "one"),
        ('# <a name="one"></a>A\n', "A", "one"),
        ('<h2 id="one">A</h2>\n', "A", "one"),
        ("A {#one}\n===\n", "A", "one"),
        ("# Use {braces} here\n", "Use {braces} here", None),
    ],
)
def test_attribute_lists_are_taken_off_and_ids_are_anchors(text: str, title: str, anchor: str | None) -> None:
    """An attribute list is no part of the title; the id in it, or in a tag, is the anchor."""
    heading = read(text).headings[0]
    assert (heading.title, heading.anchor) == (title, anchor)


def test_an_attribute_list_below_a_heading_belongs_to_it() -> None:
    """The line `{: .x}` below a heading is no part of the body."""
    source = read("# A\n{:numbered='false'}\nbody\n")
    assert source.text[source.headings[0].end :] == "body\n"


def test_numbers_are_taken_off() -> None:
    """Printed numbers are told from titles."""
    found = read("# 1 Scope\n\n## 1.1 General\n\n# 2 Terms\n\n# Annex A: Forms\n").headings
    assert [(h.number, h.title) for h in found] == [
        ("1", "Scope"),
        ("1.1", "General"),
        ("2", "Terms"),
        ("Annex A", "Forms"),
    ]


def test_front_matter_gives_title_and_metadata_and_no_heading() -> None:
    """YAML scalars become metadata, its title the document's; comments and the closing line are no headings."""
    source = read("---\ntitle: Guide\n# no\nweight: 3\ndraft: false\ndate: 2031-05-06\ntags: [a, b]\n---\n\n# A\n")
    assert source.title == "Guide"
    assert source.metadata == {"title": "Guide", "weight": 3, "draft": False, "date": "2031-05-06"}
    assert [heading.title for heading in source.headings] == ["A"]


def test_toml_front_matter_is_read() -> None:
    """Front matter between "+++" is TOML."""
    assert read('+++\ntitle = "Guide"\n+++\n# A\n').metadata == {"title": "Guide"}


def test_front_matter_that_cannot_be_read_is_still_none_of_the_text() -> None:
    """Broken YAML gives a warning and no headings."""
    source = read("---\ntitle: a: b: [\n# no\n---\n\n# A\n")
    assert [heading.title for heading in source.headings] == ["A"]
    assert "front matter" in source.warnings[0]


@pytest.mark.parametrize("text", ["---\n\n# A\n\n---\n", "---\n# A\n"])
def test_a_rule_at_the_top_is_no_front_matter(text: str) -> None:
    """A thematic break without metadata behind it begins no front matter."""
    assert headings(text) == [(1, "A")]


KRAMDOWN_RFC = """---
title: "A Protocol"
docName: draft-doe-protocol-00
# a comment
author:
  -
    name: Jane Doe
normative:
  RFC2119:

--- abstract

This document describes a protocol.

--- note_Note_to_Readers

Read it twice.

--- middle

# Introduction        {#intro}

See {{RFC2119}}.

~~~ abnf
# not = a heading
~~~
{: #fig-syntax title="Syntax"}

## Changes from {{RFC2119}}
{:numbered="false"}

None.

{::boilerplate bcp14-tagged}

--- back

# Examples

None.
"""


def test_kramdown_rfc_documents_are_read() -> None:
    """Front matter may end at "--- abstract"; the lines that divide the parts are text; references are named."""
    source = read(KRAMDOWN_RFC)
    assert [(h.level, h.title) for h in source.headings] == [
        (1, "Introduction"),
        (2, "Changes from RFC2119"),
        (1, "Examples"),
    ]
    assert source.title == "A Protocol"
    assert source.metadata["docName"] == "draft-doe-protocol-00"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("# Café\n\nRésumé\n", "latin-1"),
        ("# Don’t\n\n“quoted” – text\n", "cp1252"),
        ("# Закон\n\nЭтот закон о мостах.\n", "cp1251"),
        ("# 総則\n\nこれは日本語のテキストです。\n", "shift_jis"),
        ("# Zażółć\n\nNie każdy może przyjść na spotkanie w niedzielę.\n", "cp1250"),
        ("# Bridges\n\nPlain.\n", "utf-16"),
        ("# Brücken\n\nText.\n", "utf-8-sig"),
        ("# Bridges\n\nPlain text, long enough.\n", "utf-16-le"),
    ],
)
def test_other_encodings_are_read(text: str, encoding: str) -> None:
    """Byte order marks are obeyed and dropped; other encodings are guessed."""
    assert read(text.encode(encoding)).text == text


def test_a_guessed_encoding_is_said() -> None:
    """A warning names the encoding that was guessed; UTF-8 needs none."""
    assert "cp1252" in read("# Café\n".encode("latin-1")).warnings[0]
    assert read("# Café\n").warnings == ()


def test_damaged_utf8_stays_utf8() -> None:
    """One invalid byte in a UTF-8 text is replaced, not taken for another encoding."""
    source = read("# Grüße — 第一章\n".encode() + b"\xff\n")
    assert source.text == "# Grüße — 第一章\n�\n"
    assert len(source.warnings) == 1


def test_carriage_returns_are_line_breaks() -> None:
    """Windows and old Macintosh line breaks become line feeds."""
    assert headings("# A\r\n\r\nx\r\n\r\n# B\r\n") == headings("# A\r\rx\r\r# B\r") == [(1, "A"), (1, "B")]


@pytest.mark.parametrize(
    "title", ["[" * 1_000_000, "a" + " " * 100_000 + "b", "{" * 100_000, "a" + " #" * 50_000 + "b"]
)
def test_a_very_long_title_is_kept(title: str) -> None:
    """A title of a megabyte is read at once and kept, on one line."""
    assert read(f"# {title}").headings[0].title == " ".join(title.split())


def test_every_heading_of_a_real_page_is_found(shared: Path) -> None:
    """A Jekyll page with an attribute list on most headings: all of them, none besides, clean titles."""
    data = (shared / "docs" / "nist-800-63b-sec5.md").read_bytes()
    lines = [line for line in data.decode().splitlines() if line.startswith("#")]
    source = extract(data, name="nist-800-63b-sec5.md")
    assert [heading.level for heading in source.headings] == [len(line.split(" ")[0]) for line in lines]
    assert not [heading.title for heading in source.headings if "{" in heading.title or heading.title.startswith("#")]


LINES = """# A|## B {#b}|text||===|---|```|~~~|$$|<h2>C</h2>|<!--|-->|> # q|- # i|{: #x}|--- middle|    # code|title: t
|{::comment}|{:/}|<pre>|</pre>|<div>"""
line = st.sampled_from(LINES.replace("\n", "").split("|"))


@given(st.lists(line, max_size=25).map("\n".join) | st.text(max_size=200))
def test_any_text_becomes_a_tree_without_loss(text: str) -> None:
    """Whatever is in a file, its headings make a tree that holds all its text."""
    source = read(text.encode("utf-8", "replace"))
    document = build_document(source, document_id="x", source="x", sha256="")
    document.check()
    assert len(document.text) == len(source.text)


def test_ten_thousand_headings_are_read() -> None:
    """A document of very many headings is walked over once."""
    assert len(headings("# A\n\nx\n\n" * 10_000)) == 10_000


@pytest.mark.parametrize("part", ["$$\n\n", "{::comment}\n\n", "<h1>\n\n", "<div><h1 \n\n", "> # q\n", "[a\n\n"])
def test_very_many_openings_that_nothing_closes_are_read(part: str) -> None:
    """Searching for what closes a block is not done again and again to the end of the document."""
    assert headings(part * 10_000 + "\n\n# A\n") == [(1, "A")]
