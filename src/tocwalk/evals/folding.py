"""Words made comparable, whatever a parser made of spaces, hyphens and quotation marks."""

from __future__ import annotations

import unicodedata

__all__ = ["folded"]


def folded(text: str) -> str:
    """Return the letters and digits of `text`, in compatibility form (ligatures taken apart) and without case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
