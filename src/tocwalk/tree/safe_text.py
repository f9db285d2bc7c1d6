"""Text written by strangers, made safe to show: to a model, in a terminal, in a log."""

from __future__ import annotations

import re

__all__ = ["clip", "clip_bytes", "many_lines", "one_line"]

# Direction marks, embeddings, overrides and isolates reorder what a reader sees (Unicode TR 36, 2.7);
# soft hyphens, zero-width space, word joiner and its like, annotation marks and byte order mark hide in it, and tags
# spell out in secret what only a model reads. Joiners stay: some scripts need them.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_CONTROL_OR_SPACE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_LINE_BREAK = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def one_line(text: str, limit: int) -> str:
    """Return `text` on one line, without control and direction characters, clipped to `limit` characters."""
    # Only the beginning can be seen: a title of a megabyte must not cost a megabyte of work each time.
    head = text[: 4 * limit]
    # What most titles are: one line that neither hides nor reorders anything. `isprintable` knows no blank but " ".
    if head.isprintable() and "  " not in head:
        return clip(head.strip(), limit)
    return clip(_CONTROL_OR_SPACE.sub(" ", _INVISIBLE.sub("", head)).strip(), limit)


def many_lines(text: str) -> str:
    """Return all of `text` without direction characters; line breaks of every kind become line feeds, tabs stay.

    Each other control character becomes a space, so that what is printed can neither move a cursor nor colour, hide
    or reorder anything.
    """
    return _CONTROL.sub(" ", _LINE_BREAK.sub("\n", _INVISIBLE.sub("", text)))


def clip(text: str, limit: int) -> str:
    """Return `text`, or its beginning and an ellipsis in at most `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def clip_bytes(text: str, limit: int) -> str:
    """Return `text`, or its beginning and an ellipsis in at most `limit` UTF-8 bytes (at least 4)."""
    encoded = text.encode()
    if len(encoded) <= limit:
        return text
    return encoded[: limit - 3].decode(errors="ignore").rstrip() + "…"
