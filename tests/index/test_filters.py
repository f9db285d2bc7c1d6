"""Filters on document metadata: equality or one of several, types strict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_documents import make_document, put

from tocwalk.errors import InputError
from tocwalk.index import TreeIndex
from tocwalk.index.filters import comparable

_VALUES: dict[str, Any] = {
    "int": 1,
    "float": 1.5,
    "whole": 2.0,
    "text": "1",
    "true": True,
    "false": False,
    "none": None,
    "zero": 0,
    "quote": "x' OR '1'='1",
    "long": "ü" * 5000,
    "empty": "",
}

_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXTS


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TreeIndex]:
    """Return an index with a document for each value, under the key `v`, and one without it."""
    with TreeIndex(tmp_path_factory.mktemp("typed") / "index.db") as index:
        for name, value in _VALUES.items():
            put(index, make_document(name, metadata={"v": value, "all": "yes"}))
        put(index, make_document("without", metadata={"all": "yes"}))
        yield index


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"v": 1}, ["int"]),
        ({"v": 1.0}, ["int"]),
        ({"v": "1"}, ["text"]),
        ({"v": True}, ["true"]),
        ({"v": False}, ["false"]),
        ({"v": 0}, ["zero"]),
        ({"v": None}, ["none"]),
        ({"v": 2}, ["whole"]),
        ({"v": ""}, ["empty"]),
        ({"v": "ü" * 5000}, ["long"]),
        ({"v": "ü" * 4999}, []),
        ({"v": "x' OR '1'='1"}, ["quote"]),
        ({"v": [1, "1", "nowhere"]}, ["int", "text"]),
        ({"v": (True, None)}, ["none", "true"]),
        ({"v": []}, []),
        ({"v": "true"}, []),
        ({"v": "null"}, []),
        ({"unknown": 1}, []),
        ({"v": 1, "all": "yes"}, ["int"]),
        ({"v": 1, "all": "no"}, []),
        ({"v' OR 1=1 --": 1}, []),
        ({"V": 1}, []),
        ({"v\0": 1, "\ud800": "\udfff"}, []),
        ({}, sorted([*_VALUES, "without"])),
    ],
)
def test_a_filter_matches_equal_values_of_the_same_type(
    typed: TreeIndex, filters: dict[str, Any], expected: list[str]
) -> None:
    """Numbers equal numbers, and nothing else; names and values are never read as SQL or patterns."""
    heads = typed.roots("default", typed.generation("default"), filters=filters)
    assert [head.id for head in heads] == expected


@pytest.mark.parametrize(
    "filters",
    [
        {"v": {"$gt": 1}},
        {"v": [[1]]},
        {"v": [{"a": 1}]},
        {"v": object()},
        {"v": float("nan")},
        {"v": [float("inf")]},
        {1: "x"},
        {f"k{number}": 1 for number in range(65)},
        {"v": list(range(10_001))},
    ],
    ids=["mapping", "nested", "mapping in list", "object", "nan", "infinite", "key", "many keys", "many values"],
)
def test_a_filter_that_cannot_match_by_its_form_is_refused(typed: TreeIndex, filters: dict[Any, Any]) -> None:
    """What is neither a scalar nor a list of scalars, or far too much, is an error before anything is read."""
    with pytest.raises(InputError, match=r"[Ff]ilter"):
        typed.roots("default", typed.generation("default"), filters=filters)


def test_a_filter_and_named_documents_must_both_match(typed: TreeIndex) -> None:
    """`only_documents` and filters narrow each other."""
    heads = typed.roots(
        "default", typed.generation("default"), only_documents=["int", "text"], filters={"v": ["1", True]}
    )
    assert [head.id for head in heads] == ["text"]


@given(one=_SCALARS, other=_SCALARS)
def test_values_compare_as_in_json(one: Any, other: Any) -> None:
    """Two values match exactly if they are equal and both are booleans or neither is."""
    same = one == other and isinstance(one, bool) == isinstance(other, bool)
    assert (comparable(one) == comparable(other)) == same
