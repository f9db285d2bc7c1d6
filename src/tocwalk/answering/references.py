"""Cross-references: what a text refers to ("see Note 12", "Article 30", 'see "Leave"'), found in its document.

No model is asked. A reference is resolved only where it is plain: exactly one section has this number or title, or
exactly one of them stands nearest to where the reference is made.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tocwalk.ingest.numbering import ANNEX_KEYWORDS, KEYWORDS, Label, split_label
from tocwalk.tree import SectionHead

__all__ = ["Headings", "Reference", "find_references"]

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
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})*")
_Name: TypeAlias = tuple[Hashable, ...]
"""By which a section is called: its title, its anchor, or the word and the value of its number; the kind first."""
_AROUND = 80  # characters of the text shown on either side


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference from one section to another of the same document."""

    mention: str
    """As the text puts it, with some of what stands around it."""
    target: SectionHead


class Headings:
    """The sections of one document, by what a text may call them. Make it once for all texts of the document."""

    def __init__(self, outline: Sequence[SectionHead]) -> None:
        """Take all sections of the document, in reading order, the document first."""
        self._outline = outline
        self._above = _parents(outline)
        self._called: dict[_Name, list[SectionHead]] = {}
        for head in outline[1:]:
            names: list[_Name] = [("title", _folded(head.title))]
            if head.number:
                names.append(("number", *_key(head.number)))
            if anchor := head.metadata.get("anchor"):
                names.append(("anchor", str(anchor)))
            for name in names:
                self._called.setdefault(name, []).append(head)

    def called(self, name: _Name) -> Sequence[SectionHead]:
        """Return the sections of a name; for a number those with its word in it, else those printed without any."""
        found = self._called.get(name, [])
        if not found and name[0] == "number" and (name[1] in _LOOSE or not name[1]):
            found = self._called.get(("number", "", name[2]), [])
        return found

    def around(self, source: SectionHead) -> Sequence[SectionHead]:
        """Return a section and those it stands in."""
        found: list[SectionHead] = []
        position: int | None = source.position
        while position is not None:
            found.append(self._outline[position])
            position = self._above[position]
        return found


def find_references(text: str, source: SectionHead, headings: Headings) -> list[Reference]:
    """Return what a section's text refers to, in the order of the text, each target once.

    Args:
        text: The section's own text.
        source: The section.
        headings: Of its document.
    """
    found: dict[str, Reference] = {}
    around = headings.around(source)
    # A text may call a thousand sections by one name a thousand times.
    targets: dict[_Name, SectionHead | None] = {}
    for start, end, name in sorted(_mentions(text), key=lambda one: one[0]):
        if name not in targets:
            targets[name] = _nearest(headings.called(name), around)
        target = targets[name]
        if target is not None and not _around(target, source):
            found.setdefault(target.id, Reference(_context(text, start, end), target))
    return list(found.values())


def _parents(outline: Sequence[SectionHead]) -> list[int | None]:
    """Return for each section the position of the one directly above it."""
    parents: list[int | None] = []
    open_: list[SectionHead] = []
    for head in outline:
        while open_ and not _around(open_[-1], head):
            open_.pop()
        parents.append(open_[-1].position if open_ else None)
        open_.append(head)
    return parents


def _mentions(text: str) -> Iterator[tuple[int, int, _Name]]:
    for match in _MENTION.finditer(text):
        if _ELSEWHERE.match(text, match.end()):
            continue
        keyword = "section" if match["keyword"].startswith("§") else match["keyword"]
        for value in [match["first"], *_IN_LIST.findall(match["more"])]:
            yield match.start(), match.end(), ("number", *_key(f"{keyword} {value}"))
    for match in _QUOTED.finditer(text):
        yield match.start(), match.end(), ("title", _folded(match[1]))
    for match in _ANCHOR.finditer(text):
        yield match.start(), match.end(), ("anchor", next(filter(None, match.groups())))


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


def _nearest(candidates: Sequence[SectionHead], around: Sequence[SectionHead]) -> SectionHead | None:
    """Return the candidate that stands in most of the sections `around`; None if there is none, or several do."""
    levels = [sum(_around(head, one) for head in around) for one in candidates]
    most = max(levels, default=0)
    best = [one for one, shared in zip(candidates, levels, strict=True) if shared == most]
    return best[0] if len(best) == 1 else None


def _around(outer: SectionHead, inner: SectionHead) -> bool:
    """Whether `inner` is `outer` or stands below it."""
    return outer.position <= inner.position < outer.end


def _folded(title: str) -> str:
    return " ".join(title.split()).rstrip(".,").casefold()


def _context(text: str, start: int, end: int) -> str:
    return " ".join(text[max(0, start - _AROUND) : end + _AROUND].split())
