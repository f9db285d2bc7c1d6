"""XHTML as HTML: what an XML parser reads otherwise than an HTML parser."""

from __future__ import annotations

import html
import re

__all__ = ["as_html"]

_LOOKED_AT = 4096
_IS_XHTML = re.compile(r"\s*<\?xml\b|<html\b[^<>]*\bxmlns\s*=", re.IGNORECASE)
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "wbr"}
)
_CDATA = "<![CDATA["
_EMPTY_TAG = re.compile(r"<([A-Za-z][\w:.-]*)((?:[^<>\"'/]|/(?!>)|\"[^\"<]*\"|'[^'<]*')*+)/>")


def as_html(markup: str) -> str:
    """Return a page in which empty elements and CDATA sections are written as HTML has them.

    An HTML parser takes `<title/>` or `<script src="x"/>` for an element that was opened only, so that the rest of the
    page would be inside it, and a CDATA section for a comment. A page that is not XHTML comes back as it is.
    """
    if not _IS_XHTML.search(markup, 0, _LOOKED_AT):
        return markup
    before, *sections = markup.split(_CDATA)
    return _EMPTY_TAG.sub(_closed, before + "".join(map(_escaped, sections)))


def _escaped(section: str) -> str:
    text, end, rest = section.partition("]]>")
    return html.escape(text, quote=False) + rest if end else _CDATA + section


def _closed(tag: re.Match[str]) -> str:
    return tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>"
