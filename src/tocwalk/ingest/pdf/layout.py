"""Headings by how they look: fonts, numbers and what stands around them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tocwalk.ingest.pdf.alignment import Alignment
from tocwalk.ingest.pdf.assemble import Words, is_fixed
from tocwalk.ingest.pdf.candidates import Candidate, find_candidates
from tocwalk.ingest.pdf.looks import FLOAT, Body, Look, Strength
from tocwalk.ingest.pdf.model import Line, Style

__all__ = ["find_headings"]

_FEW = 3
"""Looks with fewer members than this are taken for variants of another in colour or capitals."""
_MOST, _NEARLY_ALL = 0.5, 0.9
_DOUBTFUL = frozenset({"", "parenthesised", "decimal1", "letter", "roman", "small-letter", "small-roman"})
"""What bold paragraphs of a list may be numbered with, too."""
_FOLLOWED = 0.7
_NEAR = 4.5
"""Times the font size: how far below a heading its text begins."""
_SMALLER = 1.1
_INDENTED, _TIGHT = 6.0, 1.7
"""Points by which a definition is indented below its term; times the font size: how close it stands."""
_MANY = 10
"""Headings that share their looks with others, from which one with a look of its own is suspect."""
_COVER_LINES, _LONG = 3, 50
"""Lines, and characters in each, of running text from which a page is no cover."""


def find_headings(lines: Sequence[Line], body: Body, words: Words) -> list[Candidate]:
    """Return the candidates that are headings, in reading order."""
    found, styles = find_candidates(lines, body, words)
    begin = _first_page(lines, body)
    inside = [candidate for candidate in found if lines[candidate.first].page >= begin]
    items = [candidate for candidate in inside if _is_item(candidate)]
    candidates = _folded(_without_title([candidate for candidate in inside if not _is_item(candidate)], lines))
    surroundings = _Surroundings(lines, candidates)
    families: dict[Look, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        families[candidate.look].append(candidate)
    pure = _pure_styles(found, lines, styles)
    alignment = Alignment(lines, body)
    headings: list[Candidate] = []
    for members in families.values():
        if members[0].look.scheme or lines[members[0].first].style in pure:
            headings.extend(_headings(_aligned(members, alignment, lines), surroundings, lines, body))
    ordered = sorted([*headings, *_top_numbers(items, headings)], key=lambda candidate: candidate.first)
    return _without_open_boxes(_without_loners(_without_subtitles(ordered)), lines, body)


def _first_page(lines: Sequence[Line], body: Body) -> int:
    """Return the first page that is no cover: the first with several lines of running text, or a table of contents."""
    counts: Counter[int] = Counter()
    for line in lines:
        if line.kind == "contents":
            return line.page
        if line.kind == "text" and len(line.text) >= _LONG and abs(line.style.size - body.style.size) <= _SMALLER:
            counts[line.page] += 1
            if counts[line.page] >= _COVER_LINES:
                return line.page
    return 1


def _pure_styles(candidates: Sequence[Candidate], lines: Sequence[Line], styles: Counter[Style]) -> set[Style]:
    """Return the styles in which most of what is set reads like a heading."""
    counts = Counter(lines[candidate.first].style for candidate in candidates)
    return {style for style, count in counts.items() if count >= _MOST * styles[style]}


def _without_subtitles(headings: Sequence[Candidate]) -> list[Candidate]:
    """Leave out looks that only ever stand right below another heading: subtitles, and labels that divide nothing."""
    below = Counter(
        heading.look
        for above, heading in pairwise(headings)
        if above.last == heading.first and above.look != heading.look
    )
    total = Counter(heading.look for heading in headings)
    labels = {
        look
        for look, count in total.items()
        if not look.scheme and count >= _FEW and below[look] >= _NEARLY_ALL * count
    }
    return [heading for heading in headings if heading.look not in labels]


def _without_loners(headings: Sequence[Candidate]) -> list[Candidate]:
    """Leave out looks that only one heading has where others share theirs: words of a picture, of a title page."""
    sizes = Counter((heading.look.size, heading.look.weight, heading.look.italic) for heading in headings)
    shared = sum(count for count in sizes.values() if count >= _FEW)
    if shared < _MANY:
        return list(headings)
    return [heading for heading in headings if sizes[heading.look.size, heading.look.weight, heading.look.italic] > 1]


def _without_open_boxes(headings: Sequence[Candidate], lines: Sequence[Line], body: Body) -> list[Candidate]:
    """Leave out numbered boxes that running text goes on behind, which would then seem to belong to the box."""
    ends = [*(heading.first for heading in headings), len(lines)][1:]
    return [
        heading
        for heading, end in zip(headings, ends, strict=True)
        if heading.look.scheme != FLOAT or not any(_is_running(line, body) for line in lines[heading.last : end])
    ]


def _without_title(candidates: Sequence[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Leave out the title of the document, which nothing else is as large as, with names and dates right below it."""
    if len(candidates) < _FEW:
        return list(candidates)
    title, *others = candidates
    if title.look.scheme or any(other.look.size >= title.look.size for other in others):
        return list(candidates)
    looks, end = Counter(other.look for other in others), title.last
    while others and others[0].first == end and lines[end].page == lines[title.first].page:
        if others[0].look.scheme or looks[others[0].look] >= _FEW:
            break
        end = others.pop(0).last
    return others


def _is_running(line: Line, body: Body) -> bool:
    return line.kind == "text" and (line.style.size, line.style.font) == (body.style.size, body.style.font)


def _folded(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Give looks with few members the colour and capitals of the most common look that is otherwise the same."""
    counts = Counter(candidate.look for candidate in candidates)
    return [replace(candidate, look=_fold(candidate.look, counts)) for candidate in candidates]


def _fold(look: Look, counts: Counter[Look]) -> Look:
    if counts[look] >= _FEW:
        return look
    alike = [
        other
        for other in counts
        if replace(other, caps=look.caps, color=look.color) == look and counts[other] > counts[look]
    ]
    return max(alike, key=lambda other: counts[other]) if alike else look


class _Surroundings:
    """What stands below headings."""

    def __init__(self, lines: Sequence[Line], candidates: Sequence[Candidate]) -> None:
        self._lines = lines
        self._by_first = {candidate.first: candidate for candidate in candidates}
        self._bottoms: dict[int, float] = {}
        for line in lines:
            if line.kind != "margin":
                self._bottoms[line.page] = min(line.y, self._bottoms.get(line.page, line.y))

    def following(self, member: Candidate) -> Line | None:
        """Return the line right below a heading, or below further headings no larger than it; None if none is near."""
        above, index, looks = self._lines[member.last - 1], member.last, {member.look}
        while index < len(self._lines) and self._is_near(above, self._lines[index]):
            other = self._by_first.get(index)
            if other is None:
                return self._lines[index]
            if other.look in looks or other.look.size > member.look.size:
                return None
            looks.add(other.look)
            above, index = self._lines[other.last - 1], other.last
        return None

    def _is_near(self, above: Line, below: Line) -> bool:
        """Say whether a line follows another closely: below it, at the head of the next column or of the next page."""
        if above.page != below.page:
            return below.page == above.page + 1 and above.y - self._bottoms.get(above.page, above.y) < above.size
        return 0 < above.y - below.y <= _NEAR * max(above.size, below.size) or below.x0 > above.x1


def _aligned(members: Sequence[Candidate], alignment: Alignment, lines: Sequence[Line]) -> list[Candidate]:
    """Leave out those of one look that stand where headings do not, unless the look is numbered or a large one."""
    if members[0].look.scheme or members[0].strength == Strength.LARGER:
        return list(members)
    aligned = alignment.aligned([lines[member.first] for member in members])
    return [member for member, is_aligned in zip(members, aligned, strict=True) if is_aligned]


def _headings(
    members: Sequence[Candidate], surroundings: _Surroundings, lines: Sequence[Line], body: Body
) -> list[Candidate]:
    """Return the members of one look that are headings."""
    if not members:
        return []
    strength, scheme = members[0].strength, members[0].look.scheme
    following = [surroundings.following(member) for member in members]
    plain = strength < Strength.LARGER and not scheme
    if plain and (_are_captions(following) or _are_terms(members, following, lines)):
        return []
    good = [member for member, line in zip(members, following, strict=True) if _is_text(line, member, body)]
    sure = strength == Strength.LARGER or (strength == Strength.BOLDER and scheme not in _DOUBTFUL)
    if len(good) >= (_MOST if sure else _NEARLY_ALL) * len(members) and (sure or len(members) >= _FEW):
        return list(members)
    pages = {lines[member.first].page for member in good}
    known = len(good) >= max(_FEW, _FOLLOWED * len(members)) and len(pages) > 1
    return good if strength >= Strength.BOLDER or known else []


def _is_item(candidate: Candidate) -> bool:
    """Say whether a line stands out by a number like "4." only, as items of lists do."""
    return candidate.strength == Strength.NUMBERED and candidate.look.scheme == "decimal1"


def _top_numbers(items: Sequence[Candidate], headings: Sequence[Candidate]) -> list[Candidate]:
    """Return the items that are headings after all: "4." between "3.2" and "4.1"."""
    deeper = sorted(
        (heading.first, heading.label.value[0]) for heading in headings if heading.look.scheme.startswith("decimal")
    )
    top: list[Candidate] = []
    for item in items:
        number, place = item.label.value[0], bisect_left(deeper, (item.first, 0))
        before = max(deeper[place - 1][1] if place else 0, top[-1].label.value[0] if top else 0)
        behind = deeper[place][1] if place < len(deeper) else number
        if deeper and before == number - 1 and behind >= number and item.text[-1] not in ".;:,":
            top.append(item)
    return top


def _are_captions(following: Sequence[Line | None]) -> bool:
    """Say whether a look mostly stands above tables or code."""
    above = sum(line is not None and (line.kind == "table" or is_fixed(line.style)) for line in following)
    return above > _MOST * len(following)


def _are_terms(members: Sequence[Candidate], following: Sequence[Line | None], lines: Sequence[Line]) -> bool:
    """Say whether a look mostly stands right above text that is indented further: terms with their definitions."""
    hanging = 0
    for member, below in zip(members, following, strict=True):
        above = lines[member.last - 1]
        if below is not None and below.page == above.page:
            hanging += below.x0 - above.x0 > _INDENTED and above.y - below.y < _TIGHT * above.size
    return hanging >= _FOLLOWED * len(members)


def _is_text(line: Line | None, member: Candidate, body: Body) -> bool:
    if line is None or line.kind not in {"text", "table", "contents"}:
        return False
    if line.kind != "text":
        return True
    bold = member.strength == Strength.BOLDER and line.style.weight >= member.look.weight
    return line.style.size >= body.style.size - _SMALLER and not bold
