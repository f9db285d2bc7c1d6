"""Numbers as lists and headings print them."""

from __future__ import annotations

from string import ascii_lowercase

__all__ = ["alphabetic", "chinese", "english", "english_ordinal", "letters", "roman"]

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_LETTERS = 30
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_IRREGULAR = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_CHINESE = "零一二三四五六七八九"


def letters(number: int) -> str:
    """Return 1 as "a", 26 as "z", 27 as "aa", 28 as "bb", as Word counts; other numbers in digits."""
    repeats, place = divmod(number - 1, len(ascii_lowercase))
    return ascii_lowercase[place] * (repeats + 1) if 0 <= repeats < _MOST_LETTERS else str(number)


def alphabetic(number: int) -> str:
    """Return 1 as "a", 26 as "z", 27 as "aa", 28 as "ab", as HTML counts; numbers below 1 in digits."""
    if number < 1:
        return str(number)
    name = ""
    while number:
        number, place = divmod(number - 1, len(ascii_lowercase))
        name = ascii_lowercase[place] + name
    return name


def roman(number: int) -> str:
    """Return 4 as "iv"; numbers below 1 or above 3999 in digits."""
    if not 0 < number < 4000:  # noqa: PLR2004 - what Roman numerals can write
        return str(number)
    numeral = ""
    for value, digits in _ROMAN:
        numeral += digits * (number // value)
        number %= value
    return numeral


def english(number: int) -> str:
    """Return 21 as "twenty-one"; numbers below 0 or above 99 in digits."""
    small, tens = _SMALL.split(), _TENS.split()
    if 0 <= number < len(small):
        return small[number]
    ten, one = divmod(number, 10)
    if not 2 <= ten <= 9:  # noqa: PLR2004 - from twenty to ninety-nine
        return str(number)
    return tens[ten - 2] + (f"-{small[one]}" if one else "")


def english_ordinal(number: int) -> str:
    """Return 21 as "twenty-first"; numbers below 1 or above 99 in digits."""
    before, hyphen, last = english(number).rpartition("-")
    if not last.isalpha() or number < 1:
        return str(number)
    return before + hyphen + _IRREGULAR.get(last, f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")


def chinese(number: int) -> str:
    """Return 12 as "十二"; numbers below 1 or above 999 in digits."""
    if not 0 < number < 1000:  # noqa: PLR2004 - what is spelled out
        return str(number)
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    numeral = f"{_CHINESE[hundreds]}百" if hundreds else ""
    if tens:
        numeral += "十" if tens == 1 and not hundreds else f"{_CHINESE[tens]}十"
    elif hundreds and ones:
        numeral += "零"
    return numeral + (_CHINESE[ones] if ones else "")
