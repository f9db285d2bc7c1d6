"""Headings that only their layout shows: underlined, further left than the text, centred, or in capitals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from tocwalk.ingest.numbering import readings
from tocwalk.ingest.text.candidate import Candidate
from tocwalk.ingest.text.lines import Layout
from tocwalk.ingest.text.titles import is_title

__all__ = ["laid_out", "underlined"]

_UNDERLINE = re.compile(r"([=\-~*^#+_\"'`.:])\1{2,}")
_LENGTH_DIFFERENCE = 3
_LONGEST = 80
_MOST_WORDS = 14
_MOST_LINES = 3
_CENTRED_INDENT = 3
_OFF_CENTRE = 4
_NARROWEST = 50
_FEWEST_CENTRED = 2
_FEWEST_CAPITALS = 3
_CAPITAL_SHARE = 0.3
_PROSE_LENGTH = 60
_PROSE_LINES = 3
_NAMES = re.compile(
    r"abstract|acknowledge?ments?|appendices|bibliography|conclusions?|(?:table of )?contents|contributors|foreword|"
    r"(?:executive )?summary|glossary|index|introduction|preamble|preface|recitals|references",
    re.IGNORECASE,
)
"""What stands before and behind the numbered parts of very many documents."""
_WIDE_GAP = re.compile(r"\s{3,}|\t")
_NO_TITLE = re.compile(
    r"(?:figure|table [\dA-Z]|page|end of)\b|https?:|.*[{}|\\@]|(?:note|warning|caution|important|tip)s?$",
    re.IGNORECASE,
)


def underlined(layout: Layout) -> list[Candidate]:
    """Return the lines that a line of "=", "-" or the like of about their length underlines, overlines included."""
    found: list[Candidate] = []
    lines = layout.lines
    for number in range(len(lines) - 1):
        title, rule = lines[number], lines[number + 1]
        match = _UNDERLINE.fullmatch(rule.text)
        if match is None or not is_title(title.text, lower_case=True) or title.indent != rule.indent:
            continue
        behind_heading = bool(found) and found[-1].end == title.start
        above = lines[number - 1].text if number and not behind_heading else ""
        overlined = above == rule.text
        fits = abs(len(rule.text) - len(title.text)) <= _LENGTH_DIFFERENCE or overlined
        if fits and (not above or overlined):
            found.append(
                Candidate(
                    start=lines[number - 1].start if overlined else title.start,
                    end=rule.end,
                    kind=f"underlined{'over' if overlined else ''}{match[1]}",
                    title=title.text,
                    indent=title.indent,
                )
            )
    return found


def laid_out(layout: Layout, *, alone: bool) -> list[Candidate]:
    """Return the unnumbered headings of the one scheme that the text follows, if it follows one.

    Where the text is indented, lines further left are headings; else centred lines; else lines in capitals, if nothing
    is numbered, or lines such as "Preface", if something is.

    Args:
        layout: The text.
        alone: Whether the text has no other headings.
    """
    if layout.body_indent:
        return list(_outdented(layout))
    centred = _lines_alone(layout, "centred", lambda number: _is_centred(layout, number), most_lines=_MOST_LINES)
    if len(centred) >= _FEWEST_CENTRED:
        return _without_title(centred, layout)
    if not alone:
        return _lines_alone(layout, "named", lambda number: bool(_NAMES.fullmatch(layout.lines[number].text)))
    capitals = _lines_alone(layout, "capitals", lambda number: layout.lines[number].text.isupper())
    size = sum(len(line.text) for line in layout.lines)
    in_capitals = sum(len(line.text) for line in layout.lines if line.text.isupper())
    if len(capitals) < _FEWEST_CAPITALS or in_capitals > _CAPITAL_SHARE * size:
        return []
    return _without_title(capitals, layout)


def _without_title(headings: list[Candidate], layout: Layout) -> list[Candidate]:
    """Leave out what stands first of all: the document's title."""
    return [heading for heading in headings if layout.line_before(heading.start)]


def _outdented(layout: Layout) -> Iterator[Candidate]:
    """Yield the lines at the left edge, after a blank one, that indented text follows."""
    after_prose = False
    for first, behind in layout.paragraphs():
        line = layout.lines[first]
        following = layout.next_text(first + 1)
        if line.indent == layout.left_edge and following is not None and layout.lines[following].indent > line.indent:
            is_prose = following < behind or _is_prose(layout, following, layout.paragraph_end(following))
            if (after_prose or is_prose) and _is_heading(line.text):
                yield Candidate(start=line.start, end=line.end, kind="outdented", title=line.text, indent=line.indent)
        after_prose = after_prose or _is_prose(layout, first, behind)


def _lines_alone(layout: Layout, kind: str, fits: Callable[[int], bool], *, most_lines: int = 1) -> list[Candidate]:
    """Return the fitting short paragraphs that another follows, from the first prose on or right before it."""
    found: list[Candidate] = []
    after_prose = False
    for (first, behind), following in pairwise([*layout.paragraphs(), (0, 0)]):
        is_prose = following[1] > 0 and _is_prose(layout, *following)
        stands_out = behind - first <= most_lines and all(fits(number) for number in range(first, behind))
        stands_out = stands_out and following[1] > 0 and not fits(following[0])
        title = layout.joined(first, behind) if stands_out else ""
        if (after_prose or is_prose) and _is_heading(title):
            start, end = layout.lines[first].start, layout.lines[behind - 1].end
            found.append(Candidate(start=start, end=end, kind=kind, title=title, indent=layout.lines[first].indent))
        after_prose = after_prose or _is_prose(layout, first, behind)
    return found


def _is_heading(text: str) -> bool:
    if len(text) > _LONGEST or len(text.split()) > _MOST_WORDS or text.endswith("."):
        return False
    if readings(text):  # a number that fits no sequence
        return False
    return is_title(text) and not _WIDE_GAP.search(text) and not _NO_TITLE.match(text)


def _is_centred(layout: Layout, number: int) -> bool:
    line = layout.lines[number]
    if layout.width < _NARROWEST or line.indent < _CENTRED_INDENT:
        return False
    return abs(line.indent + len(line.text) / 2 - layout.width / 2) <= _OFF_CENTRE


def _is_prose(layout: Layout, first: int, behind: int) -> bool:
    text = layout.joined(first, behind)
    return behind - first >= _PROSE_LINES or (len(text) >= _PROSE_LENGTH and text.endswith((".", ":", ";", "?", ")")))
