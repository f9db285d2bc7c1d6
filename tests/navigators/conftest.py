"""What tests of navigators share: a model server on this machine, and a small index."""

from __future__ import annotations

from model_server import operator, running_stub, stub
from reference.asking import small_index

__all__ = ["operator", "running_stub", "small_index", "stub"]
