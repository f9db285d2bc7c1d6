"""HTML pages: their text and headings."""

from tocwalk.ingest.html.page import MAX_DEPTH, extract

__all__ = ["MAX_DEPTH", "extract"]
