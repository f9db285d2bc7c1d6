"""HTML pages: their text and headings."""

from tocwalk.ingest.html.page import extract

__all__ = ["extract"]
