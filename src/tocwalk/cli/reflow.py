"""Prose that is wider than a terminal, wrapped anew; all else left as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from rich.console import Console
from rich.text import Text

__all__ = ["reflow"]

_FENCE = re.compile(r"\s*(```|~~~)")
_LIST_ITEM = re.compile(r"(?:[-*+•–]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,5})[.)])\s")
# Two spaces that do not end a sentence, or a tab, keep columns apart.
_COLUMNS = re.compile(r"[^\s.!?:;] {2,}\S|\t|\|")
_OPENING = "\"'“‘«„(¿¡"

_RAGGED = 0.15
"""Share of a paragraph's width that its lines may fall short of it; from where a line ends earlier, the next is new."""


def reflow(text: str, console: Console) -> str:
    """Return `text` with its paragraphs of prose wrapped between words, where a line is wider than the console.

    Tables, code, and lines that begin with a space are never touched, nor are the breaks behind lines that end early,
    as those of headings and addresses do. An item of a list is wrapped where all of it is one line, as the paragraphs
    of statutes are, and else left as it stands.
    """
    return "\n".join(line for block, prose in _blocks(text.split("\n")) for line in _wrapped(block, prose, console))


def _blocks(lines: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield runs of lines with whether they are prose; an item of one line is a run of its own."""
    fenced = listed = False
    kinds: list[tuple[str, tuple[bool, int]]] = []
    for number, (line, after) in enumerate(pairwise([*lines, ""])):
        fence = _FENCE.match(line) is not None
        item = _LIST_ITEM.match(line) is not None
        listed = item or (listed and bool(line.strip()))
        whole = item and _is_whole(line, after)
        prose = not (fence or fenced) and (whole or (_is_prose(line) and not listed))
        kinds.append((line, (prose, number if whole else -1)))
        fenced ^= fence
    for (prose, _), run in groupby(kinds, key=lambda kind: kind[1]):
        yield [line for line, _ in run], prose


def _is_whole(item: str, after: str) -> bool:
    """Whether an item is one line of text."""
    ends = not after.strip() or _LIST_ITEM.match(after) is not None
    return ends and not _COLUMNS.search(item, 2)


def _is_prose(line: str) -> bool:
    begins = line[:1].isalnum() or (line != "" and line[0] in _OPENING)
    return begins and not _COLUMNS.search(line)


def _wrapped(block: Sequence[str], prose: bool, console: Console) -> Iterator[str]:
    for line in _paragraphs(block) if prose and _is_wide(block, console) else block:
        if prose and _is_wide([line], console):
            # In one column rich would lose characters that are two wide.
            yield from (part.plain.rstrip() for part in Text(line).wrap(console, max(console.width, 2)))
        else:
            yield line


def _is_wide(lines: Iterable[str], console: Console) -> bool:
    return any(Text(line).cell_len > console.width for line in lines)


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Yield what lines become when the breaks are taken out that only the width of the source made.

    Such a break stands where the next word would not have fitted.
    """
    full = max(map(len, lines)) * (1 - _RAGGED)
    paragraph = lines[0]
    for line, after in pairwise(lines):
        if len(line) + 1 + len(after.split(maxsplit=1)[0]) > full:
            paragraph = f"{paragraph.rstrip()} {after}"
        else:
            yield paragraph
            paragraph = after
    yield paragraph
