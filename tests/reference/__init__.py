"""The rules of the walk as a plain model, with worked cases and strategies: what the graph is held against."""

from __future__ import annotations

import pytest

__all__: list[str] = []

pytest.register_assert_rewrite("reference.cases", "reference.compare")
