"""Plain text: statutes, RFCs, standards, licences, contracts."""

from __future__ import annotations

from dataclasses import replace

from tocwalk.ingest.encoding import decode
from tocwalk.ingest.extracted import Extracted, Heading
from tocwalk.ingest.formats import PLAIN
from tocwalk.ingest.numbering import split_labels
from tocwalk.ingest.text.candidate import Candidate
from tocwalk.ingest.text.contents import without_contents
from tocwalk.ingest.text.levels import levels_of
from tocwalk.ingest.text.lines import Layout
from tocwalk.ingest.text.numbered import NumberedScan
from tocwalk.ingest.text.pages import split_pages
from tocwalk.ingest.text.sequence import in_sequence, keyword_sequence
from tocwalk.ingest.text.titlepage import title_of
from tocwalk.ingest.text.unnumbered import laid_out, underlined

__all__ = ["extract"]

_FEWEST_UNDERLINED = 2
_FEWEST_NUMBERED = 3
_PLAIN_NUMBERS = ("roman", "letter", "decimal", "lettered", "counted")


def extract(data: bytes, *, name: str) -> Extracted:  # noqa: ARG001 - every reader is handed the name
    """Return the text of a plain text file and its headings, which only its layout and its numbers show.

    Underlined titles are the headings where there are some. Else numbered lines are, if their numbers follow one
    another and text stands between them, with the title on the same line or below; and unnumbered ones of one layout
    beside them. Printed tables of contents, lists and references in running text are none. Form feeds divide pages;
    running headers and footers are taken out and reported.
    """
    decoded, warnings = decode(data)
    pages = split_pages(decoded)
    layout = Layout.of(pages.text)
    found = _headings(layout)
    begin = found[0].start if found else len(pages.text)
    title = title_of(layout, before=begin)
    if found and title is None and found[0].number is None and layout.is_blank(0, begin):
        title = found[0].title
    return Extracted(
        text=pages.text,
        headings=tuple(
            Heading(
                start=heading.start,
                end=heading.end,
                level=level,
                title=heading.title,
                number=heading.number,
                found_by="layout",
            )
            for heading, level in zip(found, levels_of(found, layout), strict=True)
        ),
        media_type=PLAIN,
        title=title,
        pages=pages.starts,
        warnings=tuple(warnings),
        running_text=pages.running_text,
    )


def _headings(layout: Layout) -> list[Candidate]:
    titles = underlined(layout)
    if len(titles) >= _FEWEST_UNDERLINED:
        return _with_deeper_numbers(titles, layout)
    numbered = _numbered(layout)
    return _merged(numbered, laid_out(layout, alone=len(numbered) < _FEWEST_NUMBERED), layout)


def _with_deeper_numbers(titles: list[Candidate], layout: Layout) -> list[Candidate]:
    """Take the numbers off underlined titles; add numbered lines that lie deeper than all of those."""
    labels = split_labels(title.title for title in titles)
    found = [replace(t, number=label.number, title=label.title) for t, label in zip(titles, labels, strict=True)]
    deepest = max((len(label.value) for label in labels if label.kind == "decimal"), default=0)
    deeper = [one for one in _numbered(layout) if one.kind == "decimal" and len(one.value) > deepest > 0]
    return _in_order([*found, *deeper])


def _numbered(layout: Layout) -> list[Candidate]:
    candidates = without_contents(NumberedScan(layout).candidates(), layout)
    words = keyword_sequence(one for one in candidates if one.kind not in _PLAIN_NUMBERS)
    found: dict[str, list[Candidate]] = {"word": words}
    for kind in (*_PLAIN_NUMBERS, *_PLAIN_NUMBERS):  # twice: any of them may begin again below any other
        of_kind = [one for one in candidates if one.kind == kind and not _is_indented(one, layout)]
        others = [[*words, *found.get(other, [])] for other in _PLAIN_NUMBERS if other != kind]
        others.append([one for other, chosen in found.items() if other != kind for one in chosen])
        scopes = dict.fromkeys(tuple(sorted(one.start for one in chosen)) for chosen in others)
        found[kind] = in_sequence(of_kind, scopes=scopes, length=len(layout.text))
    return _in_order([one for chosen in found.values() for one in chosen])


def _is_indented(candidate: Candidate, layout: Layout) -> bool:
    """Tell whether a candidate is an item of a list: one number, further right than the text."""
    return len(candidate.value) == 1 and 0 < layout.body_indent < candidate.indent


def _in_order(candidates: list[Candidate]) -> list[Candidate]:
    """Sort by offset; of several readings of the same lines the first found counts."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda one: one.start):  # a stable sort
        if not kept or candidate.start >= max(kept[-1].end, kept[-1].start + 1):
            kept.append(candidate)
    return kept


def _merged(numbered: list[Candidate], unnumbered: list[Candidate], layout: Layout) -> list[Candidate]:
    """Add the unnumbered headings that stand where a numbered one of the top level could: not inside others."""
    levels = levels_of(numbered, layout)
    kept: list[Candidate] = []
    place = 0
    for candidate in unnumbered:
        while place < len(numbered) and numbered[place].start < candidate.start:
            place += 1
        inside = place > 0 and candidate.start < numbered[place - 1].end
        same = place < len(numbered) and numbered[place].start == candidate.start
        if not (inside or same) and (place == len(numbered) or levels[place] == 1):
            kept.append(candidate)
    return _in_order([*numbered, *kept])
