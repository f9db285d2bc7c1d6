"""PDF documents: their text, headings and pages."""

from tocwalk.ingest.pdf.extract import extract

__all__ = ["extract"]
