"""Reading what a model said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocwalk.models.replies import LARGEST_REPLY, UnreadableReplyError, read_object

SAID = {"statements": [{"text": "Rent {is} due.", "quotes": []}]}
JSON = json.dumps(SAID)


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"```json\n{JSON}\n```",
        f"Gladly! {JSON} Anything else?",
        f'<think>Perhaps {{"statements": []}}?</think>{JSON}',
        f'Perhaps {{"statements": []}}?</think>{JSON}',
        f'The form is {{"statements": []}}, so: {JSON}',
        f"{{broken {JSON}",
    ],
)
def test_an_object_is_read_wherever_it_stands(text: str) -> None:
    """Fences, prose, thought and a form shown before do not hide what was said."""
    assert read_object(text, "statements") == SAID


@pytest.mark.parametrize("text", ["", "Rent is due.", "[1, 2]", '{"other": 1}', '{"statements": [', f"<think>{JSON}"])
def test_what_is_none_is_refused(text: str) -> None:
    """Without an object that has the key there is nothing to read."""
    with pytest.raises(UnreadableReplyError, match="'statements'"):
        read_object(text, "statements")


def test_a_huge_reply_is_not_read() -> None:
    """A reply beyond any answer's size is refused unread."""
    with pytest.raises(UnreadableReplyError, match="characters long"):
        read_object(JSON + " " * LARGEST_REPLY, "statements")


def test_line_breaks_inside_a_text_are_kept() -> None:
    """Models leave line breaks in strings as they are, which JSON forbids: quotes are full of them."""
    assert read_object('{"statements": "a\nb"}', "statements") == {"statements": "a\nb"}


def test_escapes_spell_no_lone_surrogates() -> None:
    """What no file or connection could take becomes a question mark, wherever it stands; pairs are characters."""
    said = r'{"statements": ["a\ud800b", {"\udfff": "\ud83d\ude00"}]}'
    assert read_object(said, "statements") == {"statements": ["a?b", {"?": "😀"}]}


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(said=st.dictionaries(st.text(), VALUES), before=st.text(), behind=st.text())
def test_any_reply_can_be_read(said: dict[str, Any], before: str, behind: str) -> None:
    """Whatever stands around it, reading returns an object with the key or says that there is none."""
    text = f"{before}{json.dumps({**said, 'key': 1})}{behind}"
    try:
        assert "key" in read_object(text, "key")
    except UnreadableReplyError:
        assert set(before + behind) & set('{}"<>\\[]')
