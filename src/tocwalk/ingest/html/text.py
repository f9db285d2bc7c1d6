"""From the elements of an HTML page to its text and headings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tocwalk.ingest.extracted import Heading
from tocwalk.ingest.flow import TextFlow, collapse
from tocwalk.ingest.html.elements import (
    BLOCKS,
    PARAGRAPHS,
    attribute,
    children,
    heading_rank,
    is_left_out,
    is_note_reference,
)
from tocwalk.ingest.html.levels import Levels
from tocwalk.ingest.html.lists import LISTS, Lists
from tocwalk.ingest.html.tables import Layout, holds_data, layout_of, text_of_table

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["PageReader"]

_TIGHT = {"dd", "dt", "figure", "li", "td", "th"}
"""Elements in which paragraphs follow each other without blank lines."""
_NUMBER_ALONE = re.compile(r"(?:[^\W\d]+ )?(?:[\w-]+[.):]|\w+(?:\.\w+)+)")
_COUNTED = re.compile(r"(?:[^\W\d]+ |§ ?)?\d+")
"""A number without a full stop is one only if what follows it is in an element too: "<b>3</b>D" is a word."""
_NUMBER_PARTS = 6
"""Pieces of text among which a number is looked for."""
_NUMBER_CLASS = re.compile(r"num|secno|label", re.IGNORECASE)


@dataclass(slots=True)
class _OpenHeading:
    """A heading whose end has not come yet."""

    element: int
    rank: int
    anchor: str | None
    """The element's own id, or the first one inside it."""
    anchor_before: str | None
    start: int | None = None
    title: list[str] = field(default_factory=list[str])
    pictures: list[str] = field(default_factory=list[str])

    def so_far(self) -> str:
        return collapse("".join(self.title)).strip()


class PageReader:
    """Reads pages into a text, and finds the headings in it."""

    def __init__(self, flow: TextFlow | None = None) -> None:
        """Begin with the flow that the text is written to, or with an empty one."""
        self.flow = flow or TextFlow()
        self.headings: list[Heading] = []
        """In reading order; numbers are still in their titles."""
        self.verbatim: list[tuple[int, int]] = []
        """Where preformatted text stands."""
        self._levels = Levels()
        self._lists = Lists()
        self._layouts: list[Layout] = []
        self._heading: _OpenHeading | None = None
        self._tight = 0
        self._verbatim: list[int] = []
        """Where the preformatted elements around the place begin."""

    def read(self, root: LexborNode) -> None:
        """Add the text of an element and all that is in it; however deep, without recursion."""
        ahead: list[tuple[LexborNode, bool]] = [(root, True)]
        while ahead:
            node, entering = ahead.pop()
            if not entering:
                self._leave(node, node.tag or "")
            elif node.is_text_node:
                self._write(node.text_content or "")
            elif self._enter(node, node.tag or ""):
                ahead.append((node, False))
                ahead.extend((child, True) for child in reversed(self._inside(node)))

    def _enter(self, node: LexborNode, tag: str) -> bool:
        """Begin an element; false if nothing in it remains to be read."""
        anchor = node.id or (attribute(node, "name") if tag == "a" else "")
        if anchor:
            self._note_anchor(anchor)
        if node.is_comment_node or is_left_out(node):
            return False
        self._break(tag)
        if self._read_whole(node, tag):
            self._break(tag)
            return False
        self._tight += tag in _TIGHT
        if tag == "pre":
            self._verbatim.append(self.flow.length)
        if Levels.is_container(node):
            self._levels.enter()
        if tag in LISTS:
            self._lists.enter(node)
            self.flow.indent = self._lists.indent
        elif tag == "li":
            self.flow.begin_item(self._lists.marker(node))
        elif tag == "table":
            self._layouts.append(layout_of(node, _text_of))
        elif tag == "sup" and self.flow.ends_in_digit and _is_power(node):
            self._write("^")
        elif tag in {"td", "th"} and self._layouts and (label := self._layouts[-1].labels.get(node.mem_id)):
            self.flow.begin_item(f"{label}: ")
        if self._heading is None and (rank := heading_rank(node)):
            self._begin_heading(node, rank)
        return True

    def _leave(self, node: LexborNode, tag: str) -> None:
        if self._heading is not None:
            if self._heading.element == node.mem_id:
                self._end_heading(self._heading)
            else:
                self._separate_number(node, self._heading)
        if Levels.is_container(node):
            self._levels.leave()
        if tag in LISTS:
            self._lists.leave()
            self.flow.indent = self._lists.indent
        elif tag in {"li", "td", "th"}:
            self.flow.drop_marker()
        elif tag == "table":
            self._layouts.pop()
        self._tight -= tag in _TIGHT
        if tag == "pre":
            self.verbatim.append((self._verbatim.pop(), self.flow.length))
        self._break(tag)

    def _inside(self, node: LexborNode) -> list[LexborNode]:
        """Return the children in the order in which they are read."""
        nodes = children(node)
        first = self._layouts[-1].first.get(node.mem_id) if self._layouts and node.tag == "tr" else None
        return sorted(nodes, key=lambda child: child.mem_id != first) if first else nodes

    def _read_whole(self, node: LexborNode, tag: str) -> bool:
        """Write an element that is read in one piece; false if it is not of this kind."""
        if tag == "img":
            self._picture(collapse(attribute(node, "alt")).strip())
        elif tag == "math" and attribute(node, "alttext"):
            self._write(attribute(node, "alttext"))
        elif is_note_reference(node):
            self._note_reference(collapse(node.text()).strip())
        elif tag == "table" and self._heading is None and holds_data(node):
            self._table(node)
        else:
            return tag == "br"
        return True

    def _note_anchor(self, anchor: str) -> None:
        if self._heading is not None and self._heading.anchor is None:
            self._heading.anchor = anchor
        self.flow.await_text(anchor)

    def _write(self, text: str) -> None:
        if self._heading is not None:
            self._heading.title.append(text)
            self._write_in_heading(text, self._heading)
        elif self._verbatim:
            self.flow.write_verbatim(text)
        else:
            self.flow.write(text)

    def _write_in_heading(self, text: str, heading: _OpenHeading) -> None:
        if heading.start is None and collapse(text).strip():
            heading.start = self.flow.next_offset()
        self.flow.write(text)

    def _break(self, tag: str) -> None:
        """End the line before and after a block; in a heading that is one of its lines."""
        if tag not in BLOCKS and tag not in PARAGRAPHS and tag != "br":
            return
        loose = tag in PARAGRAPHS and not self._tight and self._heading is None
        self.flow.end_line(blank_lines=int(loose))
        if self._heading is not None:
            self._heading.title.append(" ")

    def _picture(self, description: str) -> None:
        """Write what stands for a picture; in a heading only if the heading has no other words."""
        if self._heading is not None:
            self._heading.pictures.append(description)
        elif description:
            self.flow.write(f"[{description}]")

    def _note_reference(self, mark: str) -> None:
        """Write a footnote's mark in brackets, so that it is no digit of the word before it, and in no title."""
        text = mark if mark.startswith(("[", "(")) or not mark else f"[{mark}]"
        if self._heading is not None:
            self._write_in_heading(text, self._heading)
        else:
            self.flow.write(text)

    def _table(self, node: LexborNode) -> None:
        for inside in node.css("[id]"):
            self.flow.await_text(inside.id or "")
        for caption in node.css("caption"):
            self.flow.write(_text_of(caption))
            self.flow.end_line(blank_lines=1)
        self.flow.write_verbatim(text_of_table(node, _text_of))

    def _begin_heading(self, node: LexborNode, rank: int) -> None:
        self._heading = _OpenHeading(node.mem_id, rank, node.id or None, self.flow.nearest_anchor)
        self.flow.drop_marker()
        self.flow.indent = ""
        self.flow.end_line(blank_lines=1)

    def _end_heading(self, heading: _OpenHeading) -> None:
        if not heading.so_far():
            self._write(" ".join(heading.pictures))
        self._heading = None
        self.flow.indent = self._lists.indent
        self.flow.end_line(blank_lines=1)
        title = heading.so_far()
        if title and heading.start is not None:
            self.headings.append(
                Heading(
                    start=heading.start,
                    end=self.flow.length + 1,
                    level=self._levels.level(heading.rank),
                    title=title,
                    anchor=heading.anchor or heading.anchor_before,
                )
            )

    def _separate_number(self, node: LexborNode, heading: _OpenHeading) -> None:
        """Keep a number in an element of its own apart from the title: "1." and "Introduction"."""
        if len(heading.title) > _NUMBER_PARTS:
            return
        so_far = heading.so_far()
        if so_far and (
            _NUMBER_ALONE.fullmatch(so_far)
            or _NUMBER_CLASS.search(attribute(node, "class"))
            or (_COUNTED.fullmatch(so_far) and node.next is not None and node.next.is_element_node)
        ):
            self._write(" ")


def _is_power(node: LexborNode) -> bool:
    return node.text().strip().isdecimal() and node.css_first("a") is None


def _text_of(node: LexborNode) -> str:
    """Return the text of an element on its own."""
    reader = PageReader()
    reader.read(node)
    return reader.flow.text().strip("\n")
