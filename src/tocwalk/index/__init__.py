"""The index: documents as immutable trees in a database, read by walks as of one generation.

It needs SQLAlchemy; whoever wants to start fast imports it when it is needed.
"""

from tocwalk.index.langchain import documents_from_langchain
from tocwalk.index.location import default_location
from tocwalk.index.reader import TreeReader
from tocwalk.index.rows import DocumentRow, OutlineEntry, PutResult
from tocwalk.index.store import TreeIndex
from tocwalk.index.summary_cache import SummaryCache

__all__ = [
    "DocumentRow",
    "OutlineEntry",
    "PutResult",
    "SummaryCache",
    "TreeIndex",
    "TreeReader",
    "default_location",
    "documents_from_langchain",
]
