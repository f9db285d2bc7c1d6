"""Cases, as people write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lease_documents import case

from tocwalk.errors import InputError
from tocwalk.evals import Gold, read_cases

WHOLE = {"id": "a", "doc": "lease", "question": "Who mends the roof?", "gold": []}


def _file(folder: Path, *lines: str) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_cases_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    """Blank lines and keys for people are passed over; gold is a section, a passage or pages."""
    gold = [{"number": "2.1", "title": "Roof", "page_start": None}, {"passage": "the rain"}]
    first = {**WHOLE, "gold": gold, "kind": "paraphrase", "answer": "The landlord.", "note": "For people."}
    second = {**WHOLE, "id": "b", "gold": [{"page_start": 4, "page_end": 5}], "page_base": 0}
    cases = read_cases(_file(tmp_path, json.dumps(first), "", json.dumps(second), ""))
    assert [one.id for one in cases] == ["a", "b"]
    assert [one.kind for one in cases] == ["paraphrase", "other"]
    assert [[gold.kind for gold in one.gold] for one in cases] == [["section", "passage"], ["pages"]]


def test_a_line_ends_only_where_a_line_ends(tmp_path: Path) -> None:
    """JSON may hold signs that some call line ends, and a file may come from a system that ends lines otherwise."""
    question = "Who\u2028mends\x85the roof?"
    path = tmp_path / "cases.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf" + json.dumps({**WHOLE, "question": question}, ensure_ascii=False).encode() + b"\r\n"
    )
    assert [one.question for one in read_cases(path)] == [question]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "no case"),
        ("[]", "no case"),
        (json.dumps({**WHOLE, "question": " "}), "question"),
        (json.dumps({key: value for key, value in WHOLE.items() if key != "gold"}), "gold: missing"),
        (json.dumps({**WHOLE, "doc": None}), "doc"),
        (json.dumps({**WHOLE, "gold": [{}]}), "number"),
        (json.dumps({**WHOLE, "gold": [{"number": 2}]}), "gold.0.number"),
        (json.dumps({**WHOLE, "gold": [{"title": "Roof", "passage": "rain"}]}), "not both"),
        (json.dumps({**WHOLE, "gold": [{"title": "Roof", "page_start": 5, "page_end": 4}]}), "page_end"),
        (json.dumps({**WHOLE, "gold": [{"title": "Roof", "page_end": 4}]}), "page_end"),
        (json.dumps({**WHOLE, "gold": [{"page_start": 4}]}), "page_base"),
        (json.dumps({**WHOLE, "gold": [{"page_start": 0}], "page_base": 1}), "no page 0"),
        (json.dumps({**WHOLE, "gold": [{"page_start": -1}], "page_base": 0}), "page_start"),
        (json.dumps({**WHOLE, "gold": [{"page_start": 1, "page_end": 10**9}], "page_base": 1}), "gold.0.page_end"),
        (json.dumps({**WHOLE, "page_base": 2}), "page_base"),
    ],
)
def test_a_line_that_is_no_case_is_named(tmp_path: Path, line: str, problem: str) -> None:
    """The error says which line it is, and what is wrong with it."""
    with pytest.raises(InputError, match="Line 2 of ") as raised:
        read_cases(_file(tmp_path, json.dumps({**WHOLE, "id": "other"}), line))
    assert problem in str(raised.value)


def test_ids_must_differ(tmp_path: Path) -> None:
    """Two cases of one id could not be told apart in the results."""
    with pytest.raises(InputError, match="ids must differ"):
        read_cases(_file(tmp_path, json.dumps(WHOLE), json.dumps(WHOLE)))


@pytest.mark.parametrize("content", [None, b"", b"\n\n", b"\xff\xfe\x00"])
def test_a_file_without_cases_is_an_error(tmp_path: Path, content: bytes | None) -> None:
    """A file that is missing, empty or no text says so and names itself."""
    path = tmp_path / "cases.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match="cases.jsonl"):
        read_cases(path)


@given(start=st.integers(1, 50), more=st.integers(0, 5), base=st.sampled_from([0, 1]))
def test_pages_are_physical_whatever_the_first_is_called(start: int, more: int, base: int) -> None:
    """A page that the case calls N is the N+1st of the file where the first is called 0."""
    gold: dict[str, Any] = {"page_start": start, "page_end": start + more}
    one = case("Where?", gold, page_base=base)
    assert one.pages(one.gold[0]) == frozenset(range(start + 1 - base, start + more + 2 - base))


def test_pages_of_sections_are_counted_from_one() -> None:
    """A case that only names sections need not say how it counts pages."""
    one = case("Where?", {"title": "Roof", "page_start": 5})
    assert one.pages(one.gold[0]) == {5}
    assert one.pages(Gold(title="Roof")) == frozenset()
