"""Two small documents that tests of the evaluation ask about, and how to make others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tocwalk.evals import Case, Evaluation, Plan, Report, evaluate, evaluation_record
from tocwalk.evals.outlines import DocumentTree, Library
from tocwalk.index import TreeIndex
from tocwalk.state import WalkContext
from tocwalk.tree import Document, Section

__all__ = [
    "CHARTER",
    "LEASE",
    "Row",
    "case",
    "document",
    "evaluated",
    "indexed",
    "record",
    "tree_of",
    "without_seconds",
]


class Row(NamedTuple):
    """A section to be made: the depth says what it stands below."""

    depth: int
    number: str | None
    title: str
    body: str = ""
    page: int | None = None
    last_page: int | None = None


LEASE = (
    Row(0, None, "Lease of a Mill", page=1, last_page=9),
    Row(1, "1", "Rent", "Money changes hands monthly.\n", 1, 4),
    Row(2, "1.1", "Amount", "Forty crowns and a sack of flour.\n", 2, 2),
    Row(2, "1.2", "Being Late", "A week costs a crown; a month the lease.\n", 2, 4),
    Row(1, "2", "Repairs", "", 5, 7),
    Row(2, "2.1", "Roof", "The landlord keeps the rain out.\n", 5, 5),
    Row(2, "2.2", "Wheel", "The miller greases the wheel and the cogs.\n", 6, 7),
    Row(1, "3", "General", "", 8, 9),
    Row(2, "3.1", "Notices", "Letters go to the mill.\n", 8, 8),
    Row(2, "3.2", "General", "The law of the land is the law of the lease.\n", 9, 9),
)

CHARTER = (
    Row(0, None, "Charter of Ponds"),
    Row(1, None, "Ducks", "Ducks may cross the water first.\n"),
    Row(1, None, "Frogs", "Frogs are counted in spring, by the landlord.\n"),
)


def document(id_: str, rows: Iterable[Row]) -> Document:
    """Return a document of these sections."""
    sections: list[Section] = []
    path: list[Section] = []
    start = 0
    for row in rows:
        del path[row.depth :]
        heading = f"{row.number} {row.title}\n" if row.number else f"{row.title}\n"
        above = path[-1].id if path else None
        section = Section(
            id=f"{above}/{len(sections)}" if above else id_,
            parent=above,
            depth=row.depth,
            number=row.number,
            title=row.title,
            text=heading + row.body,
            start=start,
            heading=len(heading),
            page_start=row.page,
            page_end=row.last_page,
        )
        start = section.end
        sections.append(section)
        path.append(section)
    return Document(
        id=id_, title=sections[0].title, source=id_, media_type="text/plain", sha256="0", sections=tuple(sections)
    )


def indexed(path: Path, **documents: Sequence[Row]) -> TreeIndex:
    """Return an index of documents, named by their ids with "__" for a folder's end."""
    index = TreeIndex(path)
    for name, rows in documents.items():
        index.put(document(f"{name.replace('__', '/')}.txt", rows))
    return index


def tree_of(path: Path, rows: Sequence[Row]) -> DocumentTree:
    """Return the tree of one document, as an index gives it."""
    with indexed(path, lease=rows) as index:
        return Library(index, "default").tree("lease.txt")


def case(question: str, *gold: dict[str, Any], doc: str = "lease", **more: Any) -> Case:
    """Return a case."""
    return Case.model_validate({"id": question, "doc": doc, "question": question, "gold": gold, **more})


def evaluated(cases: Sequence[Case], index: TreeIndex, *, navigator: object | None = None, **plan: Any) -> Evaluation:
    """Ask the cases."""
    settings = WalkContext(**plan.pop("settings", {}))
    return evaluate(Plan(cases=cases, settings=settings, **plan), index, navigator=navigator)


def record(cases: Sequence[Case], index: TreeIndex, **how: Any) -> dict[str, Any]:
    """Ask the cases, and return the outcome as JSON values."""
    return evaluation_record(Report(evaluated(cases, index, **how)))


def without_seconds(value: Any) -> Any:
    """Return JSON values without the times in them, which are never the same."""
    if isinstance(value, dict):
        return {key: without_seconds(inner) for key, inner in value.items() if key != "seconds"}
    return [without_seconds(inner) for inner in value] if isinstance(value, list) else value
