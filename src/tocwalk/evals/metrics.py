"""How well what landed fits the gold of a case: pure functions.

Every measure of a case is a part, `(numerator, denominator)`; over many cases it is the sum of the numerators by the
sum of the denominators, so that means, shares and ratios are one thing. A case that says nothing of a measure has the
denominator 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tocwalk.evals.gold import Target
from tocwalk.evals.outlines import Extent

__all__ = ["QUALITY", "Found", "Landed", "Part", "correct", "found", "gold_sections", "quality", "total"]

Part: TypeAlias = tuple[float, float]
Found: TypeAlias = Literal["itself", "inside"]
"""`itself`: it landed, or lies in gold that landed. `inside`: it lies in a landed section that is not gold."""

NOTHING: Part = (0.0, 0.0)

QUALITY: Mapping[str, str] = {
    "section_recall": "gold found, itself or inside a landed section; mean of the cases with gold sections or passages",
    "section_recall_itself": "gold that landed itself",
    "section_recall_inside": "gold that lies inside a landed section which is not gold",
    "section_precision": "landed sections that are gold or hold gold; mean of those cases in which something landed",
    "page_recall": "gold pages on which a landed section stands; mean of the cases with gold pages",
    "page_precision": "landed pages that are gold; mean of those cases in which a section with pages landed",
    "exact": "cases in which all gold landed itself and nothing else did, or nothing where there is none",
    "first_landing": "cases with gold in which the first landed section is gold or holds gold",
    "abstained": "cases in which nothing landed",
    "abstention_right": "cases without gold in which nothing of their document landed",
    "abstention_wrong": "cases with gold in which nothing landed",
    "landed_sections": "sections landed a case",
    "landed_tokens": "tokens landed a case, of cases with gold sections or passages",
    "gold_tokens": "tokens of the gold, landed whole, a case",
    "token_density": "tokens landed by tokens of the gold",
    "landed_pages": "pages landed a case, of cases with gold pages",
    "gold_pages": "pages of the gold a case",
    "page_density": "pages landed by pages of the gold",
}
"""What `quality` measures, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """A landed section, as far as it is measured."""

    extent: Extent
    """The sections whose text it came with; the first is the section itself."""
    pages: frozenset[int]
    tokens: int


def quality(
    targets: Sequence[Target], landed: Sequence[Landed], *, document: str, gold_tokens: int, failed: bool = False
) -> dict[str, Part]:
    """Return the parts of all measures of quality of one case.

    Args:
        targets: The gold; none where nothing should land.
        landed: What landed, best first.
        document: That of the case. Where it holds no gold nothing is known of other documents: a landing in one of
            them is no mistake.
        gold_tokens: Size of the gold's text; 0 where it is not known.
        failed: The navigator gave no answer: that is wrong whatever the gold is, and says nothing of density.
    """
    sections = [target for target in targets if target.is_section]
    astray = [one for one in landed if one.extent.document == document] if not targets else []
    nothing = not landed and not failed
    return {
        **_sections(sections, landed),
        **_pages(targets, landed),
        "exact": _share(not failed and not astray and _is_exact(sections, landed), of=len(sections) == len(targets)),
        "first_landing": _share(bool(landed) and correct(landed[0], targets), of=bool(targets)),
        "abstained": _share(nothing, of=True),
        "abstention_right": _share(not failed and not astray, of=not targets),
        "abstention_wrong": _share(nothing, of=bool(targets)),
        "landed_sections": (len(landed), 1.0),
        **_density("tokens", sum(one.tokens for one in landed), gold_tokens, of=bool(sections) and not failed),
        **_density("pages", len(_pages_of(landed)), len(_pages_of(targets)), of=not failed),
    }


def total(parts: Iterable[Part]) -> float | None:
    """Return what a measure comes to over many cases; None where none of them says anything of it."""
    pairs = list(parts)
    whole = sum(part[1] for part in pairs)
    return sum(part[0] for part in pairs) / whole if whole else None


def found(target: Target, landed: Iterable[Landed], gold: Collection[tuple[str, int]]) -> Found | None:
    """Return how a target of sections landed; None where the text of one of its sections did not.

    Args:
        target: An entry of the gold.
        landed: What landed.
        gold: What `gold_sections` returns for the whole case.
    """
    around = [[one.extent for one in landed if one.extent.covers(target.document, p)] for p in target.positions]
    if not around or not all(around):
        return None
    in_gold = all(any(extent[:2] in gold for extent in extents) for extents in around)
    return "itself" if in_gold and target.found_by != "evidence" else "inside"


def gold_sections(targets: Iterable[Target]) -> set[tuple[str, int]]:
    """Return document and position of each section that is gold; one that only holds gold is not."""
    return {
        (target.document, position)
        for target in targets
        if target.is_section and target.found_by != "evidence"
        for position in target.positions
    }


def correct(landed: Landed, targets: Iterable[Target]) -> bool:
    """Whether a landed section is gold or holds some; for gold pages, whether it stands on one."""
    return any(_fits(landed, target) for target in targets)


def _fits(landed: Landed, target: Target) -> bool:
    if target.is_section:
        return any(landed.extent.covers(target.document, position) for position in target.positions)
    return landed.extent.document == target.document and not landed.pages.isdisjoint(target.pages)


def _sections(targets: Sequence[Target], landed: Sequence[Landed]) -> dict[str, Part]:
    """Return recall and precision by sections; nothing is said where the gold is pages, or there is none."""
    gold = gold_sections(targets)
    ways = [found(target, landed, gold) for target in targets]
    itself, inside = (ways.count(way) / len(ways) if ways else 0.0 for way in ("itself", "inside"))
    said = float(bool(targets))
    right = sum(correct(one, targets) for one in landed)
    return {
        "section_recall": (itself + inside, said),
        "section_recall_itself": (itself, said),
        "section_recall_inside": (inside, said),
        "section_precision": (right / len(landed), 1.0) if landed and targets else NOTHING,
    }


def _pages(targets: Sequence[Target], landed: Sequence[Landed]) -> dict[str, Part]:
    gold, reached = _pages_of(targets), _pages_of(landed)
    both = len(gold & reached)
    return {
        "page_recall": (both / len(gold), 1.0) if gold else NOTHING,
        "page_precision": (both / len(reached), 1.0) if gold and reached else NOTHING,
    }


def _is_exact(targets: Sequence[Target], landed: Sequence[Landed]) -> bool:
    gold = gold_sections(targets)
    all_found = all(found(target, landed, gold) == "itself" for target in targets)
    return all_found and (not targets or all(one.extent[:2] in gold for one in landed))


def _density(what: str, landed: int, gold: int, *, of: bool) -> dict[str, Part]:
    """Return sizes and their ratio; nothing is said where the gold has no size."""
    if not (of and gold):
        return {f"landed_{what}": NOTHING, f"gold_{what}": NOTHING, f"{_ONE[what]}_density": NOTHING}
    return {f"landed_{what}": (landed, 1.0), f"gold_{what}": (gold, 1.0), f"{_ONE[what]}_density": (landed, gold)}


_ONE = {"tokens": "token", "pages": "page"}


def _pages_of(things: Iterable[Target | Landed]) -> set[tuple[str, int]]:
    """Return documents and pages."""
    return {
        (thing.document if isinstance(thing, Target) else thing.extent.document, page)
        for thing in things
        for page in thing.pages
    }


def _share(holds: bool, *, of: bool) -> Part:
    """Return the part of a measure that holds for a case or not; `of`: whether the case says anything of it."""
    return (float(holds and of), float(of))
