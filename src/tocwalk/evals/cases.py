"""Questions with the answers that are known for them, as they stand in a file: one JSON object a line.

    {"id": "lease-01", "doc": "lease", "kind": "paraphrase", "question": "Who mends the roof?",
     "gold": [{"number": "4.2", "title": "Repairs", "evidence": "The landlord keeps the roof"}]}

`doc` is the id of a document, or its id without folders and extension. Each entry of `gold` says where an answer
stands, in one of three ways; an empty list says that the document holds none.

- A section: `number`, `title` or both, as printed. `page_start` and `page_end`, its pages, and `evidence`, words from
  its text, tell it from others of that name.
- A passage: `passage`, words of the document.
- Pages: `page_start` and, if it is another, `page_end`. The case then has to say with `page_base`, 0 or 1, what the
  first page of the file is called; where it does not, for sections, that is 1.

Other keys are for people and left alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from tocwalk.errors import InputError
from tocwalk.state.faults import faults

__all__ = ["Case", "Gold", "GoldKind", "read_cases"]

GoldKind: TypeAlias = Literal["section", "passage", "pages"]

_Words: TypeAlias = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Page: TypeAlias = Annotated[int, Field(ge=0, le=100_000)]  # each page of a range is listed


class Gold(BaseModel):
    """Where an answer stands."""

    model_config = ConfigDict(frozen=True, strict=True)

    number: _Words | None = None
    title: _Words | None = None
    page_start: _Page | None = None
    """As the case counts pages; `Case.pages` gives physical ones."""
    page_end: _Page | None = None
    evidence: _Words | None = None
    passage: _Words | None = None

    @property
    def kind(self) -> GoldKind:
        """In which of the ways it says where the answer stands."""
        if self.number or self.title:
            return "section"
        return "passage" if self.passage else "pages"

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if self.passage and (self.number or self.title):
            raise ValueError("gold is a section or a passage, not both: words of a section are its `evidence`")
        if self.kind == "pages" and self.page_start is None:
            raise ValueError("gold needs a `number` or `title`, a `passage`, or a `page_start`")
        if self.page_end is not None and (self.page_start is None or self.page_end < self.page_start):
            raise ValueError("`page_end` needs a `page_start` that is not behind it")
        return self


class Case(BaseModel):
    """A question about a document, with where its answers stand."""

    model_config = ConfigDict(frozen=True, strict=True)

    id: _Words
    doc: _Words
    question: _Words
    kind: _Words = "other"
    """What makes it hard, to group results by: "paraphrase", "table"."""
    gold: Annotated[tuple[Gold, ...], Field(strict=False)]
    page_base: Literal[0, 1] | None = None

    def pages(self, gold: Gold) -> frozenset[int]:
        """Return the physical pages, 1-based, that an entry of `gold` names; none where it names none."""
        if gold.page_start is None:
            return frozenset()
        to_physical = 1 - (1 if self.page_base is None else self.page_base)
        end = gold.page_start if gold.page_end is None else gold.page_end
        return frozenset(range(gold.page_start + to_physical, end + to_physical + 1))

    @model_validator(mode="after")
    def _says_how_it_counts_pages(self) -> Self:
        if self.page_base is None and any(gold.kind == "pages" for gold in self.gold):
            raise ValueError("gold of pages needs `page_base` beside it: 0 or 1, the number of the file's first page")
        if any(0 in self.pages(gold) for gold in self.gold):
            raise ValueError("there is no page 0 where the first page is 1; say `page_base`: 0 if it is 0")
        return self


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file, in its order; blank lines are passed over.

    Raises:
        InputError: The file cannot be read, a line is no case, two cases have one id, or there is none.
    """
    try:
        lines = path.read_text("utf-8-sig").split("\n")  # `splitlines` would split at signs that JSON may hold
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The cases in {str(path)!r} cannot be read: {error}.") from error
    cases: dict[str, Case] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        case = _case(line, where=f"Line {number} of {str(path)!r}")
        if case.id in cases:
            raise InputError(f"Line {number} of {str(path)!r} has the id {case.id!r} of another case: ids must differ.")
        cases[case.id] = case
    if not cases:
        raise InputError(f"There is no case in {str(path)!r}: write one JSON object a line.")
    return list(cases.values())


def _case(line: str, *, where: str) -> Case:
    try:
        return Case.model_validate_json(line)
    except ValidationError as error:
        raise InputError(f"{where} is no case ({faults(error, values=False)}), got {line[:80]!r}.") from error
