"""Landed sections as LangChain documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from langchain_core.documents import Document

__all__ = ["documents_of"]


def documents_of(sections: Iterable[Mapping[str, Any]]) -> list[Document]:
    """Return sections as LangChain documents, in the same order, which is best first.

    `page_content` is the text, and `id` the section's id. The metadata are the section's own and, before them, all
    else that a landed section has: `document`, `number`, `title`, `path`, `depth`, `page_start`, `page_end`,
    `label_start`, `label_end`, `stop_reason`, `score` (1.0: a section is chosen or it is not), `text_scope`, `source`.

    Args:
        sections: `sections` of a walk's output, in process or from a server.
    """
    return [_document(section) for section in sections]


def _document(section: Mapping[str, Any]) -> Document:
    standing = {key: value for key, value in section.items() if key not in ("text", "metadata")}
    return Document(id=section["id"], page_content=section["text"], metadata={**section["metadata"], **standing})
