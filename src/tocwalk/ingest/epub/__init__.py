"""EPUB books: their text and headings."""

from tocwalk.ingest.epub.book import extract

__all__ = ["extract"]
