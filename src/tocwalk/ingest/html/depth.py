"""How deep the elements of a page are nested, told from its tags: a parser of deep pages takes too long to ask."""

from __future__ import annotations

import re

__all__ = ["is_deeper"]

_MARK = re.compile(r"<(?:(?P<end>/?)(?P<name>[a-z][^\s/<>]*)|(?P<comment>!--))", re.IGNORECASE)
_FLAT = (
    "a area base body br button caption col colgroup dd dt embed h1 h2 h3 h4 h5 h6 head hr html img input li link meta"
    " optgroup option p param rb rp rt rtc source tbody td tfoot th thead tr track wbr"
)
"""Elements that have no content, or that the next of their kind closes where their end is not written."""
_DEEP = (
    "abbr address article aside b bdi bdo big blockquote center cite code del details dfn dialog dir div dl em"
    " fieldset figcaption figure font footer form header hgroup i ins kbd label legend main map mark menu nav nobr ol"
    " pre q ruby s samp section select small span strike strong sub summary sup table tt u ul var"
)
"""Elements that "/>" does not close, unlike those of SVG and MathML."""
_RAW = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title", "xmp")}
"""Elements in which tags are text."""


def is_deeper(markup: str, limit: int) -> bool:
    """Tell whether more than `limit` elements are open at once."""
    flat, deep = frozenset(_FLAT.split()), frozenset(_DEEP.split())
    depth, place = 0, 0
    while mark := _MARK.search(markup, place):
        name = (mark["name"] or "").lower()
        place = _behind(markup, mark, name)
        if place == 0:
            return False
        if mark["comment"] or name in flat or name in _RAW:
            continue
        if mark["end"]:
            depth = max(depth - 1, 0)
        elif name in deep or markup[place - 2] != "/":
            depth += 1
        if depth > limit:
            return True
    return False


def _behind(markup: str, mark: re.Match[str], name: str) -> int:
    """Return the place behind a tag, a comment or an element in which tags are text; 0 where nothing ends it."""
    if mark["comment"]:
        return markup.find("-->", mark.end()) + 1
    if name in _RAW and not mark["end"]:
        end = _RAW[name].search(markup, mark.end())
        return end.end() if end else 0
    return markup.find(">", mark.end()) + 1
