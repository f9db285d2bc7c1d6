"""Text that can be sent and stored."""

from __future__ import annotations

__all__ = ["encodable"]


def encodable(text: str) -> str:
    """Return a plain string with "?" for each lone surrogate: UTF-8 has no bytes for one, whoever wrote it."""
    return str.encode(text, errors="replace").decode()
