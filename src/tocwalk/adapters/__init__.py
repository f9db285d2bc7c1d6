"""The walk as LangChain programs know such things: a retriever, a tool, documents."""

from tocwalk.adapters.documents import documents_of
from tocwalk.adapters.retriever import SectionRetriever
from tocwalk.adapters.tool import section_tool

__all__ = ["SectionRetriever", "documents_of", "section_tool"]
