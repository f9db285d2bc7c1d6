"""tocwalk documents: what is in the index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from tocwalk.cli.naming import as_named
from tocwalk.cli.opening import open_index
from tocwalk.cli.options import corpus_option, index_option, json_option
from tocwalk.cli.output import on_stdout, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from tocwalk.index import DocumentRow

__all__ = ["command"]


@click.command("documents")
@corpus_option
@index_option
@json_option
def command(*, corpus: str, location: str | None, as_json: bool) -> None:
    """List the documents in the index."""
    with open_index(location, read_only=True) as index:
        rows = index.documents(corpus)
    if as_json:
        from tocwalk.indexing.records import document_record

        write_json({"corpus": corpus, "documents": [document_record(row) for row in rows]})
    elif rows:
        _print(rows)
    else:
        click.echo(f"No documents in corpus {corpus!r}: `{as_named('tocwalk index PATH')}` reads some.")


def _print(rows: Sequence[DocumentRow]) -> None:
    from rich.text import Text

    from tocwalk.cli.wording import counted

    console = on_stdout()
    console.print(_table(rows, console.width))
    pages = sum(row.pages or 0 for row in rows)
    totals = [
        counted(len(rows), "document"),
        *([counted(pages, "page")] if pages else []),
        counted(sum(row.sections for row in rows), "section"),
        counted(sum(row.tokens for row in rows), "token"),
    ]
    console.print(Text(", ".join(totals), style="dim"))


def _table(rows: Sequence[DocumentRow], width: int) -> Table:
    """Return the documents as aligned columns; where not all fit into `width`, titles give way before ids."""
    from rich.table import Table
    from rich.text import Text

    from tocwalk.cli.wording import in_full, shown

    ids = [Text(in_full(row.id)) for row in rows]
    with_pages = any(row.pages for row in rows)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("id", overflow="fold", style="bold", min_width=min(max(id_.cell_len for id_ in ids), width // 2))
    table.add_column("title")
    for size in (*(["pages"] if with_pages else []), "sections", "tokens"):
        table.add_column(size, justify="right", no_wrap=True)
    for id_, row in zip(ids, rows, strict=True):
        pages = [f"{row.pages:,}" if row.pages else ""] if with_pages else []
        table.add_row(id_, Text(shown(row.title)), *pages, f"{row.sections:,}", f"{row.tokens:,}")
    return table
