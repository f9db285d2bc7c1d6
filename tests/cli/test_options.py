"""How KEY=VALUE is read."""

from __future__ import annotations

import json

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.cli.options import grouped, pairs_option

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


def _read(*given_: str) -> tuple[tuple[str, object], ...]:
    @click.command()
    @pairs_option("--pair", "pairs", "Pairs.")
    def command(pairs: tuple[tuple[str, object], ...]) -> tuple[tuple[str, object], ...]:
        return pairs

    found: tuple[tuple[str, object], ...] = command.main(
        [part for text in given_ for part in ("--pair", text)], standalone_mode=False
    )
    return found


@given(SCALARS)
def test_a_json_scalar_is_read_as_itself(value: object) -> None:
    """A value written as JSON comes back as the same value of the same type."""
    ((key, read),) = _read(f"k={json.dumps(value)}")
    assert (key, read, type(read)) == ("k", value, type(value))


@pytest.mark.parametrize(
    "text",
    ["", "plain words", "1.2.3", "[1]", '{"a": 1}', "NaN", "Infinity", "1e999", "true story", "a=b", "[" * 100_000],
)
def test_anything_else_is_text(text: str) -> None:
    """What is no JSON scalar is the text as it stands, "=" included."""
    assert _read(f"k={text}") == (("k", text),)


@pytest.mark.parametrize("text", ["", "key", "=value", "  =value"])
def test_what_is_no_pair_is_refused(text: str) -> None:
    """Without "=", or without a key before it, the value is named."""
    with pytest.raises(click.BadParameter, match="KEY=VALUE"):
        _read(text)


def test_a_key_given_again_means_one_of_its_values() -> None:
    """Filters on one key are alternatives, in the order given; on several keys all must hold."""
    assert grouped([("year", 2023), ("lang", "en"), ("year", 2024)]) == {"year": [2023, 2024], "lang": "en"}
