"""The numbers that Word prints before paragraphs and keeps nowhere in their text (ECMA-376, part 1, 17.9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tocwalk.ingest.counting import chinese, english, english_ordinal, letters, roman
from tocwalk.ingest.docx.styles import Styles
from tocwalk.ingest.docx.xml import Element, attribute, descend, find, integer, is_on, value

__all__ = ["Mark", "Numbering"]

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_TEENS = {11, 12, 13}


def _ordinal(number: int) -> str:
    return f"{number}{'th' if number % 100 in _TEENS else _ORDINALS.get(number % 10, 'th')}"


_FORMATS: Mapping[str, Callable[[int], str]] = MappingProxyType(
    {
        "decimalZero": lambda number: f"{number:02}",
        "upperRoman": lambda number: roman(number).upper(),
        "lowerRoman": roman,
        "upperLetter": lambda number: letters(number).upper(),
        "lowerLetter": letters,
        "ordinal": _ordinal,
        "cardinalText": lambda number: english(number).capitalize(),
        "ordinalText": lambda number: english_ordinal(number).capitalize(),
        "chineseCounting": chinese,
        "chineseCountingThousand": chinese,
        "taiwaneseCountingThousand": chinese,
        "japaneseCounting": chinese,
        "none": lambda _: "",
    }
)
"""Formats other than digits (17.18.59)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What is printed before a paragraph."""

    text: str
    """A number with all around it, "-" for any bullet, or "" for a level that prints nothing."""
    level: int
    """0 for the outermost."""
    bullet: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    start: int
    format: str
    text: str
    restart: int | None
    """1-based level whose use begins the count anew; 0 for none, None for every higher one."""
    legal: bool
    """Whether all numbers are written in digits."""
    style: str | None

    @classmethod
    def of(cls, element: Element) -> _Level:
        return cls(
            start=integer(value(element, "w:start")) or 0,
            format=value(element, "w:numFmt") or "decimal",
            text=value(element, "w:lvlText") or "",
            restart=integer(value(element, "w:lvlRestart")),
            legal=is_on(find(element, "w:isLgl")),
            style=value(element, "w:pStyle"),
        )

    def written(self, number: int) -> str:
        return _FORMATS.get(self.format, str)(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class _List:
    """A `w:num`: an abstract list, whose count it shares with others, and what it changes in it."""

    abstract: str
    levels: Mapping[int, _Level]
    starts: Mapping[int, int]
    """Level -> the number it begins with when this list is first used there."""


class Numbering:
    """Counts through a document: marks must be asked for in reading order, once for each paragraph."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        """Read `w:numbering`; without it nothing is numbered."""
        self._styles = styles
        abstract = list(descend(root, "w:abstractNum")) if root is not None else []
        self._abstract = {attribute(element, "abstractNumId") or "": element for element in abstract}
        numbers = list(descend(root, "w:num")) if root is not None else []
        self._elements = {attribute(element, "numId") or "": element for element in numbers}
        self._lists: dict[str, _List | None] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()

    def mark(self, paragraph: Element) -> Mark | None:
        """Return what is printed before a paragraph, and count it; None for a paragraph in no list."""
        number, level = self._place(paragraph)
        found = self._list(number) if number else None
        if found is None or number is None:
            return None
        definition = found.levels.get(level)
        if definition is None:
            return None
        counts = self._count(number, found, level)
        if definition.format == "bullet":
            return Mark(text="-", level=level, bullet=True)
        return Mark(text=_written(definition, found.levels, counts), level=level, bullet=False)

    def _place(self, paragraph: Element) -> tuple[str | None, int]:
        """Return the list and the level that a paragraph, or else its style, says it is in."""
        properties = find(paragraph, "w:pPr", "w:numPr")
        own, level = value(properties, "w:numId"), integer(value(properties, "w:ilvl"))
        style = self._styles.of_paragraph(paragraph)
        styled, styled_level = self._styles.numbering(style)
        number = own or styled
        if level is None and own is None and number is not None:
            level = self._level_of_style(number, style)
        level = level if level is not None else styled_level
        return (None if number == "0" else number), min(max(level or 0, 0), _LEVELS - 1)

    def _level_of_style(self, number: str, style: str | None) -> int | None:
        found = self._list(number)
        levels = found.levels.items() if found is not None else ()
        return next((level for level, definition in levels if style and definition.style == style), None)

    def _list(self, number: str) -> _List | None:
        if number not in self._lists:
            self._lists[number] = self._read(number)
        return self._lists[number]

    def _read(self, number: str) -> _List | None:
        element = self._elements.get(number)
        abstract = self._resolved(value(element, "w:abstractNumId"))
        if element is None or abstract is None:
            return None
        levels = _levels(self._abstract[abstract])
        starts: dict[int, int] = {}
        for override in descend(element, "w:lvlOverride"):
            levels |= _levels(override)
            start = integer(value(override, "w:startOverride"))
            level = integer(attribute(override, "ilvl"))
            if start is not None and level is not None:
                starts[level] = start
        return _List(abstract=abstract, levels=levels, starts=starts)

    def _resolved(self, abstract: str | None) -> str | None:
        """Return the abstract list itself, or the one of the list style that it only names."""
        element = self._abstract.get(abstract or "")
        named = value(element, "w:numStyleLink")
        if named is not None:
            linked = value(self._elements.get(self._styles.list_of(named) or ""), "w:abstractNumId")
            return linked if linked in self._abstract else None
        return abstract if element is not None else None

    def _count(self, number: str, found: _List, level: int) -> list[int | None]:
        counts = self._counts.setdefault(found.abstract, [None] * _LEVELS)
        before = counts[level]
        if level in found.starts and (number, level) not in self._begun:
            self._begun.add((number, level))
            counts[level] = found.starts[level]
        else:
            start = found.starts.get(level, found.levels[level].start)
            counts[level] = start if before is None else before + 1
        for deeper in range(level + 1, _LEVELS):
            restart = found.levels[deeper].restart if deeper in found.levels else None
            if restart is None or level < restart:
                counts[deeper] = None
        return counts


def _levels(parent: Element) -> dict[int, _Level]:
    found = ((integer(attribute(element, "ilvl")), element) for element in descend(parent, "w:lvl"))
    return {level: _Level.of(element) for level, element in found if level is not None and 0 <= level < _LEVELS}


def _written(definition: _Level, levels: Mapping[int, _Level], counts: list[int | None]) -> str:
    def number(place: re.Match[str]) -> str:
        level = int(place[1]) - 1
        at = levels.get(level)
        if at is None:
            return ""
        count = counts[level]
        count = at.start if count is None else count
        return str(count) if definition.legal else at.written(count)

    return _PLACE.sub(number, definition.text).strip()
