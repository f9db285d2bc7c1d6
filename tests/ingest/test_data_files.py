"""Data written as text is told from documents."""

from __future__ import annotations

import pytest

from tocwalk.errors import IngestError
from tocwalk.ingest.detect import detect
from tocwalk.ingest.formats import HTML, PLAIN

ROWS = "name,unit,price\n" + "seal,piece,12.50\n" * 6
SEMICOLONS = "Teil;Preis;Ort\n" + 'Dichtung;"12,50";Halle 3\n' * 6


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ('{"a": [1, 2]}', "a.json", "JSON"),
        ('[{"a": 1}]\n', "notes.md", "JSON"),
        ("[1, 2, 3]", "a.txt", "JSON"),
        ('{"a": 1}\n{"a": 2}\n', "a.jsonl", "JSON"),
        ('{"text": "' + "word " * 30_000 + '"}', "large.json", "JSON"),
        ("[" * 100_000, "deep.json", "JSON"),
        ("<?xml version='1.0'?>\n<feed><entry>x</entry></feed>", "a.xml", "XML"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><text>x</text></svg>", "a.txt", "XML"),
        (ROWS, "a.csv", "CSV"),
        (ROWS, "a.txt", "CSV"),
        (ROWS.replace(",", "\t"), "a.tsv", "CSV"),
        (SEMICOLONS, "a", "CSV"),
        ("a,b\n1,2\n", "a.csv", "CSV"),
    ],
)
def test_data_are_refused(text: str, name: str, kind: str) -> None:
    """A file of data is no document, whatever it is called, and the message says what it is."""
    with pytest.raises(IngestError, match=kind) as caught:
        detect(text.encode(), name=name)
    assert caught.value.reason == "unsupported"
    assert repr(name) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("[Draft] A letter.\n\nIt says nothing.\n", "a.txt", PLAIN),
        ('{"this is how a novel begins}\n\nText.\n', "a.txt", PLAIN),
        ("[1] Smith 2020.\n[2] Jones 2021.\n", "a.txt", PLAIN),
        ("First, second, third.\nOne, two, three.\n", "a.txt", PLAIN),
        ("I met Tim, Tom and Jane.\nWe went out, came home, slept.\nThen, nothing.\n\n\n\nEnd.\n" * 9, "a.txt", PLAIN),
        ("A text of one line that somebody called a table.\n", "a.csv", PLAIN),
        ("1  Scope\n\nText, and more.\n\n2  Terms\n\nMore, and text, and so on.\n", "report.csv", PLAIN),
        ("<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'><body>x</body></html>", "a.xml", HTML),
    ],
)
def test_documents_are_not_taken_for_data(text: str, name: str, expected: str) -> None:
    """Prose stays a document, though it begins with a bracket, has many commas or is called a table."""
    assert detect(text.encode(), name=name) == expected
