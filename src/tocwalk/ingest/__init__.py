"""From files to documents: readers for each format, one structure for all, in processes with limits."""

from __future__ import annotations

from tocwalk.ingest.files import file_sha256
from tocwalk.ingest.limits import Limits
from tocwalk.ingest.read import ParserPool, read_document

__all__ = ["PARSER_VERSION", "Limits", "ParserPool", "file_sha256", "read_document"]

PARSER_VERSION = "6"
"""Grows whenever the same bytes may give another tree: a document counts as unchanged only under the same version."""
