"""Pages of a plain text: form feeds, and the running headers and footers around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tocwalk.ingest.extracted import PageStart
from tocwalk.ingest.numbering import split_label

__all__ = ["Pages", "split_pages"]

_FEWEST_REPEATS = 3
_FARTHEST_REPEAT = 2
_LINES_LOOKED_AT = 2
_PAGE_LINE = re.compile(r"^.*\[Page (?:\d+|[ivxlc]+)\][ \t]*\n", re.MULTILINE)
_LABEL = re.compile(r"\bpage\s+(\d+|[ivxlc]+)\b|^\W*(\d+|[ivxlc]+)\W*$", re.IGNORECASE)
_VARYING = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pages:
    """A text without its page breaks, and where its pages begin."""

    text: str
    starts: tuple[PageStart, ...]
    running_text: tuple[str, ...]
    """The running headers and footers that were taken out, in reading order."""


def split_pages(text: str) -> Pages:
    """Take out form feeds, and the lines next to them that come again, page numbers aside, on three pages in a row.

    A text that has lost its form feeds, but not its footers "[Page 12]", is divided at those.
    """
    if "\f" not in text and len(_PAGE_LINE.findall(text)) >= _FEWEST_REPEATS:
        text = _PAGE_LINE.sub(lambda match: f"{match[0]}\f", text)
    if "\f" not in text:
        return Pages(text, (), ())
    pages = [page.split("\n") for page in text.removesuffix("\f").split("\f")]
    running = _running_lines(pages)
    taken: list[str] = []
    starts: list[PageStart] = []
    joined = ""
    parts: list[str] = []
    length = 0
    for number, page in enumerate(pages, start=1):
        lines, header_and_footer = _without(page, running)
        taken.extend(header_and_footer)
        content = "\n".join(lines).strip("\n")
        if parts and content:
            glue = "\n" if _goes_on(joined, content) else "\n\n"
            parts.append(glue)
            length += len(glue)
        starts.append(PageStart(offset=length, number=number, label=_label(header_and_footer)))
        parts.append(content)
        length += len(content)
        joined = content or joined
    return Pages("".join(parts) + "\n", tuple(starts), tuple(taken))


def _edges(page: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return the numbers of the lines at the top and at the bottom of a page that may be running ones."""
    filled = [number for number, line in enumerate(page) if line.strip()]
    top = filled[:_LINES_LOOKED_AT]
    return top, [number for number in filled[-_LINES_LOOKED_AT:] if number not in top]


def _shape(line: str) -> str:
    """Return a line without its numbers; "Article 7" and "Article 8" at the top of two pages are no running lines."""
    if split_label(line).kind == "keyword":
        return line.strip()
    return " ".join(_VARYING.sub("#", line).split())


def _running_lines(pages: Sequence[Sequence[str]]) -> set[str]:
    """Return the lines at the tops, or at the bottoms, of three pages that follow one another, or every other one."""
    running: set[str] = set()
    for edge in (0, 1):
        last: dict[str, tuple[int, int]] = {}
        for number, page in enumerate(pages):
            for shape in {_shape(page[line]) for line in _edges(page)[edge]}:
                seen, repeats = last.get(shape, (number, 0))
                last[shape] = (number, repeats + 1 if number - seen <= _FARTHEST_REPEAT else 1)
                if last[shape][1] >= _FEWEST_REPEATS:
                    running.add(shape)
    return running


def _without(page: Sequence[str], running: set[str]) -> tuple[list[str], list[str]]:
    top, bottom = _edges(page)
    taken = [number for number in (*top, *bottom) if _shape(page[number]) in running]
    kept = [line for number, line in enumerate(page) if number not in set(taken)]
    return kept, [page[number].strip() for number in taken]


def _label(lines: Sequence[str]) -> str | None:
    for line in reversed(lines):
        if match := _LABEL.search(line):
            return match[1] or match[2]
    return None


def _goes_on(before: str, after: str) -> bool:
    """Tell whether a paragraph goes on over a page break: it has not ended, and a small letter follows."""
    last, first = before.rstrip()[-1:], after.lstrip()[:1]
    return first.islower() and last not in {".", ":", ";", "?", "!"}
