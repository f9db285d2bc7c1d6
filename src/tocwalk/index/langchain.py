"""Documents from LangChain documents whose metadata say how they form trees."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tocwalk.errors import HierarchyError
from tocwalk.index.cleaning import check_id
from tocwalk.tree import Document, JsonScalar, Section

if TYPE_CHECKING:
    from langchain_core.documents import Document as LangChainDocument

__all__ = ["GIVEN", "documents_from_langchain"]

GIVEN = "given"
"""Stands for the parser, and for how summaries were made, of what was handed over as it is."""

_OWN_KEYS = frozenset({"id", "parent_id", "source", "title", "summary", "number", "page_start", "page_end"})
_SHOWN = 10
_PAGES_END = 1 << 31


@dataclass(frozen=True, slots=True)
class _Node:
    """One LangChain document, read."""

    id: str
    parent: str | None
    title: str
    summary: str
    number: str | None
    page_start: int | None
    page_end: int | None
    source: str
    text: str
    metadata: Mapping[str, JsonScalar]


def documents_from_langchain(docs: Iterable[LangChainDocument]) -> list[Document]:
    """Return the trees that LangChain documents form, each one a document.

    The metadata of each give its `id` and, unless it is a document itself, its `parent_id`; optional are `title`
    (else the id is shown), `summary`, `number`, `page_start`, `page_end`, and for a document `source` (else its
    id). All other metadata that are strings, numbers, booleans or None are kept as metadata of the section or
    document, the rest is left out. `page_content` is the section's own text. A section's subsections, and the
    documents, come in the order given, wherever their parents stand.

    Raises:
        HierarchyError: An id is missing, blank, given twice or looks like that of a folder or group; a parent is
            missing; sections are below themselves (the way round is named); a value is of the wrong type; pages
            are not from 1 to 2^31 - 1 or end before they start; or something given is no LangChain document.
    """
    if not isinstance(docs, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise HierarchyError(f"{docs!r:.80} is no list of LangChain documents; give some.")
    nodes: dict[str, _Node] = {}
    for number, doc in enumerate(docs, 1):
        node = _node(number, doc)
        if node.id in nodes:
            raise HierarchyError(f"Two documents have the id {node.id!r}; ids must differ.")
        nodes[node.id] = node
    below: dict[str | None, list[_Node]] = {}
    for node in nodes.values():
        if node.parent is not None and node.parent not in nodes:
            raise HierarchyError(
                f"{node.id!r} has the parent {node.parent!r}, which is not there. Add it, or leave out `parent_id` if"
                f" {node.id!r} is a document."
            )
        below.setdefault(node.parent, []).append(node)
    trees = [list(_in_reading_order(root, below)) for root in below.get(None, [])]
    _refuse_cycles(nodes, {node.id for tree in trees for node, _ in tree})
    return [_document(tree) for tree in trees]


def _node(number: int, doc: LangChainDocument) -> _Node:
    given = _metadata(number, doc)
    own_id = given.get("id")
    if own_id is None:
        raise HierarchyError(f"Document number {number} of those given has no `id` in its metadata; give each one.")
    own_id = _string(own_id, "id", f"document number {number}")
    check_id(own_id)
    parent = given.get("parent_id")
    page_start, page_end = _pages(given, own_id)
    return _Node(
        id=own_id,
        parent=None if parent is None else _string(parent, "parent_id", own_id),
        title=_one_line(given.get("title"), "title", own_id) or own_id,
        summary=_string(given.get("summary") or "", "summary", own_id),
        number=_one_line(given.get("number"), "number", own_id) or None,
        page_start=page_start,
        page_end=page_end,
        source=_string(given.get("source") or own_id, "source", own_id),
        text=doc.page_content,
        metadata={key: value for key, value in given.items() if key not in _OWN_KEYS and _is_scalar(value)},
    )


def _metadata(number: int, doc: object) -> Mapping[str, Any]:
    """Return the metadata of what should be a LangChain document: anything may have been given."""
    metadata = getattr(doc, "metadata", None)
    if isinstance(metadata, Mapping) and isinstance(getattr(doc, "page_content", None), str):
        return cast("Mapping[str, Any]", metadata)
    raise HierarchyError(f"Number {number} of the documents given is {doc!r:.80}, no LangChain document; leave it out.")


def _string(value: object, key: str, owner: str) -> str:
    if not isinstance(value, str):
        raise HierarchyError(f"`{key}` of {owner!r} is {value!r}; give a string.")
    return value


def _one_line(value: object, key: str, owner: str) -> str:
    """Return a string with runs of white space as one space each; "" for None."""
    return "" if value is None else " ".join(_string(value, key, owner).split())


def _pages(given: Mapping[str, Any], owner: str) -> tuple[int | None, int | None]:
    start, end = (_page(given.get(key), key, owner) for key in ("page_start", "page_end"))
    if start is not None and end is not None and end < start:
        raise HierarchyError(f"{owner!r} ends on page {end}, before page {start} where it starts; mend one of them.")
    return start, end


def _page(value: object, key: str, owner: str) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value < _PAGES_END):
        return value
    raise HierarchyError(f"`{key}` of {owner!r} is {value!r}; pages are whole numbers from 1, below 2^31.")


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))


def _in_reading_order(root: _Node, below: Mapping[str | None, list[_Node]]) -> Iterator[tuple[_Node, int]]:
    """Yield the root and all below it, each with its depth."""
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting.extend((child, depth + 1) for child in reversed(below.get(node.id, ())))


def _refuse_cycles(nodes: Mapping[str, _Node], reached: set[str]) -> None:
    """Raise if some nodes are below no document: going up from them leads round in a circle."""
    at = next((node for node in nodes if node not in reached), None)
    way: dict[str, None] = {}
    while at is not None and at not in way:
        way[at] = None
        at = nodes[at].parent
    if at is None:
        return
    circle = [*list(way)[list(way).index(at) :], at]
    shown = circle if len(circle) <= _SHOWN else [*circle[:_SHOWN], "..."]
    raise HierarchyError(f"Sections are below themselves, each naming the next as its parent: {' -> '.join(shown)}.")


def _document(tree: list[tuple[_Node, int]]) -> Document:
    root = tree[0][0]
    sections: list[Section] = []
    start = 0
    for (node, depth), page_end in zip(tree, _last_pages(tree), strict=True):
        sections.append(_section(node, depth, start, page_end))
        start += len(node.text)
    return Document(
        id=root.id,
        title=root.title,
        source=root.source,
        media_type="text/plain",
        sha256=_digest(sections),
        sections=tuple(sections),
        pages=sections[0].page_end,
        metadata=root.metadata,
    )


def _section(node: _Node, depth: int, start: int, page_end: int | None) -> Section:
    return Section(
        id=node.id,
        parent=node.parent,
        depth=depth,
        title=node.title,
        number=node.number,
        text=node.text,
        start=start,
        summary=node.summary,
        page_start=node.page_start,
        page_end=page_end,
        found_by="given",
        metadata=node.metadata,
    )


def _last_pages(tree: list[tuple[_Node, int]]) -> list[int | None]:
    """Return for each node the page on which it, with all below it, ends: as given, or the last one known."""
    last = {node.id: node.page_end or node.page_start for node, _ in tree}
    for node, _ in reversed(tree):
        page = last[node.id]
        if node.parent in last and page is not None:
            last[node.parent] = max(page, last[node.parent] or page)
    return [node.page_end or last[node.id] for node, _ in tree]


def _digest(sections: list[Section]) -> str:
    """Return a digest of all that is in the sections: what decides whether a document has changed."""
    content = [dataclasses.asdict(one) for one in sections]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
