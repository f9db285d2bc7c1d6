"""Numbers as lists and headings print them."""

from __future__ import annotations

from string import ascii_lowercase

__all__ = ["letters", "roman"]

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_LETTERS = 30


def letters(number: int) -> str:
    """Return 1 as "a", 26 as "z", 27 as "aa", 28 as "bb", as Word counts; other numbers in digits."""
    repeats, place = divmod(number - 1, len(ascii_lowercase))
    return ascii_lowercase[place] * (repeats + 1) if 0 <= repeats < _MOST_LETTERS else str(number)


def roman(number: int) -> str:
    """Return 4 as "iv"; numbers below 1 or above 3999 in digits."""
    if not 0 < number < 4000:  # noqa: PLR2004 - what Roman numerals can write
        return str(number)
    numeral = ""
    for value, digits in _ROMAN:
        numeral += digits * (number // value)
        number %= value
    return numeral
