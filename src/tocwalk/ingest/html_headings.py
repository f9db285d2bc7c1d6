"""Headings in the HTML blocks of a Markdown document."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from tocwalk.ingest.extracted import Heading

__all__ = ["html_headings"]

_MARK = re.compile(
    r"<!--|-->|<(?P<closing>/?)(?P<tag>h[1-6]|pre|script|style|textarea)\b(?P<attributes>[^<>]*)>", re.IGNORECASE
)
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"<img\b[^<>]*?\balt\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')[^<>]*>", re.IGNORECASE)
_ID = re.compile(r"\b(?:id|name)\s*=\s*[\"']?([^\s\"'<>]+)", re.IGNORECASE)


def html_headings(text: str, start: int, end: int) -> Iterator[Heading]:
    """Yield the headings `<h1>` to `<h6>` of the HTML in `text[start:end]`, with offsets into `text`.

    A heading covers its whole lines where nothing else is on them. Comments, scripts, styles and preformatted text are
    passed over, and so are headings without text.
    """
    ignored: str | None = None
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(text, start, end):
        tag = (mark["tag"] or mark.group()).lower()
        if ignored is not None:
            if (tag == "-->" and ignored == "<!--") or (mark["closing"] and tag == ignored):
                ignored = None
        elif tag == "<!--" or (not mark["closing"] and not tag.startswith("h") and tag != "-->"):
            ignored, opened = tag, None
        elif tag.startswith("h") and not mark["closing"]:
            opened = mark
        elif opened is not None and tag == opened["tag"].lower():
            heading = _heading(text, opened, mark, start=start, end=end)
            opened = None
            if heading.title:
                start = heading.end
                yield heading


def _heading(text: str, opened: re.Match[str], closed: re.Match[str], *, start: int, end: int) -> Heading:
    inner = text[opened.end() : closed.start()]
    anchor = _ID.search(opened["attributes"]) or next(filter(None, map(_ID.search, _TAG.findall(inner))), None)
    return Heading(
        start=_line_start(text, start, opened.start()),
        end=_line_end(text, closed.end(), end),
        level=int(opened["tag"][1]),
        title=_visible(inner),
        anchor=anchor[1] if anchor else None,
    )


def _visible(markup: str) -> str:
    text = _TAG.sub("", _BREAK.sub(" ", markup))
    if not text.strip():
        text = " ".join(double or single for double, single in _ALTERNATIVE.findall(markup))
    return " ".join(html.unescape(text).split())


def _line_start(text: str, earliest: int, tag: int) -> int:
    line = max(text.rfind("\n", earliest, tag) + 1, earliest)
    return line if not _visible(text[line:tag]) else tag


def _line_end(text: str, tag: int, latest: int) -> int:
    line = text.find("\n", tag, latest) + 1 or latest
    return line if not _visible(text[tag:line]) and not _MARK.search(text, tag, line) else tag
