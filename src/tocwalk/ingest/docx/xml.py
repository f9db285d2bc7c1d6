"""Elements of WordprocessingML (ECMA-376, part 1) under the short names of the standard: "w:p", "w:numPr"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Protocol

__all__ = ["Element", "alternative", "attribute", "descend", "find", "inside", "integer", "is_on", "name_of", "value"]

_NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
}
_W = f"{{{_NAMESPACES['w']}}}"
_OFF = {"0", "false", "off", "none"}
_MOST_DIGITS = 9


class Element(Protocol):
    """What is used of an XML element."""

    @property
    def tag(self) -> object:
        """The name with its namespace; no text for comments and processing instructions."""
        ...

    @property
    def text(self) -> str | None:
        """The text before the first child."""
        ...

    def get(self, key: str) -> str | None:
        """Return an attribute's value."""
        ...

    def __iter__(self) -> Iterator[Element]:
        """Yield the children."""
        ...


def name_of(element: Element) -> str:
    """Return an element's short name, "" for what is no element."""
    return _short(element.tag) if isinstance(element.tag, str) else ""


@cache
def _short(tag: str) -> str:
    namespace, _, name = tag[1:].rpartition("}")
    prefix = next((prefix for prefix, known in _NAMESPACES.items() if known == namespace), "")
    return f"{prefix}:{name}"


@cache
def _full(name: str) -> str:
    prefix, _, local = name.partition(":")
    return f"{{{_NAMESPACES[prefix]}}}{local}"


def find(element: Element | None, *path: str) -> Element | None:
    """Return the first child of the first name, its first child of the second name, and so on."""
    for name in path:
        element = _child(element, _full(name)) if element is not None else None
    return element


def _child(element: Element, tag: str) -> Element | None:
    for child in element:
        if child.tag == tag:
            return child
    return None


def inside(element: Element | None) -> Iterator[Element]:
    """Yield an element's children, none where there is no element."""
    return iter(()) if element is None else iter(element)


def alternative(element: Element) -> Element:
    """Return the first of several ways to draw the same thing (`mc:AlternateContent`)."""
    ways = (find(element, name) for name in ("mc:Choice", "mc:Fallback"))
    return next((way for way in ways if way is not None), element)


def descend(element: Element, name: str) -> Iterator[Element]:
    """Yield the elements of a name below `element`, not those inside one of them, in document order."""
    ahead = list(element)[::-1]
    while ahead:
        child = ahead.pop()
        if name_of(child) == name:
            yield child
        else:
            ahead.extend(list(child)[::-1])


def attribute(element: Element | None, name: str) -> str | None:
    """Return an attribute in the main namespace."""
    return element.get(_W + name) if element is not None else None


def value(element: Element | None, *path: str) -> str | None:
    """Return the `w:val` of what `find` returns."""
    return attribute(find(element, *path), "val")


def integer(text: str | None) -> int | None:
    """Return a whole number as the standard writes it, None for anything else."""
    if text is None or not text.lstrip("-").isdecimal() or len(text) > _MOST_DIGITS:
        return None
    return int(text)


def is_on(element: Element | None) -> bool:
    """Return whether a property is there and not switched off."""
    return element is not None and attribute(element, "val") not in _OFF
