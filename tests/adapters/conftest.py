"""What tests of the adapters share."""

from reference.asking import small_index

__all__ = ["small_index"]
