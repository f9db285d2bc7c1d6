"""What tests of the graph share."""

from model_server import operator, running_stub, stub
from reference.asking import small_index

__all__ = ["operator", "running_stub", "small_index", "stub"]
