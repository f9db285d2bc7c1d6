"""Tests on real files, which the repository does not hold."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pypdfium2
import pytest
from pdfs import squeezed

from tocwalk.ingest.pdf.extraction import extract_file
from tocwalk.ingest.pdf.margins import find_margins
from tocwalk.ingest.pdf.reading import File, read_file
from tocwalk.ingest.structure import build_document
from tocwalk.tree import Document

FILES = ("fed-2023-annual-report", "nist-sp800-171r2", "fedramp-oscal-guide")
GOALS = {"recall": 0.97, "precision": 0.92, "parent": 0.95, "page": 0.98, "text": 1.0}


@pytest.fixture(scope="module", name="files")
def _files(shared: Path) -> dict[str, File]:
    """Return the files, read once."""
    return {name: read_file((shared / "docs" / f"{name}.pdf").read_bytes(), name=name) for name in FILES}


@pytest.fixture(scope="module", name="scorer")
def _scorer(shared: Path) -> ModuleType:
    """Return the module that scores outlines."""
    spec = importlib.util.spec_from_file_location("score_outline", shared / "eval" / "score_outline.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tree(file: File) -> Document:
    """Return a file's tree, which is one."""
    document = build_document(extract_file(file, name="a.pdf"), document_id="a", source="a.pdf", sha256="")
    document.check()
    return document


def scored(scorer: ModuleType, document: Document, truth: list[dict[str, object]]) -> dict[str, float]:
    """Score a tree as `parse --json` shows it."""
    fields = ("id", "parent", "number", "title", "page_start", "start", "end", "text")
    sections = [{name: getattr(section, name) for name in fields} for section in document.sections]
    return scorer.score({"sections": sections}, truth)  # type: ignore[no-any-return]


@pytest.mark.parametrize("bookmarks", [True, False])
@pytest.mark.parametrize("name", FILES[:2])
def test_the_printed_headings_are_found(
    shared: Path, files: dict[str, File], scorer: ModuleType, name: str, *, bookmarks: bool
) -> None:
    """With or without its bookmarks, a file gives the headings that are printed in it, nested as they are."""
    file = files[name] if bookmarks else replace(files[name], bookmarks=[])
    truth = json.loads((shared / "eval" / "outline" / f"{name}.json").read_text())
    scores = scored(scorer, tree(file), truth)
    assert {key: scores[key] for key, goal in GOALS.items() if scores[key] < goal} == {}


@pytest.mark.parametrize("name", FILES)
def test_bookmarks_lead_to_sections(files: dict[str, File], scorer: ModuleType, name: str) -> None:
    """Each bookmark is a section on its page, below the section of the bookmark above it if their numbers agree."""
    file = files[name]
    truth: list[dict[str, object]] = [
        {"level": mark.level, "title": mark.title, "page": mark.page, "style": "heading"} for mark in file.bookmarks
    ]
    scores = scored(scorer, tree(file), truth)
    assert (scores["recall"], scores["page"], scores["text"]) == (1.0, 1.0, 1.0)
    assert scores["parent"] == 1.0 or name == FILES[2]


def test_numbers_are_stronger_than_bookmarks(files: dict[str, File]) -> None:
    """Bookmarks that put section 3.1 below section 1, and one appendix below another's end, are not followed."""
    depths = {section.number: section.depth for section in tree(files[FILES[2]]).sections if section.number}
    assert [depths[number] for number in ("1", "1.1", "3.1", "3.3.1", "4", "Appendix A", "Appendix B")] == [
        1, 2, 1, 2, 1, 2, 2,
    ]  # fmt: skip


def test_titles_have_no_footnote_marks(files: dict[str, File]) -> None:
    """A raised number behind a heading is in its text and not in its title."""
    sections = {section.number: section for section in tree(files[FILES[1]]).sections}
    assert sections["3.7.1"].title == "Perform maintenance on organizational systems."
    assert sections["3.7.1"].text.startswith("3.7.1 Perform maintenance on organizational systems.26")


@pytest.mark.parametrize("name", FILES)
def test_every_character_is_kept(shared: Path, files: dict[str, File], name: str) -> None:
    """What pdfium reads from a file, white space aside, is in its sections or in the reported running texts."""
    file, margins = files[name], find_margins(files[name].pages)
    running = [piece.text for page in file.pages for piece in page.pieces if id(piece) in margins.running]
    with pypdfium2.PdfDocument(shared / "docs" / f"{name}.pdf") as pdf:
        printed = Counter(squeezed("".join(page.get_textpage().get_text_bounded() for page in pdf)))
    document = tree(file)
    lost = printed - Counter(squeezed(document.text)) - Counter(squeezed("".join(running)))
    assert {character for character in lost if character not in "-\x02"} == set()
    assert set(running) == set(document.running_text)


def test_running_texts_repeat(files: dict[str, File]) -> None:
    """What is reported as running is on three pages at least, its page numbers aside."""
    number = re.compile(r"\b(?:\d+|[ivxlc]+)\b")
    for file in files.values():
        pages: dict[str, set[int]] = defaultdict(set)
        for page in file.pages:
            for piece in page.pieces:
                pages[number.sub("#", piece.text)].add(page.number)
        for text in tree(file).running_text:
            assert len(pages[number.sub("#", text)]) >= 3


def test_a_table_of_a_report_keeps_labels_and_values_together(files: dict[str, File]) -> None:
    """A row of a borderless table, drawn cell by cell, is one line."""
    lines = [line.split() for line in tree(files[FILES[0]]).text.splitlines()]
    assert ["Total", "assets", "(billions", "of", "dollars)", "1,334", "1,741", "1,856", "2,026", "1,822"] in lines


def test_names_are_whole(files: dict[str, File]) -> None:
    """No name is torn apart by line ends: a search finds what a reader reads."""
    text = tree(files[FILES[0]]).text
    plain = squeezed(text).count("FederalReserve")
    assert text.count("Federal Reserve") >= 0.99 * plain
