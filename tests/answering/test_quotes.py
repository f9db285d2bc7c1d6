"""Looking quotes up."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.answering.quotes import QuotedText

TEXT = """2 Rent
Rent is due monthly, on the first work-
ing day of each month. The long-term tenant’s “deposit” is  two
months’ rent – it bears no interest. **Late** rent is charged at 8%.

| Floor | Rent |
|---|---|
| Ground | 1,200 |

Item            2024     2023
Heating          310      295

Fees are low.  Rent is due.
"""


def found(quote: str, text: str = TEXT) -> str:
    """Return the text that a quote is, or "" if it does not count."""
    finding = QuotedText(text).find(quote)
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
        "… Rent is due monthly, on the first working day",
        "«...Rent is due monthly, on the first working day of...»",
        "The `long-term` tenant’s **deposit** is two".replace("**deposit**", '"deposit"'),
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


def test_rows_may_be_quoted_together() -> None:
    """Lines of a table one below the other count as a whole, even if they have less than five words."""
    assert found("| Ground | 1,200 |\n") == "| Ground | 1,200 |"
    assert found("|---|---|\n| Ground | 1,200 |") == "|---|---|\n| Ground | 1,200 |"
    assert found("| Floor | Rent |\n|---|---|\n| Ground | 1,200 |").endswith("| Ground | 1,200 |")


@pytest.mark.parametrize("quote", ["Fees are low. Rent", "Rent is due.", "low.  Rent is due", "2 Rent"])
def test_a_line_of_prose_is_no_row(quote: str) -> None:
    """Two blanks between sentences do not make a row of a few words."""
    assert found(quote) == ""


@pytest.mark.parametrize("quote", ["1,200", "Ground", "Heating 310", "310 295", "|---|---|", "1,200 | Ground"])
def test_a_part_of_a_row_does_not_count(quote: str) -> None:
    """Some cells of a row prove nothing."""
    assert found(quote) == ""


def test_a_hyphen_between_numbers_counts() -> None:
    """Only hyphens between letters are taken out: a range is not a number."""
    assert found("the range is 12-14 degrees here", "the range is 12-14 degrees here")
    assert found("the range is 1214 degrees here", "the range is 12-14 degrees here") == ""


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("la clé du café est à lui", "la cle\u0301 du cafe\u0301 est a\u0300 lui"),
        ("the \ufb01rst o\ufb03ce of the town", "the first office of the town"),
        ("the first office of the town", "the \uff46\uff49\uff52st of\ufb01ce of\u00a0the\u2003town"),
        ("rent is due on this day", "rent \u202eis\u202c due\u200b on thi\u00ads day"),
        ("rent is due on this day", "rent i\U000e0049s\u180e due\ufff9 on\u2064 this\u206a day"),
        ("rent [31mis due on this day", "rent\x1b[31mis due on this\x07day"),
        ("the agreement of all parties here", "the agree\u00ad\nment of all par-\n  ties here"),
    ],
)
def test_how_characters_are_encoded_does_not_matter(quote: str, text: str) -> None:
    """Accents, ligatures, wide forms, blanks of every kind and what cannot be seen are as a reader sees them."""
    assert found(quote, text) == text


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("每月第一个工作日支付租金", "本合同规定：租户应在每月第一个工作日支付租金，不得拖延。"),
        ("家賃は毎月一日に支払うものとする", "第二条　家賃は毎月一日に支払うものとする。"),
        ("ผู้เช่าต้องชำระค่าเช่าทุกเดือน", "ข้อ 2 ผู้เช่าต้องชำระค่าเช่าทุกเดือนภายในวันแรก"),
    ],
)
def test_scripts_without_blanks_are_quoted_too(quote: str, text: str) -> None:
    """Where no blanks stand between words, a sentence is more than one word, and begins anywhere."""
    assert found(quote, text) == quote
    assert found(quote[:4], text) == ""


SENTENCE = "the rent is due on the first day"


@pytest.mark.parametrize(
    "unit",
    [
        *("a-", "a-\n", "a\u00ad", "\u00ad", "\u00a0", "e\u0301", "\u0301\u0323", "\ufb01", "  ", "**"),
        *("|", "| a | b |\n", "a   b\n", "a\tb\n", "thethe rent is due on the first da"),
    ],
)
def test_a_long_text_of_odd_characters_is_searched(unit: str) -> None:
    """In a hundred thousand characters and more that are compared in another form, a quote is found where it stands."""
    text = f"{unit * (200_000 // len(unit))}. {SENTENCE}"
    assert QuotedText(text).find(SENTENCE).start == len(text) - len(SENTENCE)
    assert QuotedText(text).find("the rent is due on the last day").problem


def test_many_quotes_are_looked_up_in_one_reading() -> None:
    """A text answers one quote after the other."""
    text = QuotedText(TEXT)
    assert [text.find(quote).problem == "" for quote in ("Ground 1,200", "Rent is due monthly, on", "x")] == [
        True,
        True,
        False,
    ]


WORDS = st.lists(st.text("abcdefghij", min_size=1, max_size=8), min_size=5, max_size=12)


@given(words=WORDS, before=st.text("xyz \n", max_size=20), behind=st.text("xyz \n", max_size=20))
def test_every_quote_is_found_where_it_stands(words: list[str], before: str, behind: str) -> None:
    """However its words are spread over lines, a quote of five words or more is found, and nothing around it."""
    stands = "\n".join(words)
    text = f"{before} {stands}\n {behind}"
    assert found(" ".join(words), text) == stands


INSIDE = st.sampled_from(["", "", "", "\u00ad", "\u200b", "-\n", "- ", "-", "\u2060"])
BETWEEN = st.sampled_from([" ", "  ", "\n", "\t", "\u00a0", "\r\n", " \u200b", "\u202f", " **", "** ", "\x0c", "\x07"])
ODD_WORDS = st.lists(st.sampled_from(["office", "café", "naïve", "fluffy", "Ångström", "rent"]), min_size=5, max_size=9)
FORMS: st.SearchStrategy[Literal["NFC", "NFD"]] = st.sampled_from(["NFC", "NFD"])


@given(words=ODD_WORDS, data=st.data())
def test_every_way_of_writing_is_found(words: list[str], data: st.DataObject) -> None:
    """Whatever hyphens, blanks, accents and ligatures a text is written with, all of it that is quoted comes back."""
    written = ""
    for position, word in enumerate(words):
        at = data.draw(st.integers(1, len(word) - 1))
        broken = f"{word[:at]}{data.draw(INSIDE)}{word[at:]}"
        written += (data.draw(BETWEEN) if position else "") + unicodedata.normalize(data.draw(FORMS), broken)
    written = written.replace("ffi", "\ufb03") if data.draw(st.booleans()) else written
    before = data.draw(st.sampled_from(["", "1. ", "x\n", "| "]))
    text = before + written + data.draw(st.sampled_from(["", ".", " y"]))
    assert found(" ".join(words), text) == written


@given(words=WORDS, text=st.text("klmnop -\n|", max_size=80))
def test_what_is_not_there_is_not_found(words: list[str], text: str) -> None:
    """A text without any of the letters holds no quote."""
    assert found(" ".join(words), text) == ""


@given(quote=st.text(max_size=60), text=st.text(max_size=200))
def test_any_text_can_be_looked_up(quote: str, text: str) -> None:
    """Nothing makes it fail, and what is found lies in the text."""
    finding = QuotedText(text).find(quote)
    assert finding.problem or 0 <= finding.start < finding.end <= len(text)
