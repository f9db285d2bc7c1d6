"""Lists of HTML pages: how deep an item is, and what it is marked with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from tocwalk.ingest.counting import alphabetic, roman
from tocwalk.ingest.html.elements import attribute

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["LISTS", "Lists"]

LISTS = frozenset({"dir", "menu", "ol", "ul"})

_STYLE = re.compile(
    r"list-style(?:-type)?\s*:[^;]*?\b(lower-alpha|lower-latin|upper-alpha|upper-latin|lower-roman|upper-roman)\b"
)
_TYPES = {"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_COUNTED: Mapping[str, Callable[[int], str]] = MappingProxyType(
    {
        "lower-alpha": alphabetic,
        "lower-latin": alphabetic,
        "upper-alpha": lambda number: alphabetic(number).upper(),
        "upper-latin": lambda number: alphabetic(number).upper(),
        "lower-roman": roman,
        "upper-roman": lambda number: roman(number).upper(),
    }
)
_INDENT = "  "
_DEEPEST = 20
"""Levels of indentation; deeper items stand below each other."""
_MOST_DIGITS = 9


@dataclass(slots=True)
class _List:
    number: Callable[[int], str] | None
    """None where items have no numbers."""
    next: int


class Lists:
    """The lists around what is being read."""

    def __init__(self) -> None:
        """Begin outside of any list."""
        self._open: list[_List] = []

    def enter(self, node: LexborNode) -> None:
        """Note that a list begins."""
        if node.tag != "ol":
            self._open.append(_List(None, 1))
            return
        style = _STYLE.search(attribute(node, "style"))
        named = style[1] if style else _TYPES.get(attribute(node, "type"), "")
        self._open.append(_List(_COUNTED.get(named, str), _integer(attribute(node, "start"), 1)))

    def leave(self) -> None:
        """Note that the last list ends."""
        self._open.pop()

    @property
    def indent(self) -> str:
        """What a line inside the lists begins with."""
        return _INDENT * min(len(self._open), _DEEPEST)

    def marker(self, node: LexborNode) -> str:
        """Return what the first line of an item begins with."""
        if not self._open:
            return "- "
        around = self._open[-1]
        outer = self.indent[len(_INDENT) :]
        if around.number is None:
            return f"{outer}- "
        number = _integer(attribute(node, "value"), around.next)
        around.next = number + 1
        return f"{outer}{around.number(number)}. "


def _integer(text: str, default: int) -> int:
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS else default
