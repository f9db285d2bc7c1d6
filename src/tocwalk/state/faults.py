"""What is wrong with values that were sent, set or written by hand, in words for those who did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic import ValidationError

__all__ = ["fault", "faults"]

_OBJECT, _INTEGER, _NUMBER, _TRUTH = (
    "must be an object",
    "must be an integer",
    "must be a number",
    "must be true or false",
)
_WORDS: Mapping[str, str] = {
    "missing": "missing",
    "extra_forbidden": "there is no such key",
    "string_type": "must be a string",
    "list_type": "must be a list",
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "int_type": _INTEGER,
    "int_parsing": _INTEGER,
    "int_from_float": _INTEGER,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
}
"""For what pydantic says in terms of Python; the rest it says well enough, but of an "input"."""


def faults(error: ValidationError, *, values: bool = True, most: int | None = None) -> str:
    """Return all that is wrong in one line, like `visits: must be an integer, got 'many'; query: missing`.

    Args:
        error: From pydantic.
        values: Show each value too; False where it may be a document, or is shown as a whole.
        most: Faults told at most; None: all.
    """
    return "; ".join(_told(one, values=values) for one in error.errors()[:most])


def fault(found: Mapping[str, object]) -> str:
    """Return what one value must be, without its place: `must be an integer`.

    Args:
        found: One of pydantic's `error.errors()`.
    """
    text = str(found["msg"]).removeprefix("Value error, ").replace("Input should be", "must be")
    return _WORDS.get(str(found["type"]), text)


def _told(found: Mapping[str, object], *, values: bool) -> str:
    place = ".".join(map(str, cast("tuple[str | int, ...]", found["loc"])))
    got = f", got {found['input']!r}" if values and found["type"] != "missing" else ""
    return f"{place}: {fault(found)}{got}" if place else f"{fault(found)}{got}"
