"""Styles of a Word document: what a paragraph or a run is where it says nothing itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tocwalk.ingest.docx.xml import Element, attribute, descend, find, inside, integer, is_on, name_of, value

__all__ = ["BODY_LEVEL", "Look", "Styles"]

BODY_LEVEL = 9
"""The outline level of what is no heading (ECMA-376, 17.3.1.20)."""

_HEADING_NAME = re.compile(r"heading ([1-9])", re.IGNORECASE)
_DEFAULT_SIZE = 20
"""Half points, where nothing says otherwise (ECMA-376, 17.3.2.38)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a run looks, as far as headings are told by it."""

    size: int = _DEFAULT_SIZE
    """In half points."""
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    capitals: bool = False
    hidden: bool = False

    def changed(self, properties: Element | None) -> Look:
        """Return the look with what a `w:rPr` says put over it."""
        look = self
        for child in inside(properties):
            name = name_of(child)
            if name in _SWITCHES:
                look = replace(look, **{_SWITCHES[name]: is_on(child)})
            elif name == "w:sz":
                look = replace(look, size=integer(attribute(child, "val")) or look.size)
        return look


_SWITCHES = {
    "w:b": "bold",
    "w:i": "italic",
    "w:u": "underlined",
    "w:smallCaps": "capitals",
    "w:caps": "capitals",
    "w:vanish": "hidden",
}


class Styles:
    """The styles of one document."""

    def __init__(self, root: Element | None) -> None:
        """Read `w:styles`; without it everything has its default."""
        styles = list(descend(root, "w:style")) if root is not None else []
        self._by_id = {attribute(style, "styleId") or "": style for style in styles}
        self._defaults = find(root, "w:docDefaults", "w:rPrDefault", "w:rPr")
        self._default = next(
            (
                attribute(style, "styleId")
                for style in styles
                if attribute(style, "type") == "paragraph" and attribute(style, "default") in {"1", "true", "on"}
            ),
            None,
        )
        self._chains: dict[str | None, list[Element]] = {}
        self._looks: dict[tuple[str | None, str | None], Look] = {}

    def of_paragraph(self, paragraph: Element) -> str | None:
        """Return the id of a paragraph's style."""
        return value(paragraph, "w:pPr", "w:pStyle") or self._default

    def name(self, style: str | None) -> str:
        """Return a style's name in lower case, which is English for Word's own styles in every language."""
        return (value(self._by_id.get(style or ""), "w:name") or "").lower()

    def chain(self, style: str | None) -> list[Element]:
        """Return a style and those it is based on, itself first."""
        if style not in self._chains:
            self._chains[style] = list(self._based_on(style))
        return self._chains[style]

    def _based_on(self, style: str | None) -> Iterator[Element]:
        seen: set[str] = set()
        while style is not None and style in self._by_id and style not in seen:
            seen.add(style)
            yield self._by_id[style]
            style = value(self._by_id[style], "w:basedOn")

    def outline_level(self, paragraph: Element) -> int:
        """Return 0 for a heading of the first level, `BODY_LEVEL` for what is no heading."""
        own = integer(value(paragraph, "w:pPr", "w:outlineLvl"))
        if own is not None:
            return own
        for style in self.chain(self.of_paragraph(paragraph)):
            level = integer(value(style, "w:pPr", "w:outlineLvl"))
            if level is not None:
                return level
            named = _HEADING_NAME.fullmatch(value(style, "w:name") or "")
            if named:
                return int(named[1]) - 1
        return BODY_LEVEL

    def look(self, run: Element, paragraph_style: str | None) -> Look:
        """Return how a run looks: by itself, else by its own style, else by its paragraph's."""
        own = find(run, "w:rPr")
        key = (value(own, "w:rStyle"), paragraph_style)
        if key not in self._looks:
            layers = [*self.chain(key[0]), *self.chain(key[1])]
            look = Look().changed(self._defaults)
            for style in reversed(layers):
                look = look.changed(find(style, "w:rPr"))
            self._looks[key] = look
        return self._looks[key] if own is None else self._looks[key].changed(own)

    def numbering(self, style: str | None) -> tuple[str | None, int | None]:
        """Return the list and the level in it that a style puts its paragraphs in."""
        number: str | None = None
        level: int | None = None
        for element in self.chain(style):
            properties = find(element, "w:pPr", "w:numPr")
            number = number or value(properties, "w:numId")
            level = level if level is not None else integer(value(properties, "w:ilvl"))
        return number, level

    def list_of(self, style: str) -> str | None:
        """Return the list that a list style names."""
        return value(self._by_id.get(style), "w:pPr", "w:numPr", "w:numId")
