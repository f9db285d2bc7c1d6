"""Finding the gold of a case in the document's tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tocwalk.evals.cases import Case, Gold
from tocwalk.evals.folding import folded
from tocwalk.evals.outlines import DocumentTree
from tocwalk.tree import SectionHead

__all__ = ["FoundBy", "Target", "locate"]

FoundBy: TypeAlias = Literal["name", "evidence", "passage", "pages"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An entry of a case's gold, as it stands in the tree."""

    gold: Gold
    document: str
    found_by: FoundBy | None
    """`evidence`: no section has the name, but one holds the words. None: nothing in the tree is it."""
    positions: tuple[int, ...]
    """The sections that hold it: one for a section, those over which a passage runs, those on the pages."""
    pages: frozenset[int]
    """Physical, 1-based: those that the case names, else those of its sections; none without pages."""

    @property
    def is_section(self) -> bool:
        """Whether it is judged by sections; else by pages."""
        return self.gold.kind != "pages"


def locate(case: Case, tree: DocumentTree) -> tuple[Target, ...]:
    """Return the gold of a case, entry by entry, as it stands in the tree of its document."""
    return tuple(_target(gold, case.pages(gold), tree) for gold in case.gold)


def _target(gold: Gold, pages: frozenset[int], tree: DocumentTree) -> Target:
    found_by, positions = _find(gold, pages, tree)
    whole = gold.kind == "section"
    of_sections = {page for position in positions for page in tree.pages(tree.extent(position, whole=whole))}
    return Target(
        gold=gold,
        document=tree.id,
        found_by=found_by,
        positions=tuple(positions),
        pages=pages or frozenset(of_sections),
    )


def _find(gold: Gold, pages: frozenset[int], tree: DocumentTree) -> tuple[FoundBy | None, Sequence[int]]:
    if gold.kind == "pages":
        on_pages = [p for p in range(len(tree.heads)) if tree.pages(tree.extent(p, whole=False)) & pages]
        return ("pages" if on_pages else None), on_pages
    if gold.kind == "passage":
        held = _held(gold.passage or "", pages, tree)
        return ("passage" if held else None), held
    evidence = tree.holding(gold.evidence) if gold.evidence else []
    if named := _named(gold, tree.heads):
        return "name", [_best(named, evidence, pages, tree)]
    held = _held(gold.evidence or "", pages, tree)
    return ("evidence" if held else None), held


def _named(gold: Gold, heads: Sequence[SectionHead]) -> list[int]:
    """Return the sections that have the gold's name as exactly as any has.

    Of a number and a title both must be the same, wherever the parser put the number; else the title, where the section
    has no number; else the number, where one title begins like the other: parsers end long titles at different places.
    """
    number, title = folded(gold.number or ""), folded(gold.title or "")
    if not (number or title):
        return []  # a title of signs alone is told apart by nothing
    names = [(position, folded(head.number or ""), folded(head.title)) for position, head in enumerate(heads)]
    if not title:
        return [p for p, n, _ in names if n == number]
    if not number:
        return [p for p, n, t in names if title in (t, n + t)]
    whole = [p for p, n, t in names if n + t == number + title]
    bare = [p for p, n, t in names if t == title and not n]
    begun = [p for p, n, t in names if n == number and (t.startswith(title) or title.startswith(t))]
    return whole or bare or begun


def _best(named: Sequence[int], evidence: Sequence[range], pages: frozenset[int], tree: DocumentTree) -> int:
    """Return, of sections of one name, the one with the evidence, else on the pages, else the first."""

    def fits(position: int) -> tuple[bool, bool]:
        extent = tree.extent(position, whole=True)
        has_evidence = any(extent.start <= run.start and run.stop <= extent.end for run in evidence)
        return has_evidence, bool(tree.pages(extent) & pages)

    return max(named, key=fits)


def _held(words: str, pages: frozenset[int], tree: DocumentTree) -> Sequence[int]:
    """Return the sections over which the words run: where they stand on the pages, if anywhere, else first."""
    runs = tree.holding(words)
    on_pages = [run for run in runs if any(tree.pages(tree.extent(p, whole=False)) & pages for p in run)]
    return next(iter(on_pages or runs), ())
