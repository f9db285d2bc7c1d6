"""Filters on document metadata: equality, or one of several values.

Types are strict: 1 is not "1" and True is not 1, but 1 and 1.0 are the same number.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

from tocwalk.errors import InputError
from tocwalk.index.cleaning import clean_text
from tocwalk.tree import JsonScalar

__all__ = ["Conditions", "bounded", "comparable", "conditions_of"]

Conditions: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Keys with the values of which one must match, both as the index stores them; sorted."""

_MOST_KEYS = 64
_MOST_VALUES = 10_000
_LONGEST = 200


def conditions_of(filters: Mapping[str, Any] | None) -> Conditions:
    """Return what a document must match: every key, with one of its values.

    Raises:
        InputError: A key is not a string, a value is neither a scalar nor a list of scalars, or there are more
            than 64 keys or 10,000 values.
    """
    conditions: list[tuple[str, tuple[str, ...]]] = []
    for key, wanted in (filters or {}).items():
        if not isinstance(key, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # it comes from a caller's JSON
            raise InputError(f"Filter key {key!r} is not a string; give the name of a metadata key.")
        values = cast("Sequence[object]", wanted) if isinstance(wanted, (list, tuple)) else (wanted,)
        conditions.append((bounded(key), tuple(sorted({_asked(key, value) for value in values}))))
    if len(conditions) > _MOST_KEYS or sum(len(values) for _, values in conditions) > _MOST_VALUES:
        raise InputError(f"Too many filters: at most {_MOST_KEYS} keys and {_MOST_VALUES} values can be asked for.")
    return tuple(sorted(conditions))


def comparable(value: JsonScalar) -> str:
    """Return a text that is the same for equal values, and for no others."""
    if isinstance(value, str):
        return bounded(json.dumps(clean_text(value)))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value)


def bounded(text: str) -> str:
    """Return the text, or its digest where it is too long for the index of a database."""
    cleaned = clean_text(text)
    if len(cleaned) <= _LONGEST:
        return cleaned
    return f"sha256:{hashlib.sha256(cleaned.encode()).hexdigest()}"


def _asked(key: str, value: object) -> str:
    if value is not None and not isinstance(value, (str, int, float, bool)):
        raise InputError(
            f"Filter {key!r} has the value {value!r}: give a string, number, boolean, null, or a list of them."
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"Filter {key!r} has the value {value!r}, which nothing equals; give a finite number.")
    return comparable(value)
