"""What a page may have for a parser to come to an end with it in time, told from its tags."""

from __future__ import annotations

import re

from tocwalk.ingest.archive import refuse

__all__ = ["MAX_ATTRIBUTES", "MAX_DEPTH", "check_markup"]

MAX_DEPTH = 2000
"""Elements inside each other; browsers stop at 512. A parser's time grows with the square of it."""
MAX_ATTRIBUTES = 5000
"""Attributes with a value of one element. A parser's time grows with the square of it."""

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


def check_markup(markup: str, *, name: str) -> None:
    """Look at a page before it is parsed.

    Raises:
        IngestError: `too_large` if more than `MAX_DEPTH` elements are open at once, or an element has more than
            `MAX_ATTRIBUTES` attributes.
    """
    flat, deep = frozenset(_FLAT.split()), frozenset(_DEEP.split())
    depth, place = 0, 0
    while mark := _MARK.search(markup, place):
        tag = (mark["name"] or "").lower()
        place = _behind(markup, mark, tag)
        if place == 0:
            return
        if mark["comment"] or tag in _RAW:
            continue
        if markup.count("=", mark.end(), place) > MAX_ATTRIBUTES:
            refuse(name, f"has an element with more than {MAX_ATTRIBUTES} attributes", reason="too_large")
        if mark["end"]:
            depth = max(depth - (tag not in flat), 0)
        elif tag not in flat and (tag in deep or markup[place - 2] != "/"):
            depth += 1
        if depth > MAX_DEPTH:
            refuse(name, f"has elements nested more than {MAX_DEPTH} deep", reason="too_large")


def _behind(markup: str, mark: re.Match[str], tag: str) -> int:
    """Return the place behind a tag, a comment or an element in which tags are text; 0 where nothing ends it."""
    if mark["comment"]:
        return markup.find("-->", mark.end()) + 1
    if tag in _RAW and not mark["end"]:
        end = _RAW[tag].search(markup, mark.end())
        return end.end() if end else 0
    return markup.find(">", mark.end()) + 1
