"""tocwalk documents: what is in the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

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
        from tocwalk.cli.contracts import document_record

        write_json({"corpus": corpus, "documents": [document_record(row) for row in rows]})
    elif rows:
        on_stdout().print(_table(rows))
    else:
        click.echo(f"No documents in corpus {corpus!r}: `tocwalk index PATH` reads some.")


def _table(rows: list[DocumentRow]) -> Table:
    from rich.table import Table
    from rich.text import Text

    from tocwalk.cli.wording import shown

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("document", overflow="fold")
    table.add_column("title", overflow="fold")
    for name in ("pages", "sections", "tokens"):
        table.add_column(name, justify="right")
    table.add_column("indexed")
    for row in rows:
        table.add_row(
            Text(shown(row.id)),
            Text(shown(row.title)),
            "" if row.pages is None else f"{row.pages:,}",
            f"{row.sections - 1:,}",
            f"{row.tokens:,}",
            f"{row.indexed_at.astimezone():%Y-%m-%d %H:%M}",
        )
    return table
