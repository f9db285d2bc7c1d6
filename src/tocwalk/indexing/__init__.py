"""From what a server is sent to trees in the index: the steps of the graph `index`, one file each."""

from tocwalk.indexing.index_documents import index_documents
from tocwalk.indexing.outline_documents import outline_documents
from tocwalk.indexing.services import IndexServices
from tocwalk.indexing.state import IndexContext, IndexInput, IndexOutput, IndexState

__all__ = [
    "IndexContext",
    "IndexInput",
    "IndexOutput",
    "IndexServices",
    "IndexState",
    "index_documents",
    "outline_documents",
]
