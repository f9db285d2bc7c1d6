"""What tests of the rules share."""

from reference.asking import small_index

__all__ = ["small_index"]
