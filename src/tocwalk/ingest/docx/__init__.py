"""Word documents: their text and headings."""

from tocwalk.ingest.docx.document import extract

__all__ = ["extract"]
