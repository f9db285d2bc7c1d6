"""What an indexing run did that whoever started it may not have meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tocwalk.cli.naming import as_named
from tocwalk.cli.reports import examples
from tocwalk.cli.wording import counted
from tocwalk.index import DocumentRow
from tocwalk.indexing.outcome import Outcome

__all__ = ["side_effects"]


def side_effects(before: Iterable[DocumentRow], outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield a sentence, with what to do, for summaries that are a model's no more and for files that are there twice.

    Args:
        before: The documents of the corpus before the run.
        outcomes: What became of each source.
    """
    rows = list(before)
    written = {row.id: row.summaries.partition(",")[0] for row in rows if ":" in row.summaries}
    ids = {row.source: row.id for row in rows}
    lost: dict[str, list[Outcome]] = {}
    twice: list[Outcome] = []
    for outcome in outcomes:
        id_ = outcome.source.document_id
        if outcome.made_by in ("lead", "none") and id_ in written:
            lost.setdefault(written[id_], []).append(outcome)
        if outcome.status == "stored" and outcome.source.name in ids:
            twice.append(outcome)
    yield from (_lost(model, documents) for model, documents in lost.items())
    if twice:
        yield _twice(twice, ids[twice[0].source.name])


def _lost(model: str, documents: Sequence[Outcome]) -> str:
    return (
        f"{counted(len(documents), 'document')} had summaries by {model}, and no longer ({examples(documents)})."
        f" `--summaries {model}` brings them back; only what has changed is paid for."
    )


def _twice(documents: Sequence[Outcome], other: str) -> str:
    return (
        f"{counted(len(documents), 'file')} stood in the index under another id already, and now twice:"
        f" {documents[0].source.document_id} is {other} too. An id is the path below the folder that is named: name the"
        f" same folder each time, and take the others out with `{as_named('tocwalk remove ID')}`."
    )
