"""What users are told of values that cannot be used."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from tocwalk.state.context import WalkContext
from tocwalk.state.faults import faults


class Sent(BaseModel):
    """Something of each kind."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    count: int = 1
    share: float = 1.0
    on: bool = False
    tags: list[str] = []
    facts: dict[str, str] = {}
    settings: WalkContext | None = None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "name: missing"),
        ({"name": 5}, "name: must be a string, got 5"),
        ({"name": "a", "count": "many"}, "count: must be an integer, got 'many'"),
        ({"name": "a", "share": "half"}, "share: must be a number, got 'half'"),
        ({"name": "a", "on": 2}, "on: must be true or false, got 2"),
        ({"name": "a", "tags": "b"}, "tags: must be a list, got 'b'"),
        ({"name": "a", "tags": ["b", 1]}, "tags.1: must be a string, got 1"),
        ({"name": "a", "facts": []}, "facts: must be an object, got []"),
        ({"name": "a", "settings": 1}, "settings: must be an object, got 1"),
        (
            {"name": "a", "settings": {"on_failure": "stop"}},
            "settings.on_failure: must be 'raise' or 'partial', got 'stop'",
        ),
        ({"name": "a", "nmae": 1}, "nmae: there is no such key, got 1"),
        ({"count": 1.5}, "name: missing; count: must be an integer, got 1.5"),
    ],
)
def test_each_fault_is_told_by_its_place_and_value(given: dict[str, Any], told: str) -> None:
    """What is wrong comes in words of the format that was sent, not of Python or a library."""
    with pytest.raises(ValidationError) as caught:
        Sent.model_validate(given)
    assert faults(caught.value) == told


def test_values_and_all_but_some_faults_can_be_left_out() -> None:
    """Values that may be documents are not shown, and of many faults that say the same not all are told."""
    with pytest.raises(ValidationError) as caught:
        Sent.model_validate({"name": 5, "count": "many"})
    assert faults(caught.value, values=False, most=1) == "name: must be a string"
