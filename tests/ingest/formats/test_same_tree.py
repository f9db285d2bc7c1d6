"""The same document in several formats gives the same tree."""

from __future__ import annotations

import io

import docx
import pytest
from books import archive, entries, point
from outlines import outline

from tocwalk.ingest.parse import parse_bytes

SECTIONS = [
    (1, "1", "Scope"),
    (2, "1.1", "Purpose & Use"),
    (2, "1.2", "Persons"),
    (3, "1.2.1", "Staff"),
    (1, "2", "Fees"),
    (2, "2.1", "Late fees"),
    (1, "3", "End"),
]
PARAGRAPH = "This is what it says, in one sentence. And in another one."


def html(sections: list[tuple[int, str, str]] = SECTIONS) -> bytes:
    """Return the document as a page."""
    return (
        "<!DOCTYPE html><html><body>"
        + "".join(
            f"<h{depth}><span class=secno>{number}</span> {title.replace('&', '&amp;')}</h{depth}><p>{PARAGRAPH}</p>"
            for depth, number, title in sections
        )
    ).encode()


def epub() -> bytes:
    """Return it as a book of one page for each top section."""
    pages: dict[str, list[tuple[int, str, str]]] = {}
    for section in SECTIONS:
        pages.setdefault(f"{section[1][0]}.xhtml", []).append(section)
    bodies = {path: html(sections).decode().partition("<body>")[2] for path, sections in pages.items()}
    return archive(entries(bodies, ncx="".join(point(page[0][2], path) for path, page in pages.items())))


def word() -> bytes:
    """Return it as a Word file."""
    written = docx.Document()
    for depth, number, title in SECTIONS:
        written.add_heading(f"{number} {title}", depth)
        written.add_paragraph(PARAGRAPH)
    file = io.BytesIO()
    written.save(file)
    return file.getvalue()


def lined(title: str, text: str) -> bytes:
    """Return it as lines: `title` has places for marks, underline, number and title."""
    return "".join(
        title.format(
            hashes="#" * depth,
            equals="=" * (depth + 1),
            line="=-~"[depth - 1] * 30,
            number=number,
            title=name,
        )
        + text
        for depth, number, name in SECTIONS
    ).encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html", html()),
        ("a.epub", epub()),
        ("a.docx", word()),
        ("a.md", lined("{hashes} {number} {title}\n\n", f"{PARAGRAPH}\n\n")),
        ("a.rst", lined("{number} {title}\n{line}\n\n", f"{PARAGRAPH}\n\n")),
        ("a.adoc", lined("{equals} {number} {title}\n\n", f"{PARAGRAPH}\n\n")),
        ("a.txt", lined("{number}  {title}\n\n", f"   {PARAGRAPH}\n\n")),
    ],
)
def test_the_tree_does_not_depend_on_the_format(name: str, data: bytes) -> None:
    """Numbers, titles, levels and ids are the same, whatever the document was written in."""
    document = parse_bytes(data, name=name, document_id="doc", source=name, summaries="none")
    document.check()
    assert outline(document) == SECTIONS
    assert document.sections[4].id == "doc/1-scope/1-2-persons/1-2-1-staff"
    assert all(PARAGRAPH in " ".join(section.body.split()) for section in document.sections[1:])
