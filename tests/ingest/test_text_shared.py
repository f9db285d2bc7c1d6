"""Trees of real documents, scored against their true outlines."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from tocwalk.ingest.parse import parse_bytes
from tocwalk.tree import Document


def as_parsed(document: Document) -> dict[str, Any]:
    """Return what `parse --json` says of the sections, as far as the score looks at it."""
    names = ("id", "parent", "depth", "number", "title", "page_start", "page_end", "start", "end", "text")
    return {"sections": [{name: getattr(section, name) for name in names} for section in document.sections]}


def score(shared: Path, document: str, outline: str) -> dict[str, float]:
    """Return the scores of a shared document's tree."""
    spec = importlib.util.spec_from_file_location("score_outline", shared / "eval" / "score_outline.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    data = (shared / "docs" / document).read_bytes()
    parsed = parse_bytes(data, name=document, document_id=document, source=document, summaries="none")
    parsed.check()
    truth = json.loads((shared / "eval" / "outline" / outline).read_text(encoding="utf-8"))
    scores: dict[str, float] = module.score(as_parsed(parsed), truth)
    return scores


@pytest.mark.parametrize(("document", "outline"), [("gdpr.txt", "gdpr.json"), ("rfc9000.md", "rfc9000.json")])
def test_the_tree_is_the_true_outline(shared: Path, document: str, outline: str) -> None:
    """Every heading is found, nothing else is, each below its true parent, and no text is lost."""
    scores = score(shared, document, outline)
    assert {name: scores[name] for name in ("recall", "precision", "parent", "text")} == {
        "recall": 1.0,
        "precision": 1.0,
        "parent": 1.0,
        "text": 1.0,
    }
