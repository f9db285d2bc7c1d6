"""One file's bytes to one document, in the process this is called in."""

from __future__ import annotations

import hashlib
from typing import Literal, TypeAlias

from tocwalk.errors import IngestError
from tocwalk.ingest.detect import detect
from tocwalk.ingest.formats import reader_for
from tocwalk.ingest.structure import build_document
from tocwalk.tree import Document

__all__ = ["Summaries", "parse_bytes"]

Summaries: TypeAlias = Literal["lead", "none"]
"""`lead`: the first real sentence, key terms and the titles below; `none`: none."""


def parse_bytes(data: bytes, *, name: str, document_id: str, source: str, summaries: Summaries) -> Document:
    """Return the document that a file's bytes hold.

    Hostile bytes can exhaust memory, hang or kill the process: `read_document` calls this in a process of its own.

    Args:
        data: The whole file.
        name: The file's name.
        document_id: The path below the indexed root, with "/" between its parts.
        source: Where it came from.
        summaries: Which summaries the sections get.

    Raises:
        IngestError: The bytes cannot become a document; `reason` says why.
    """
    extracted = reader_for(detect(data, name=name))(data, name=name)
    if not extracted.text.strip():
        raise IngestError(f"{name!r} holds no text.", reason="empty_file")
    sha256 = hashlib.sha256(data).hexdigest()
    document = build_document(extracted, document_id=document_id, source=source, sha256=sha256)
    if summaries == "none":
        return document
    from tocwalk.ingest.summaries import lead_summaries

    return lead_summaries(document)
