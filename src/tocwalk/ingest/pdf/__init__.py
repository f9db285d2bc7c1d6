"""PDF documents: their text, headings and pages."""

from tocwalk.ingest.pdf.extraction import extract

__all__ = ["extract"]
