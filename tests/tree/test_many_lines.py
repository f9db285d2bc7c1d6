"""Text of several lines, made safe to show."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tocwalk.tree.safe_text import many_lines

REORDERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
HARMLESS = st.text(st.characters(exclude_categories=("Cc", "Cf", "Zl", "Zp", "Cs")) | st.sampled_from("\n\t"))


@given(st.text())
def test_no_control_or_direction_character_is_left(text: str) -> None:
    """Of all control characters only line breaks and tabs stay, and nothing can reorder what is read."""
    safe = many_lines(text)
    assert {c for c in safe if unicodedata.category(c) == "Cc"} <= {"\n", "\t"}
    assert not any(
        unicodedata.bidirectional(c) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"} for c in safe
    )
    assert many_lines(safe) == safe


@given(HARMLESS)
def test_harmless_text_is_untouched(text: str) -> None:
    """Text without such characters comes back as it is, white space included."""
    assert many_lines(text) == text


def test_line_breaks_of_every_kind_stay_line_breaks() -> None:
    """CR LF, CR, form feeds and Unicode's own separators break lines; an escape sequence is only its letters."""
    assert many_lines("a\r\nb\rc\fd\u2028e\x85f\tg") == "a\nb\nc\nd\ne\nf\tg"
    assert many_lines("\x1b[31mred\x1b[0m \x9b2J") == " [31mred [0m  2J"
