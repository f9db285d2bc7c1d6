"""Candidates that are numbered: "CHAPTER I", "Section 3.2 Term.", "2.1 Scope", "IV. Findings", "第三条"."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from tocwalk.ingest.numbering import ANNEX_KEYWORDS, Label, readings
from tocwalk.ingest.text.candidate import Candidate
from tocwalk.ingest.text.lines import Layout
from tocwalk.ingest.text.titles import continues, is_title, run_in_title, without_page

__all__ = ["NumberedScan"]

_NO_HEADINGS = {"table", "note"}
_MOST_LINES = 4
_FARTHEST_TITLE = 3
_LOOKED_AT = 400
_STATUS = re.compile(r"^\((?:normative|informative)\)\s+", re.IGNORECASE)
"""What standards print between "Annex A" and its title."""
_STOPPED_WORDS_APART = 4
_STOPPED_WORDS = {False: 8, True: 14}
"""Words of a title that ends with a full stop, without and with a word before the number."""
_SEVERAL_PARTS = re.compile(r"\d+(?:\.\d+)+\.?\s+\S")
_LONGEST_LISTED = 240
"""Characters, blanks aside, of a heading that a list of contents names."""
_ITEM = re.compile(r"\(\w{1,4}\)\s|[-*•]\s|[“\"]")
_BARE_ANNEX = re.compile(
    rf"(?P<number>{'|'.join(word for word in ANNEX_KEYWORDS if word.isascii())})(?:\s*[:—–-]+\s*(?P<title>\S.*))?",
    re.IGNORECASE,
)


class NumberedScan:
    """Looks through the paragraphs of a text for numbered lines."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._lines = layout.lines
        self._titled_below: set[int] = set()
        self._untitled: set[int] = set()
        self._without_titles: set[str] = set()
        self._listed = self._printed_twice()

    def candidates(self) -> list[Candidate]:
        """Return what may be a numbered heading, in reading order.

        A number with its line to itself has its title below, unless most of its kind have none there.
        """
        found = self._scan()
        below = Counter(candidate.kind for candidate in found if candidate.end in self._titled_below)
        alone = Counter(candidate.kind for candidate in found if candidate.end in self._untitled)
        self._without_titles = {kind for kind, count in alone.items() if count > below[kind]}
        return self._scan() if any(below[kind] for kind in self._without_titles) else found

    def _scan(self) -> list[Candidate]:
        found: list[Candidate] = []
        taken = 0
        for first, behind in self._layout.paragraphs():
            number = max(first, taken)
            while number < behind and (candidates := self._at(number, behind)):
                found.extend(candidates)
                number = taken = self._line_behind(candidates[0], number)
                if not candidates[0].standing:
                    break
        return found

    def _line_behind(self, candidate: Candidate, number: int) -> int:
        while number < len(self._lines) and self._lines[number].start < candidate.end:
            number += 1
        return number

    def _at(self, number: int, behind: int) -> list[Candidate]:
        """Return what begins with line `number` of a paragraph that ends before line `behind`: one for each reading."""
        line = self._lines[number]
        entry = without_page(line.text)
        if entry is not None:
            return [
                replace(
                    self._candidate(number, label, kind=_kind(label), title=label.title, last=number + 1), is_entry=True
                )
                for label in _labels(entry)
            ]
        found = (self._read_as(label, number, behind) for label in _labels(line.text))
        return [candidate for candidate in found if candidate is not None]

    def _read_as(self, label: Label, number: int, behind: int) -> Candidate | None:
        if label.keyword is not None:
            return self._with_keyword(number, behind, label)
        return self._standing(number, behind, label) or self._running_in(number, behind, label, untitled=False)

    def _with_keyword(self, number: int, behind: int, label: Label) -> Candidate | None:
        if label.title:
            standing = self._standing(number, behind, label)
            if standing is not None and (label.separated or not label.title[0].islower()):
                return standing
            return self._running_in(number, behind, label, untitled=label.separated)
        title, last = self._title_below(number, behind, _kind(label))
        return self._candidate(number, label, kind=_kind(label), title=title, last=last)

    def _standing(self, number: int, behind: int, label: Label) -> Candidate | None:
        """A heading whose title follows on its line, and on further lines of the paragraph that go on with it."""
        listed = self._end_if_listed(number, behind)
        last = listed or self._end_of_title(number + 1, behind)
        if last is None:
            return None
        title = " ".join([label.title, self._layout.joined(number + 1, last)]).strip()
        lower_case = len(label.value) > 1 or label.keyword is not None
        stopped_words = _STOPPED_WORDS[label.keyword is not None]
        if not listed and not is_title(title, lower_case=lower_case, stopped_words=stopped_words):
            return None
        return self._candidate(number, label, kind=_kind(label), title=title, last=last)

    def _printed_twice(self) -> frozenset[str]:
        """Return what begins with a number of several parts and comes again: a list of contents names a heading so.

        Such a heading may be long, and of several sentences: "3.1.6. It is said to be broken. What does that mean?"
        """
        printed: Counter[str] = Counter()
        for first, behind in self._layout.paragraphs():
            for number in range(first, behind):
                if _SEVERAL_PARTS.match(self._lines[number].text):
                    printed[self._squeezed(number, self._next_beginning(number, behind))] += 1
        return frozenset(text for text, count in printed.items() if count > 1 and len(text) <= _LONGEST_LISTED)

    def _end_if_listed(self, number: int, behind: int) -> int | None:
        """Return the line behind a heading that a list of contents names; None if line `number` begins none."""
        if not _SEVERAL_PARTS.match(self._lines[number].text):
            return None
        last = self._next_beginning(number, behind)
        return last if self._squeezed(number, last) in self._listed else None

    def _next_beginning(self, number: int, behind: int) -> int:
        """Return the line behind what line `number` begins: the next that begins something, or the paragraph's end."""
        return next((line for line in range(number + 1, behind) if self._begins_another(line)), behind)

    def _squeezed(self, first: int, behind: int) -> str:
        return "".join(self._layout.joined(first, behind).split())

    def _end_of_title(self, number: int, behind: int) -> int | None:
        """Return the line behind the title's last; None if the paragraph is more than a title."""
        last = number
        while last < behind and not self._begins_another(last):
            if last - number >= _MOST_LINES - 1 or not continues(self._lines[last].text):
                return None
            last += 1
        return None if last < behind and self._layout.is_full(last - 1) else last

    def _begins_another(self, number: int) -> bool:
        """Tell whether a line begins a heading, an entry or a list item of its own."""
        text = self._lines[number].text
        return bool(_ITEM.match(text) or without_page(text) is not None or _labels(text))

    def _title_below(self, number: int, behind: int, kind: str) -> tuple[str, int]:
        """Return the title below a number that has its line to itself, and the line behind it."""
        first, apart = number + 1, number + 1 >= behind
        if apart:
            following = self._layout.next_text(first)
            if following is None or following - number > _FARTHEST_TITLE or kind in self._without_titles:
                return "", first
            first, behind = following, self._layout.paragraph_end(following)
        last = first
        while last < behind and last - first < _MOST_LINES and not self._begins_another(last):
            last += 1
        title = _STATUS.sub("", self._layout.joined(first, last))
        is_whole = last == behind or self._begins_another(last)
        stopped_words = _STOPPED_WORDS_APART if apart else _STOPPED_WORDS[True]
        if last > first and is_whole and is_title(title, stopped_words=stopped_words):
            self._titled_below.add(self._lines[last - 1].end)
            return title, last
        if apart and last > first:
            self._untitled.add(self._lines[number].end)
        return "", number + 1

    def _running_in(self, number: int, behind: int, label: Label, *, untitled: bool) -> Candidate | None:
        """A heading that its text follows on the same line: "Section 3.2 Term. The initial term ..."."""
        line = self._lines[number]
        begin = line.start + self._title_column(number, label)
        text = self._layout.text[begin : min(self._lines[behind - 1].end, begin + _LOOKED_AT)]
        run_in = run_in_title(text)
        if run_in is None and not untitled:
            return None
        title, length = run_in or ("", 0)
        return Candidate(
            start=line.start,
            end=begin + length,
            kind=_kind(label),
            title=title,
            number=label.number,
            value=label.value,
            indent=line.indent,
            standing=False,
            certain=False,
        )

    def _title_column(self, number: int, label: Label) -> int:
        """Return how many characters of the raw line stand before the title."""
        line = self._lines[number]
        raw = self._layout.text[line.start : line.end]
        before = len("".join(line.text.split())) - len("".join(label.title.split()))
        for column, character in enumerate(raw):
            if before == 0 and not character.isspace():
                return column
            before -= not character.isspace()
        return len(raw)

    def _candidate(self, number: int, label: Label, *, kind: str, title: str, last: int) -> Candidate:
        line = self._lines[number]
        return Candidate(
            start=line.start,
            end=self._lines[last - 1].end,
            kind=kind,
            title=title.removesuffix("."),
            number=label.number,
            value=label.value,
            indent=line.indent,
            certain=not label.title or label.separated or label.keyword is None,
        )


def _kind(label: Label) -> str:
    """Return the word, with the number of the number's parts if there are several, else the kind of number."""
    if label.keyword is None:
        return str(label.kind)
    return f"{label.keyword}{len(label.value)}" if len(label.value) > 1 else label.keyword


def _labels(text: str) -> list[Label]:
    """Return the ways to read a line as a numbered heading."""
    annex = _BARE_ANNEX.fullmatch(text)
    if annex is not None and (text.isupper() or annex["title"]):
        return [
            Label(number=annex["number"], title=annex["title"] or "", kind="keyword", keyword="annex", separated=True)
        ]
    return [
        label
        for label in readings(text[:_LOOKED_AT])
        if label.kind != "parenthesised" and label.keyword not in _NO_HEADINGS and (label.title or label.keyword)
    ]
