"""The lines of an AsciiDoc file: which begin a section, and which are inside a block where none can begin."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from tocwalk.ingest.asciidoc.inline import plain_title
from tocwalk.ingest.extracted import Heading

__all__ = ["Scan"]

_TITLE = re.compile(r"(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+(?P=marks))?[ \t]*")
_UNDERLINES = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
"""The character under a title -> its level."""
_TOLERANCE = 1
"""Characters by which an underline may be longer or shorter than its title."""
_UNDERLINED = re.compile(r"(?![.\[/|:])(?=.*\w)\S.*")
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|[|,:!]={3,}|```.*)")
_ATTRIBUTE = re.compile(r":(?P<unset>!)?(?P<name>\w[\w-]*)!?:(?:[ \t]+(?P<value>.*))?")
_BLOCK_ATTRIBUTES = re.compile(r"\[(?:\[[^\[\]]*\]|[^\[\]].*)?\][ \t]*")
_ID = re.compile(r"\[\[([^\[\],]+)|\[[^\[\]#,]*#([^\[\],.%]+)|\bid\s*=\s*[\"']?([^\"',\]]+)")
_INLINE_ID = re.compile(r"\[\[([^\[\],]+)[^\[\]]*\]\]")
_TRANSPARENT = re.compile(r"//(?!//).*|\.[^\s.].*|(?:ifdef|ifndef|ifeval|endif|include)::.*")
"""Comments, block titles and directives: a section can begin behind them."""
_AUTHOR = re.compile(r"(?P<name>[^\W\d][\w.'’-]*(?: [\w.'’-]+){0,3})(?: <[^<>]+>)?(?:;.*)?")
_METADATA = {
    "author": "author", "authors": "author", "revdate": "date", "revnumber": "version", "keywords": "keywords",
    "description": "description", "lang": "language",
}  # fmt: skip


class Scan:
    """Reads one file from its beginning to its end."""

    def __init__(self, text: str, begin: int) -> None:
        """Begin at the offset `begin`, behind the front matter."""
        self._lines = text[begin:].split("\n")
        self._starts = list(accumulate((len(line) + 1 for line in self._lines), initial=begin))
        self._starts[-1] = len(text)
        self._delimiters = self._places_of_delimiters()
        self._attributes: dict[str, str] = {}
        self._offset = 0
        """What `:leveloffset:` adds to levels."""
        self._anchor: str | None = None
        self.metadata: dict[str, str] = {}
        """What the file says about itself; complete once the headings were read."""

    def headings(self) -> Iterator[Heading]:
        """Yield the section titles in reading order, numbers still in them."""
        number, titled = 0, False
        while number < len(self._lines):
            line = self._lines[number].rstrip()
            heading = self._heading(number, line)
            if heading is None:
                number = self._behind_block(number, line)
                continue
            yield heading
            number = bisect_right(self._starts, heading.end - 1)
            if heading.level == 1 and not titled:
                number = self._behind_header(number)
            titled = True

    def _heading(self, number: int, line: str) -> Heading | None:
        match = _TITLE.fullmatch(line)
        if match is not None:
            return self._made(number, 1, match["title"], len(match["marks"]))
        under = self._lines[number + 1].rstrip() if number + 1 < len(self._lines) else ""
        if (
            under[:1] in _UNDERLINES
            and under == under[0] * len(under)
            and abs(len(line) - len(under)) <= _TOLERANCE
            and len(under) > 1
            and _UNDERLINED.fullmatch(line)
        ):
            return self._made(number, 2, line, _UNDERLINES[under[0]])
        return None

    def _made(self, number: int, lines: int, title: str, level: int) -> Heading | None:
        inline = _INLINE_ID.search(title[:1000])
        anchor = inline[1] if inline else self._anchor
        plain = plain_title(title, self._attributes)
        if not plain:
            return None
        self._anchor = None
        return Heading(
            start=self._starts[number],
            end=self._starts[number + lines],
            level=max(level + self._offset, 1),
            title=plain,
            anchor=anchor,
        )

    def _behind_block(self, number: int, line: str) -> int:
        """Return the number of the line behind the block, paragraph or single line that begins here."""
        if _DELIMITER.fullmatch(line) and (closing := self._closing(number, line)):
            self._anchor = None
            return closing + 1
        if attribute := _ATTRIBUTE.fullmatch(line):
            self._set(attribute)
            return number + 1
        if _BLOCK_ATTRIBUTES.fullmatch(line):
            if found := _ID.search(line):
                self._anchor = next(filter(None, found.groups())).strip()
            return number + 1
        if not line or _TRANSPARENT.fullmatch(line):
            return number + 1
        self._anchor = None
        return self._behind_paragraph(number + 1)

    def _behind_paragraph(self, number: int) -> int:
        while number < len(self._lines):
            line = self._lines[number].rstrip()
            if not line or _BLOCK_ATTRIBUTES.fullmatch(line):
                break
            if _DELIMITER.fullmatch(line) and self._closing(number, line):
                break
            number += 1
        return number

    def _places_of_delimiters(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for number, line in enumerate(self._lines):
            if _DELIMITER.fullmatch(line.rstrip()):
                places.setdefault(_closes_with(line.rstrip()), []).append(number)
        return places

    def _closing(self, number: int, line: str) -> int:
        """Return the number of the line that closes a block, 0 if none does: then it is no block."""
        places = self._delimiters.get(_closes_with(line), [])
        following = bisect_right(places, number)
        return places[following] if following < len(places) else 0

    def _set(self, attribute: re.Match[str]) -> None:
        name, value = attribute["name"].lower(), (attribute["value"] or "").strip()
        if attribute["unset"] or attribute[0].rstrip().endswith("!:"):
            self._attributes.pop(name, None)
            self._offset = 0 if name == "leveloffset" else self._offset
            return
        self._attributes[name] = value
        if name == "leveloffset" and re.fullmatch(r"[+-]?\d", value):
            self._offset = int(value) + (self._offset if value[0] in "+-" else 0)
        if name in _METADATA and value:
            self.metadata.setdefault(_METADATA[name], value)

    def _behind_header(self, number: int) -> int:
        """Read the lines behind the document's title, up to a blank one: its author, revision and attributes."""
        first = number
        while number < len(self._lines) and (line := self._lines[number].rstrip()):
            if attribute := _ATTRIBUTE.fullmatch(line):
                self._set(attribute)
            elif number == first and (author := _AUTHOR.fullmatch(line)):
                self.metadata.setdefault("author", author["name"])
            elif number != first + 1 and not _TRANSPARENT.fullmatch(line):
                break
            number += 1
        return number


def _closes_with(line: str) -> str:
    return "```" if line.startswith("```") else line
