"""Small documents for the tests of the index, and what processes of their own do with them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tocwalk.index import PutResult, TreeIndex
from tocwalk.tree import Document, JsonScalar, Section

__all__ = ["documents", "make_document", "put", "put_forever", "put_once", "two_chapters"]


def make_document(
    document_id: str,
    outline: Iterable[tuple[int, str, str]] = (),
    *,
    source: str | None = None,
    sha256: str = "1",
    metadata: Mapping[str, JsonScalar] | None = None,
) -> Document:
    """Return a document with a section for each (depth, title, body) of the outline, in reading order below the root.

    A section's id is its parent's, "/" and its title; its text the title's line and the body.
    """
    sections: list[Section] = []
    path: list[str] = []
    start = 0
    for depth, title, body in [(0, document_id, ""), *outline]:
        del path[depth:]
        parent = path[-1] if path else None
        own = title if parent is None else f"{parent}/{title}"
        text = f"{title}\n{body}"
        sections.append(
            Section(
                id=own, parent=parent, depth=depth, title=title, text=text, start=start, heading=len(title) + 1,
                summary=f"About {title}.", page_start=len(sections) + 1, page_end=len(sections) + 1,
            )
        )  # fmt: skip
        path.append(own)
        start += len(text)
    return Document(
        id=document_id,
        title=f"Title of {document_id}",
        source=source or f"/files/{document_id}",
        media_type="text/plain",
        sha256=sha256,
        sections=tuple(sections),
        metadata=metadata or {},
    )


def two_chapters(document_id: str, version: int = 1, **fields: Any) -> Document:
    """Return a document of two chapters, the first with two sections; its texts name the version."""
    text = f"text {version}\n"
    outline = [(1, "one", text), (2, "a", text), (2, "b", text), (1, "two", text)]
    return make_document(document_id, outline, sha256=str(version), **fields)


def put(index: TreeIndex, document: Document, corpus: str = "default") -> PutResult:
    """Store a document as the same parser would make it each time."""
    return index.put(document, corpus=corpus, parser_version="1", summaries="lead")


@st.composite
def documents(draw: st.DrawFn, document_id: str = "doc") -> Document:
    """Documents of up to 26 sections of any shape, with blank bodies and letters of several bytes among them."""
    steps = draw(st.lists(st.integers(0, 3), max_size=25))
    bodies = st.sampled_from(["", " \n", "Some words.\n", "Ein größerer Satz – ¶\n", "第一条\n"])
    depth = 0
    outline: list[tuple[int, str, str]] = []
    for number, up in enumerate(steps):
        depth = max(1, depth + 1 - up)
        outline.append((depth, f"s{number}", draw(bodies)))
    return make_document(document_id, outline)


def put_once(location: Path, document: Document, results: Connection) -> None:
    """In a process of its own: wait for a word on the pipe, store a document, and send back what came of it."""
    with TreeIndex(location) as index:
        results.send("ready")
        results.recv()
        results.send(put(index, document).status)


def put_forever(location: Path, versions: list[Document], started: Connection) -> None:
    """In a process of its own: replace a document by its versions in turn until killed; say when it begins."""
    index = TreeIndex(location)
    started.send("ready")
    for number, document in enumerate(itertools.cycle(versions)):
        put(index, dataclasses.replace(document, sha256=str(number)))
