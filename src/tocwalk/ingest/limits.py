"""What one document may cost."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]

_MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on reading one document; whichever is reached first ends its reading with an `IngestError`."""

    max_bytes: int = 256 * _MIB
    """Size of the file in bytes."""
    memory_bytes: int = 2048 * _MIB
    """Address space of the process that parses, in bytes. Not enforced by macOS."""
    cpu_seconds: float = 120.0
    """Processor time."""
    wall_seconds: float = 180.0
    """Time by the clock."""
