"""Cross-references: what a text refers to ("see Note 12", "Article 30", 'see "Leave"'), found in its document.

No model is asked. A reference is resolved only where it is plain: exactly one section has this number or title, or
exactly one of them stands nearest to where the reference is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tocwalk.ingest.numbering import ANNEX_KEYWORDS, KEYWORDS, Label, split_label
from tocwalk.tree import SectionHead

__all__ = ["Reference", "find_references"]

_LOOSE = frozenset({"section", "clause", "item", "rule", "note", "chapter", "part"})
"""Words whose headings are often printed with the number alone: "4.2 Supervision" is section 4.2."""

_WORDS = {word for row in KEYWORDS for word in row} | set(ANNEX_KEYWORDS)
_KEYWORD = "|".join(re.escape(word) for word in sorted(_WORDS, key=len, reverse=True) if word.isalpha())
_VALUE = r"(?:[A-Z]\.)?\d{1,4}[a-z]?(?:\.\d{1,3})*|[IVXLC]+|[A-Z]"
_MENTION = re.compile(
    rf"""(?<!\],[ \n])(?<![\w§])(?P<keyword>(?i:{_KEYWORD})|§§?)(?i:e?s)?\.?[ \t\u00a0]*\n?[ \t\u00a0]*
        (?P<first>{_VALUE})(?!\w)
        (?P<more>(?:(?:\([a-z0-9]+\))*(?:,[ \n]+|,?[ \n]+(?:and|or|und|et|y|to)[ \n]+)(?:{_VALUE})(?!\w))*)""",
    re.VERBOSE,
)
_IN_LIST = re.compile(rf"(?<![\w.(])(?:{_VALUE})(?![\w)])")
_ELSEWHERE = re.compile(
    r"""(?:\([a-z0-9]+\)|[ \n])*(?:,[ \n]+)?(?:of|to|in)[ \n]+(?:the[ \n]+)?
        (?:\[|(?:Regulation|Directive|Decision|Treaty|Convention|Council|Charter|Protocol|RFC)\b
            |(?:[A-Z][\w'’-]*[ \n]+(?:(?:of|and|for|on|the)[ \n]+)*){1,8}(?:Act|Code|Law|Rules|Regulations?)\b)""",
    re.VERBOSE,
)
# As Markdown, kramdown-rfc, AsciiDoc and reStructuredText write a link to a heading.
_ANCHOR = re.compile(
    r"\]\(#([^)\s]+)\)|\{\{#?([^\s{}]+)\}\}|<<#?([^\s,<>]+)(?:,[^<>]*)?>>|:ref:`(?:[^`<]*<)?([^`<>]+)>?`"
)
_QUOTED = re.compile(
    '["\u201c\u201e\u00ab]([^"\u201c\u201d\u00bb\n]{2,120}(?:\n[^"\u201c\u201d\u00bb\n]{1,120})?)["\u201d\u201c\u00bb]'
)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_AROUND = 80  # characters of the text shown on either side


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference from one section to another of the same document."""

    mention: str
    """As the text puts it, with some of what stands around it."""
    target: SectionHead


def find_references(text: str, source: SectionHead, outline: Sequence[SectionHead]) -> list[Reference]:
    """Return what a section's text refers to, in the order of the text, each target once.

    Args:
        text: The section's own text.
        source: The section.
        outline: All sections of its document, in reading order, the document first.
    """
    found: dict[str, Reference] = {}
    for start, end, candidates in sorted(_mentions(text, _Outline(outline)), key=lambda one: one[0]):
        target = _nearest(candidates, source, outline)
        if target is not None and not _around(target, source):
            found.setdefault(target.id, Reference(_context(text, start, end), target))
    return list(found.values())


class _Outline:
    """The sections of a document by number, title and anchor."""

    def __init__(self, heads: Sequence[SectionHead]) -> None:
        self._numbered: dict[tuple[str, tuple[int, ...] | str], list[SectionHead]] = {}
        self._titled: dict[str, list[SectionHead]] = {}
        self._anchored: dict[str, list[SectionHead]] = {}
        for head in heads[1:]:
            if head.number:
                self._numbered.setdefault(_key(head.number), []).append(head)
            if anchor := head.metadata.get("anchor"):
                self._anchored.setdefault(str(anchor), []).append(head)
            self._titled.setdefault(_folded(head.title), []).append(head)

    def numbered(self, keyword: str, value: str) -> list[SectionHead]:
        """Return the sections of this number: those with the word in it, else those printed without any."""
        kind, number = _key(f"{keyword} {value}")
        found = self._numbered.get((kind, number), [])
        if not found and (kind in _LOOSE or not kind):
            found = self._numbered.get(("", number), [])
        return found

    def titled(self, title: str) -> list[SectionHead]:
        """Return the sections of this title."""
        return self._titled.get(_folded(title), [])

    def anchored(self, anchor: str) -> list[SectionHead]:
        """Return the sections of this anchor."""
        return self._anchored.get(anchor, [])


def _mentions(text: str, outline: _Outline) -> Iterator[tuple[int, int, list[SectionHead]]]:
    for match in _MENTION.finditer(text):
        if _ELSEWHERE.match(text, match.end()):
            continue
        keyword = "section" if match["keyword"].startswith("§") else match["keyword"]
        for value in [match["first"], *_IN_LIST.findall(match["more"])]:
            yield match.start(), match.end(), outline.numbered(keyword, value)
    for match in _QUOTED.finditer(text):
        yield match.start(), match.end(), outline.titled(match[1])
    for match in _ANCHOR.finditer(text):
        yield match.start(), match.end(), outline.anchored(next(filter(None, match.groups())))


def _key(number: str) -> tuple[str, tuple[int, ...] | str]:
    """Return the word and the value of a number, so that "NOTE 4", "Note IV" and "note 4" are one."""
    bare = number.strip().rstrip(".")
    if _NUMBER.fullmatch(bare):
        return "", tuple(map(int, bare.split(".")))
    label: Label = split_label(bare)
    if label.keyword and label.value and not label.title:
        letter = re.search(r"\d([a-z])$", bare)  # "Article 6a" is not Article 6
        return label.keyword, label.value if letter is None else f"{label.value}{letter[1]}"
    return "", bare.casefold()


def _nearest(
    candidates: Sequence[SectionHead], source: SectionHead, outline: Sequence[SectionHead]
) -> SectionHead | None:
    """Return the candidate that shares most levels with the source; None if there is none, or several do."""
    if not candidates:
        return None
    shared = [_shared_levels(one, source, outline) for one in candidates]
    best = [one for one, levels in zip(candidates, shared, strict=True) if levels == max(shared)]
    return best[0] if len(best) == 1 else None


def _shared_levels(one: SectionHead, other: SectionHead, outline: Sequence[SectionHead]) -> int:
    return sum(_around(head, one) and _around(head, other) for head in outline)


def _around(outer: SectionHead, inner: SectionHead) -> bool:
    """Whether `inner` is `outer` or stands below it."""
    return outer.position <= inner.position < outer.end


def _folded(title: str) -> str:
    return " ".join(title.split()).rstrip(".,").casefold()


def _context(text: str, start: int, end: int) -> str:
    return " ".join(text[max(0, start - _AROUND) : end + _AROUND].split())
