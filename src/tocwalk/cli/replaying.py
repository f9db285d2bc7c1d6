"""A recorded walk, as `ask --json` printed it, and walking it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import IO, Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from tocwalk.cli.contracts import walked_record
from tocwalk.cli.scope import Scope
from tocwalk.cli.walking import Question, Walked
from tocwalk.errors import GenerationCollectedError, NotFoundError, ReplayError
from tocwalk.graph import WalkGraph, build_retrieval_graph
from tocwalk.index.reader import TreeReader
from tocwalk.navigators.replay import ReplayNavigator
from tocwalk.state import WalkContext
from tocwalk.state.faults import faults

__all__ = ["Recording", "read_recording"]

_COMPARED = ("sections", "stop_reason", "remaining_visits", "trace", "failures")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A walk that is on record."""

    question: Question
    navigator: ReplayNavigator
    generation: int
    """Of the index, as the walk saw it."""
    record: Mapping[str, Any]

    def graph(self, scope: Scope, *, stored: bool) -> WalkGraph:
        """Return the graph that walks it again.

        Args:
            scope: What is asked.
            stored: Whether that is an index, which must still hold what the walk saw; else it is made of files, which
                are compared as the walk comes to them.

        Raises:
            ReplayError: The index no longer holds it, or never did.
        """
        corpus, actual = self.question.corpus, self.generation
        if stored:
            try:
                scope.index.check(corpus, actual)
            except (GenerationCollectedError, NotFoundError) as error:
                raise ReplayError(
                    f"The record is of version {actual} of the corpus {corpus!r}, which this index does not hold: it is"
                    " another index, or was indexed anew since. Give the one that was asked with --index, or with --in"
                    " the files."
                ) from error
        else:
            actual = scope.index.generation(corpus)
        reader = cast(TreeReader, _AsRecorded(scope.index, recorded=self.generation, actual=actual))
        return build_retrieval_graph(index=reader, navigator=self.navigator)

    def checked(self, walked: Walked) -> Walked:
        """Return a walk that came to what is on record, with what that cost, at the prices of then.

        Where a file lies may differ.

        Raises:
            ReplayError: It did not.
        """
        with_text = all("text" in section for section in self.record["sections"])
        again = json.loads(json.dumps(walked_record(self.question, walked, with_text=with_text)))
        for key in _COMPARED:
            if _without_sources(again[key]) != _without_sources(self.record[key]):
                raise ReplayError(
                    f"The replay comes to other {key} than the record: {_difference(again, self.record)}."
                )
        return replace(walked, output={**walked.output, "usage": self.record["usage"]})


class _AsRecorded:
    """A `TreeReader` of one generation of an index, which it calls by the number that is on record."""

    def __init__(self, index: TreeReader, *, recorded: int, actual: int) -> None:
        self._index = index
        self._recorded = recorded
        self._actual = actual

    def generation(self, _corpus: str) -> int:
        return self._recorded

    def __getattr__(self, name: str) -> Callable[..., Any]:
        read = getattr(self._index, name)

        def read_actual(corpus: str, _generation: int, *args: Any, **kwargs: Any) -> Any:
            return read(corpus, self._actual, *args, **kwargs)

        return read_actual


class _Asked(BaseModel):
    """What a record says of what was asked."""

    model_config = ConfigDict(strict=True, extra="ignore")

    query: str
    corpus: str
    only_documents: list[str] | None
    filters: dict[str, Any] | None
    settings: dict[str, Any]
    index_version: int
    sections: list[dict[str, Any]]
    remaining_visits: int


def read_recording(file: IO[bytes], *, query: str | None) -> Recording:
    """Read what `ask --json` printed.

    Args:
        file: With one JSON document.
        query: The question that it must be of; None: whatever it is of.

    Raises:
        ReplayError: It is no record, or one of another question, or of a walk that was ended from outside.
        SettingsError: Its settings are none of this version.
    """
    try:
        read = file.read()
        if not read.strip():
            raise ReplayError(f"{file.name!r} is empty: what was to print the record has printed nothing.")
        record = json.loads(read)
        asked = _Asked.model_validate(record)
    except ValidationError as error:
        found = faults(error, values=False, most=3)
        raise ReplayError(f"{file.name!r} is no record of a walk ({found}): give what `ask --json` printed.") from error
    except OSError as error:
        raise ReplayError(f"{file.name!r} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"{file.name!r} is no JSON ({error}): give what `ask --json` printed.") from error
    if query is not None and query != asked.query:
        raise ReplayError(f"The record is of the question {asked.query!r}, not of {query!r}: leave the question out.")
    settings = WalkContext.of(asked.settings)
    question = Question(
        query=asked.query,
        corpus=asked.corpus,
        documents=tuple(asked.only_documents or ()),
        filters=asked.filters or {},
        settings=settings,
    )
    navigator = ReplayNavigator(record, model=settings.navigator_model)
    return Recording(question=question, navigator=navigator, generation=asked.index_version, record=record)


def _without_sources(value: Any) -> Any:
    """Return sections without the paths of their files."""
    if not isinstance(value, list):
        return value
    entries = cast("list[dict[str, Any]]", value)
    return [{name: part for name, part in one.items() if name != "source"} for one in entries]


def _difference(again: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """Return the first section that differs, in words."""
    for one, other in zip(_without_sources(again["sections"]), _without_sources(record["sections"]), strict=False):
        if one != other:
            parts = ", ".join(name for name in one if one[name] != other.get(name))
            return f"{one['id']!r} differs in {parts}, so its document has changed"
    return "documents, settings or limits have changed since"
