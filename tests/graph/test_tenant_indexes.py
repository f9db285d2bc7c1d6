"""Indexes that a process keeps open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tocwalk.graph import opening
from tocwalk.graph.opening import writer


def test_only_so_many_indexes_stay_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tenants there are, only those asked for last stay open; the others are opened again."""
    monkeypatch.setattr(opening, "_MOST_OPEN", 2)
    monkeypatch.setattr(opening, "_opened", {})
    first, second, third = (writer(tmp_path / "index.db", tenant=name) for name in ("a", "b", "c"))
    indexes = [first(), second()]
    assert first() is indexes[0]
    indexes.append(third())
    assert first() is indexes[0]
    assert third() is indexes[2]
    indexes.append(second())
    assert indexes[3] is not indexes[1]
    for index in indexes:
        index.close()
