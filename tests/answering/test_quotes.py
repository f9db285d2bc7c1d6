"""Looking quotes up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.answering.quotes import find_quote

TEXT = """2 Rent
Rent is due monthly, on the first work-
ing day of each month. The long-term tenant’s “deposit” is  two
months’ rent – it bears no interest. **Late** rent is charged at 8%.

| Floor | Rent |
|---|---|
| Ground | 1,200 |

Item            2024     2023
Heating          310      295
"""


def found(quote: str, text: str = TEXT) -> str:
    """Return the text that a quote is, or "" if it does not count."""
    finding = find_quote(quote, text)
    assert bool(finding.problem) == (finding.start < 0)
    return "" if finding.problem else text[finding.start : finding.end]


@pytest.mark.parametrize(
    "quote",
    [
        "Rent is due monthly, on the first working day",
        "on the first work-ing day of each month",
        "on the first work- ing day of each month",
        "The long-term tenant's \"deposit\" is two months' rent",
        "The longterm tenant’s “deposit” is two",
        "months' rent - it bears no interest",
        '"months’ rent — it bears no interest."',
        "Late rent is charged at 8%",
        "  is two\n months’   rent – it bears ",
        "2 Rent\nRent is due monthly",
    ],
)
def test_what_layout_and_typography_change_does_not_matter(quote: str) -> None:
    """White space, hyphens, quotation marks, dashes and emphasis may differ; the section's own characters come back."""
    assert found(quote)
    assert found(found(quote)) == found(quote)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "Rent is due",
        "Rent is due weekly, on the first working day",
        "rent is due monthly, on the first working day",
        "Rent is due monthly, ... of each month.",
        "monthly, due is Rent on the first",
        "ent is due monthly, on the first working da",
        "Late rent is charged at 80%",
        "Late rent is charged at 8.5%",
    ],
)
def test_another_word_number_or_order_is_no_quote(quote: str) -> None:
    """Too few words, changed, left out, cut or rearranged ones are not found."""
    assert found(quote) == ""


@pytest.mark.parametrize(
    ("quote", "row"),
    [
        ("| Ground | 1,200 |", "| Ground | 1,200 |"),
        ("Ground | 1,200", "| Ground | 1,200 |"),
        ("Ground 1,200", "| Ground | 1,200 |"),
        ("Heating 310 295", "Heating          310      295"),
        ("| Heating | 310 | 295 |", "Heating          310      295"),
    ],
)
def test_a_whole_row_of_a_table_counts(quote: str, row: str) -> None:
    """A row needs no five words, in Markdown or of fixed width, if all its cells are there."""
    assert found(quote) == row


@pytest.mark.parametrize("quote", ["1,200", "Ground", "Heating 310", "310 295", "|---|---|", "1,200 | Ground"])
def test_a_part_of_a_row_does_not_count(quote: str) -> None:
    """Some cells of a row prove nothing."""
    assert found(quote) == ""


def test_a_hyphen_between_numbers_counts() -> None:
    """Only hyphens between letters are taken out: a range is not a number."""
    assert found("the range is 12-14 degrees here", "the range is 12-14 degrees here")
    assert found("the range is 1214 degrees here", "the range is 12-14 degrees here") == ""


WORDS = st.lists(st.text("abcdefghij", min_size=1, max_size=8), min_size=5, max_size=12)


@given(words=WORDS, before=st.text("xyz \n", max_size=20), behind=st.text("xyz \n", max_size=20))
def test_every_quote_is_found_where_it_stands(words: list[str], before: str, behind: str) -> None:
    """However its words are spread over lines, a quote of five words or more is found, and nothing around it."""
    stands = "\n".join(words)
    text = f"{before} {stands}\n {behind}"
    assert found(" ".join(words), text) == stands


@given(words=WORDS, text=st.text("klmnop -\n|", max_size=80))
def test_what_is_not_there_is_not_found(words: list[str], text: str) -> None:
    """A text without any of the letters holds no quote."""
    assert found(" ".join(words), text) == ""


@given(quote=st.text(max_size=60), text=st.text(max_size=200))
def test_any_text_can_be_looked_up(quote: str, text: str) -> None:
    """Nothing makes it fail, and what is found lies in the text."""
    finding = find_quote(quote, text)
    assert finding.problem or 0 <= finding.start < finding.end <= len(text)
