"""Reading one file without an index."""

from __future__ import annotations

from pathlib import Path

from tocwalk.indexing.folders import document_id_of
from tocwalk.ingest import read_document
from tocwalk.ingest.parse import Summaries
from tocwalk.tree import Document

__all__ = ["parse_alone"]


def parse_alone(path: Path, *, summaries: Summaries) -> Document:
    """Return the document in one file.

    Raises:
        IngestError: It cannot become a document.
    """
    absolute = path.absolute()
    return read_document(path, document_id=document_id_of(absolute, absolute.parent), summaries=summaries)
