"""The Markdown that is read: CommonMark, and blocks of other dialects in which a "#" is no heading."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

__all__ = ["commonmark"]

_EXTENSION = re.compile(r"\{::(?:comment|nomarkdown)\b[^{}]*(?<!/)\}\s*$")
_EXTENSION_END = re.compile(r"^\{:/")
_MATH_END = re.compile(r"^\$\$|\$\$\s*$")
_IN_PARAGRAPH = re.compile(r"^ ?\$\$|\$\$\s*$")
_INTERRUPTED = ["paragraph", "reference", "blockquote", "list"]


@cache
def commonmark() -> MarkdownIt:
    """Return a CommonMark parser of blocks; inline markup is left as it is, `parser.inline` reads it.

    Two kinds of blocks are added: display math between "$$", and kramdown's `{::comment}` and `{::nomarkdown}`.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.before("fence", "math_block", _math_block, {"alt": _INTERRUPTED})
    parser.block.ruler.before("fence", "extension_block", _extension_block, {"alt": _INTERRUPTED})
    return parser


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Display math: "$$" alone on a line up to the next "$$", or "$$ x" up to one in the same paragraph."""
    line = _line(state, start)
    if not line.startswith("$$") or "$$" in line[2:]:
        return False
    closing = _IN_PARAGRAPH if line.rstrip() != "$$" else _MATH_END
    return _block(state, start, end, closing=closing, silent=silent)


def _extension_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A kramdown extension whose content is no text of the document's."""
    return bool(_EXTENSION.match(_line(state, start))) and _block(
        state, start, end, closing=_EXTENSION_END, silent=silent
    )


def _block(state: StateBlock, start: int, end: int, *, closing: re.Pattern[str], silent: bool) -> bool:
    """Take the lines from `start` to the first that closes the block; false, and nothing taken, if none does."""
    unclosed = f"unclosed {closing.pattern} before {end}"
    if state.is_code_block(start) or start >= state.env.get(unclosed, end):
        return False
    for number in range(start + 1, end):
        line = _line(state, number)
        if closing.search(line):
            if not silent:
                state.push("verbatim_block", "", 0).map = [start, number + 1]
                state.line = number + 1
            return True
        if closing is _IN_PARAGRAPH and not line.strip():
            return False
    state.env[unclosed] = start  # so that many blocks that nothing closes are not searched to the end each
    return False


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
