"""The example documents and the questions on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tocwalk import read_document
from tocwalk.tree import Document

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text("utf-8").splitlines()]
PATHS = {path.stem: path for path in (EXAMPLES / "documents").rglob("*.*")}


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    """Return the parsed example documents by the name that the questions use."""
    return {name: read_document(path, document_id=name) for name, path in PATHS.items()}


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_examples_are_real_documents(documents: dict[str, Document]) -> None:
    """Each example has at least thirty sections, on two levels or more, and says nothing about bad input."""
    assert set(documents) == {"protocol-specification", "service-handbook", "supply-contract"}
    for document in documents.values():
        assert len(document.sections) >= 30
        assert max(section.depth for section in document.sections) >= 2
        assert document.warnings == ()


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_the_gold_sections_answer_the_question(question: dict[str, Any], documents: dict[str, Document]) -> None:
    """Each gold section is a section of its document, under its printed number and title, and holds the evidence."""
    sections = documents[question["doc"]].sections
    assert bool(question["gold"]) == (question["kind"] != "unanswerable")
    for gold in question["gold"]:
        (section,) = [s for s in sections if (s.number, s.title) == (gold["number"], gold["title"])]
        assert gold["evidence"] in _on_one_line(section.text)
