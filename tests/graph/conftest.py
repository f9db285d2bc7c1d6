"""What tests of the graph share."""

from reference.asking import small_index

__all__ = ["small_index"]
