"""Long text made short: its beginning, in whole sentences."""

from __future__ import annotations

from tocwalk.ingest.prose import language_of, segments
from tocwalk.tree import one_line

__all__ = ["SUMMARY_LENGTH", "beginning", "capped"]

SUMMARY_LENGTH = 400
"""Characters of a summary at most."""

_LOOKED_AT = 10 * SUMMARY_LENGTH


def beginning(text: str, limit: int) -> str:
    """Return `text`, or as many whole sentences of its beginning as fit; of a first one that is longer, whole words.

    Args:
        text: Of any length.
        limit: Most UTF-8 bytes.
    """
    encoded = text[:limit].encode(errors="replace")
    if len(text) <= limit and len(encoded) <= limit:
        return text
    head = encoded[:limit].decode(errors="ignore")
    # What may be cut off is the last sentence.
    whole = sum(map(len, segments(head, language=language_of(head))[:-1]))
    if not head[:whole].strip():
        whole = max(map(head.rfind, " \n\t"))
    return text[: whole if whole > 0 else len(head)]


def capped(summary: str) -> str:
    """Return what a model wrote as a summary: one line without control and direction characters, and not too long.

    As many whole sentences as fit into `SUMMARY_LENGTH` characters, or the first one cut off between words.
    """
    line = one_line(summary, _LOOKED_AT)
    if len(line) <= SUMMARY_LENGTH:
        return line
    head = line[: SUMMARY_LENGTH - 1]
    whole = "".join(segments(line[:SUMMARY_LENGTH], language=language_of(line))[:-1]).rstrip()
    return whole or f"{(head.rpartition(' ')[0] or head).rstrip(' ,;:')}…"
