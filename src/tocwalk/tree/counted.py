"""How many of a thing there are, in words for people."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, thing: str) -> str:
    """Return "1 visit", "2 visits", "1,234 visits"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
