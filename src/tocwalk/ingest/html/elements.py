"""What the elements of HTML are to a reader of the page: blocks, headings, or nothing at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = [
    "BLOCKS",
    "HEADINGS",
    "PARAGRAPHS",
    "attribute",
    "children",
    "heading_rank",
    "is_left_out",
    "is_note_reference",
]

_BLOCKS = (
    "address article aside body caption center dd details dialog dir div dt fieldset figcaption footer form header"
    " hgroup html legend li main menu section summary tbody td tfoot th thead tr"
)
_PARAGRAPHS = "blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul"
_LEFT_OUT = (
    "audio base canvas datalist embed head iframe input link meta nav noscript object script select style svg template"
    " textarea title video"
)

BLOCKS = frozenset(_BLOCKS.split())
"""Elements that stand on lines of their own."""
PARAGRAPHS = frozenset(_PARAGRAPHS.split())
"""Elements with a blank line before and after them."""
HEADINGS = "h1, h2, h3, h4, h5, h6, [role=heading]"

_NO_TEXT = frozenset(_LEFT_OUT.split())
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_PERMALINKS = frozenset({"¶", "#", "§", "🔗", "⚓", "∞", "↩", "↩︎", "⏎", "[link]"})
_NOTE_CLASSES = re.compile(r"\b(?:footnote-?ref(?:erence)?|noteref|fnref)\b", re.IGNORECASE)
_RANKS = range(1, 10)


def attribute(node: LexborNode, name: str) -> str:
    """Return the value of an attribute, "" where there is none."""
    return node.attributes.get(name) or ""


def children(node: LexborNode) -> list[LexborNode]:
    """Return the elements, texts and comments directly inside an element."""
    found: list[LexborNode] = []
    child = node.child
    while child is not None:
        found.append(child)
        child = child.next
    return found


def heading_rank(node: LexborNode) -> int:
    """Return 1 for `<h1>` and for `role="heading" aria-level="1"`, 0 for what is no heading."""
    tag = node.tag or ""
    if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":  # noqa: PLR2004 - "h1" to "h6"
        return int(tag[1])
    if attribute(node, "role") != "heading":
        return 0
    level = attribute(node, "aria-level")
    return int(level) if level.isdecimal() and int(level) in _RANKS else 2


def is_left_out(node: LexborNode) -> bool:
    """Tell whether an element is no text of the page: scripts, navigation, what is hidden, links to the own heading."""
    if node.tag in _NO_TEXT:
        return True
    attributes = node.attributes
    if not attributes:
        return False
    hidden = "hidden" in attributes and attributes["hidden"] != "until-found"
    return (
        hidden
        or attributes.get("role") in {"navigation", "doc-toc", "doc-pagebreak"}
        or attributes.get("epub:type") == "pagebreak"
        or bool(_INVISIBLE.search(attributes.get("style") or ""))
        or _is_permalink(node)
    )


def _is_permalink(node: LexborNode) -> bool:
    if node.tag != "a" or "#" not in attribute(node, "href"):
        return False
    text = node.text().strip()
    return text in _PERMALINKS or (not text and node.css_first("img") is None)


def is_note_reference(node: LexborNode) -> bool:
    """Tell whether a link leads to a footnote."""
    if node.tag != "a" or "#" not in attribute(node, "href"):
        return False
    parent = node.parent
    return (
        attribute(node, "role") == "doc-noteref"
        or "noteref" in attribute(node, "epub:type").split()
        or bool(_NOTE_CLASSES.search(attribute(node, "class")))
        or (parent is not None and parent.tag == "sup")
    )
