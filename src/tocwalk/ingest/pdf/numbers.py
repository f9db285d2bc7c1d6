"""Levels that bookmarks or indentation give, corrected where the numbers of the headings contradict them."""

from __future__ import annotations

from collections.abc import Sequence

from tocwalk.ingest.numbering import Label
from tocwalk.ingest.pdf.labels import labels_of
from tocwalk.ingest.pdf.model import Mark

__all__ = ["follow_numbers"]

_DECIMAL = "decimal"
_ANNEX = "annex"
_PARTS = 2
"""Parts of a number from which it says where it belongs: "1." may count anything, anywhere."""


def follow_numbers(marks: Sequence[Mark]) -> None:
    """Lift headings out of those that their numbers do not belong to, with what stands beside and below them.

    "3.1" is not within "1", nor "2.2" within "2.1"; "Appendix B" is not within an unnumbered heading of Appendix A.
    """
    labels = labels_of(mark.text for mark in marks)
    open_: list[tuple[int, Label]] = []
    lifted: list[tuple[int, int]] = []
    last_annex: int | None = None
    for mark, label in zip(marks, labels, strict=True):
        given = mark.level
        while lifted and given < lifted[-1][0]:
            lifted.pop()
        mark.level -= lifted[-1][1] if lifted else 0
        while open_ and open_[-1][0] >= mark.level:
            open_.pop()
        level = mark.level
        while open_ and (_contradicts(open_[-1][1], label) or _is_next_annex(open_[-1], label, last_annex)):
            level = open_.pop()[0]
        if level < mark.level:
            lifted.append((given, given - level))
            mark.level = level
        if label.keyword == _ANNEX:
            last_annex = mark.level
        open_.append((mark.level, label))


def _contradicts(above: Label, label: Label) -> bool:
    if above.kind != _DECIMAL or label.kind != _DECIMAL or len(label.value) < max(_PARTS, len(above.value)):
        return False
    return above.value != label.value[: len(above.value)] or len(above.value) == len(label.value)


def _is_next_annex(above: tuple[int, Label], label: Label, last_annex: int | None) -> bool:
    level, other = above
    return label.keyword == _ANNEX and level == last_annex and (other.number is None or other.keyword == _ANNEX)
