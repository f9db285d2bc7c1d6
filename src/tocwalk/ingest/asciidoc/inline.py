"""Titles without AsciiDoc's inline markup."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["plain_title"]

_LONGEST = 1000
"""Characters of a title whose markup is read; a longer one is nobody's title."""
_ATTRIBUTE = re.compile(r"\{([\w-]+)\}")
_CHARACTERS = {
    "nbsp": " ",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "plus": "+",
    "apos": "'",
    "quot": '"',
    "sp": " ",
    "empty": "",
}
_REPLACED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\[\[[^\[\]]*\]\]|(?:indexterm2?|footnote(?:ref)?):[\w-]*\[[^\]]*\]|\(\(\([^()]*\)\)\)", ""),
        (r"\(\(([^()]*)\)\)", r"\1"),
        (r"<<[^<>,]*,\s*([^<>]*)>>", r"\1"),
        (r"<<([^<>]*)>>", r"\1"),
        (r"(?:link|xref|mailto|image|kbd|btn|menu|pass|stem|latexmath|asciimath):[^\s\[\]]*\[([^\]]*)\]", r"\1"),
        (r"\bhttps?://[^\s\[\]]+\[([^\]]+)\]", r"\1"),
        (r"(?:\[[.#%][^\[\]]*\])?##(\S(?:.*?\S)?)##", r"\1"),
        (r"\+\+\+?(\S(?:.*?\S)?)\+\+\+?|\*\*(\S(?:.*?\S)?)\*\*|__(\S(?:.*?\S)?)__|``(\S(?:.*?\S)?)``", r"\1\2\3\4"),
        (r"(?<!\w)`\+?([^\s`](?:[^`]*?[^\s`+])?)\+?`(?!\w)", r"\1"),
        (r"(?<!\w)\*([^\s*](?:[^*]*[^\s*])?)\*(?!\w)", r"\1"),
        (r"(?<!\w)_([^\s_](?:.*?[^\s_])?)_(?!\w)", r"\1"),
        (r"(?<!\w)(?:\[[.#%][^\[\]]*\])?#([^\s#](?:[^#]*[^\s#])?)#(?!\w)", r"\1"),
        (r"(?<!\w)\+([^\s+](?:[^+]*[^\s+])?)\+(?!\w)", r"\1"),
        (r"\^([^\s^]+)\^|~([^\s~]+)~", r"\1\2"),
        (r"\(C\)", "©"),
        (r"\(R\)", "®"),
        (r"\(TM\)", "™"),
        (r"\\(?=[*_`#+~^{<\[])", ""),
    )
)
"""Macros leave their text, marks of emphasis nothing; the order is AsciiDoc's own as far as titles show it."""


def plain_title(title: str, attributes: Mapping[str, str]) -> str:
    """Return a title on one line as it is printed.

    Args:
        title: As it is in the file.
        attributes: What the file sets so far; a reference to any other is left as it is.
    """
    if len(title) <= _LONGEST:
        for pattern, replacement in _REPLACED:
            title = pattern.sub(replacement, title)
        title = _ATTRIBUTE.sub(lambda name: _value(name, attributes), title)
    return " ".join(title.split())


def _value(name: re.Match[str], attributes: Mapping[str, str]) -> str:
    known = name[1].lower()
    return attributes.get(known, _CHARACTERS.get(known, name[0]))[:_LONGEST]
