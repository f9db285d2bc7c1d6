"""Documents of any size and shape, the same every time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from langchain_core.documents import Document as LangChainDocument

from tocwalk.ingest.extracted import Extracted, Heading
from tocwalk.ingest.structure import build_document
from tocwalk.tree import Document

__all__ = ["Outline", "document", "even", "many_documents", "two_of"]

Outline: TypeAlias = Iterable[tuple[int, str]]
"""Level (1 for the topmost) and title of each section, in reading order."""


def document(document_id: str, outline: Outline) -> Document:
    """Return a document with these sections, each with a line of text; its title is its id."""
    texts = [f"The document {document_id}.\n"]
    headings: list[Heading] = []
    length = len(texts[0])
    for level, title in outline:
        body = f"What there is to be said about {title} is said here, and nowhere else in the document.\n"
        headings.append(Heading(start=length, end=length + len(title) + 1, level=level, title=title))
        texts.append(f"{title}\n{body}")
        length += len(texts[-1])
    extracted = Extracted(text="".join(texts), headings=tuple(headings), media_type="text/plain", title=document_id)
    return build_document(extracted, document_id=document_id, source=document_id, sha256="0" * 64)


def two_of(width: int, levels: int, level: int = 1) -> Iterator[tuple[int, str]]:
    """Yield an outline in which the first two of every `width` sections have sections below, `levels` deep."""
    for position in range(1, width + 1):
        yield level, f"Part {position}"
        if position <= 2 and level < levels:
            yield from two_of(width, levels, level + 1)


def even(widths: Sequence[int], level: int = 1, name: str = "Part") -> Iterator[tuple[int, str]]:
    """Yield an outline with `widths[0]` sections, each with `widths[1]` sections below it, and so on."""
    for position in range(1, widths[0] + 1):
        title = f"{name} {position}" if level == 1 else f"{name}.{position}"
        yield level, title
        if len(widths) > 1:
            yield from even(widths[1:], level + 1, title)


def many_documents(folders: int, documents: int, sections: int) -> Iterator[LangChainDocument]:
    """Yield so many folders of so many documents of so many sections, for `TreeIndex.add_langchain`."""
    for folder in range(folders):
        for number in range(documents):
            root = f"folder-{folder:03}/document-{number:04}"
            yield LangChainDocument(f"{root}\n", metadata={"id": root, "title": f"Document {folder}-{number}"})
            for section in range(1, sections + 1):
                given = {"id": f"{root}/{section}", "parent_id": root, "title": f"Part {section}"}
                yield LangChainDocument(f"Part {section} of {root}.\n", metadata=given)
