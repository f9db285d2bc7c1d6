"""Files of data: written as text, but nothing that anybody reads from a heading to the next."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from itertools import islice
from pathlib import PurePath

__all__ = ["data_kind", "is_table"]

_XML = re.compile(r"\s*<(?:\?xml\b|svg\b)", re.IGNORECASE)
_JSON_BEGIN = re.compile(r'\s*(?:\{\s*["}]|\[\s*["{\[\]\d-])')
_LINES = 100
"""Looked at; a file of values is one from its first line."""
_FEWEST_LINES = 5
_FEWEST_FIELDS = 3
_LONGEST_FIELD = 60
"""Characters of a field on average: more are sentences."""
_TABLES = (".csv", ".tsv")


def data_kind(sample: str, *, read: Callable[[], str]) -> str | None:
    """Return what kind of data a file is, None if it may be a document.

    XML that is no page is data: what its elements mean is not known.

    Args:
        sample: The beginning of its text.
        read: Returns all of its text; called where the beginning looks like JSON.
    """
    if _XML.match(sample):
        return "XML"
    if _JSON_BEGIN.match(sample) and (_is_json(text := read()) or _is_json_lines(text)):
        return "JSON"
    return None


def is_table(text: str, *, name: str) -> bool:
    """Tell whether a text is a table of comma-, semicolon- or tab-separated values.

    Every row has as many fields as the first. Where the name does not say that it is one, there must be some rows of
    several short fields: two lines of prose may well have a comma each.
    """
    named = PurePath(name).suffix.lower() in _TABLES
    lines = [line for line in islice(text.splitlines(), _LINES) if line.strip()]
    if len(lines) < (1 if named else _FEWEST_LINES):
        return False
    return any(_is_separated(lines, mark, fewest=2 if named else _FEWEST_FIELDS) for mark in ",;\t")


def _is_separated(lines: list[str], mark: str, *, fewest: int) -> bool:
    try:
        rows = list(csv.reader(lines, delimiter=mark))
    except csv.Error:
        return False
    fields = len(rows[0])
    length = sum(map(len, lines)) / sum(map(len, rows))
    # The last row may go on behind the lines looked at.
    return fields >= fewest and length <= _LONGEST_FIELD and all(len(row) == fields for row in rows[:-1] or rows)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def _is_json_lines(text: str) -> bool:
    lines = [line for line in islice(text.splitlines(), _LINES) if line.strip()]
    return len(lines) > 1 and all(map(_is_json, lines))
